#!/usr/bin/env node
import { createLogger } from '../kernel/logger.js';
import { EXIT_CONFIG, SettingError } from '../kernel/settings.js';
import { systemActor } from './actor.js';
import { verifyAuditLog } from './audit/verify-log.js';
import { type Config, readConfig } from './config.js';
import { type Foundation, openFoundation } from './foundation.js';
import { createJoinToken } from './nodes/enrolment.js';
import { createLocationStore } from './nodes/locations-store.js';
import { createNodeStore } from './nodes/store.js';

const HELP = `picket does what needs the database but no running control plane. It reads the same settings.

  picket join-token LOCATION ...   one join token for each location: "fra pjt_..." a line
  picket audit verify              checks the hash chain of every workspace's audit log
  picket help                      print this
`;

const EXIT_USAGE = 64;

async function main([command, ...args]: string[]): Promise<number> {
  switch (command) {
    case 'join-token':
      if (args.length === 0) return usage('join-token needs a location, such as fra');
      return withFoundation((foundation, config) => joinToken(foundation, config, args));
    case 'audit':
      if (args.length !== 1 || args[0] !== 'verify') return usage('audit knows one thing: verify');
      return withFoundation(auditVerify);
    case 'help':
    case '--help':
      process.stdout.write(HELP);
      return 0;
    default:
      return usage(command === undefined ? 'a command is missing' : `there is no command ${JSON.stringify(command)}`);
  }
}

async function withFoundation(work: (foundation: Foundation, config: Config) => Promise<number>): Promise<number> {
  const config = readConfig(process.env);
  const foundation = await openFoundation(config, createLogger({ name: 'picket', level: 'warn' }));
  try {
    return await work(foundation, config);
  } finally {
    foundation.authority.close();
    await foundation.mongo.close();
  }
}

async function joinToken(foundation: Foundation, config: Config, locations: string[]): Promise<number> {
  const { mongo, accounts, authority, ids } = foundation;
  const workspace = await accounts.operators();
  if (workspace === null) throw new Error('the database is empty: start the control plane once before');
  const parts = {
    ...foundation,
    store: createNodeStore(mongo.db),
    locations: createLocationStore(mongo.db),
    fingerprint: authority.fingerprint,
    address: config.grpcAddress,
  };
  const actor = systemActor(workspace, ids.next('evt'));
  for (const location of locations) {
    const { token } = await foundation.runTransaction((tx) => createJoinToken(parts, tx, actor, location));
    process.stdout.write(`${location} ${token}\n`);
  }
  return 0;
}

/** 0 when every chain holds, 1 when one does not; each problem is one line that names the entry. */
async function auditVerify({ auditStore }: Foundation): Promise<number> {
  let broken = 0;
  for await (const { workspaceId, report } of verifyAuditLog(auditStore)) {
    const { entries, lastHash, problems } = report;
    process.stdout.write(
      `${workspaceId}: ${entries} entries, ${problems.length === 0 ? `intact, ends with ${lastHash}` : 'BROKEN'}\n`,
    );
    for (const { id, kind, message } of problems) process.stdout.write(`  ${kind}: ${id ?? 'the log'} ${message}\n`);
    broken += problems.length;
  }
  return broken === 0 ? 0 : 1;
}

function usage(problem: string): number {
  process.stderr.write(`picket: ${problem}\n\n${HELP}`);
  return EXIT_USAGE;
}

main(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`picket: ${error instanceof Error ? error.message : error}\n`);
    process.exit(error instanceof SettingError ? EXIT_CONFIG : 1);
  },
);
