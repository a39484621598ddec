#!/usr/bin/env node
import { mkdirSync, readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { systemClock } from '../kernel/clock.js';
import { createLogger, type Logger } from '../kernel/logger.js';
import { systemRandom } from '../kernel/random.js';
import { EXIT_CONFIG, SettingError } from '../kernel/settings.js';
import { createTargetGuard } from '../kernel/target-guard.js';
import { createOpenChannel, type OpenChannel } from '../node-link/channel.js';
import { type CredentialFile, createCredentialFile, type NodeCredentials } from '../node-link/credentials.js';
import { EnrolError, enrol } from '../node-link/enrol.js';
import { loadAssignmentsCodec, loadCheckResultCodec, loadNodeLink } from '../proto/load.js';
import { createChecker } from './checks/check.js';
import { HELP, type ProbeCommand, type ProbeConfig, readProbeCommand } from './config.js';
import { createIcmp } from './icmp-socket.js';
import { startProbe } from './probe.js';
import { createResolver } from './resolve.js';
import { lockDirectory } from './single-instance.js';

/** `scripts/build` copies package.json beside the compiled folders, so that both layouts find it here. */
const PACKAGE = new URL('../package.json', import.meta.url);

async function main(): Promise<void> {
  const command = readCommand();
  const version: string = JSON.parse(readFileSync(PACKAGE, 'utf8')).version;
  if (command.kind === 'help') return void process.stdout.write(HELP);
  if (command.kind === 'version') return void process.stdout.write(`picket-probe ${version}\n`);
  const { config } = command;
  const logger = createLogger({ name: 'probe', level: config.logLevel });
  const openChannel = createOpenChannel(loadNodeLink());
  await takeDirectory(config.dataDir);
  const credentialFile = createCredentialFile(config.dataDir);
  const credentials = await identify({ config, credentialFile, openChannel, version, logger });
  const checker = await createCheckers(config, credentials, version, logger);
  const probe = startProbe({
    ...checker,
    config,
    credentials,
    credentialFile,
    version,
    codec: loadCheckResultCodec(),
    assignmentsCodec: loadAssignmentsCodec(),
    openChannel,
    clock: systemClock,
    random: systemRandom,
    logger,
  });
  const stop = () => {
    probe.stop().then(
      () => process.exit(0),
      (error) => fail(1, `did not stop cleanly: ${words(error)}`),
    );
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, stop);
  // Started by the supervisor, whose end closes this channel.
  process.once('disconnect', stop);
}

function readCommand(): ProbeCommand {
  try {
    return readProbeCommand(process.argv.slice(2), process.env);
  } catch (error) {
    if (error instanceof SettingError) fail(EXIT_CONFIG, error.message);
    throw error;
  }
}

async function takeDirectory(directory: string): Promise<void> {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
  } catch (error) {
    fail(EXIT_CONFIG, `--data (PICKET_DATA_DIR) cannot be used: ${words(error)}`);
  }
  if (!(await lockDirectory(directory))) fail(1, `another probe is running on ${directory}`);
}

/** The credential of an earlier join wins; without one the token is traded for it. */
async function identify(known: {
  config: ProbeConfig;
  credentialFile: CredentialFile;
  openChannel: OpenChannel;
  version: string;
  logger: Logger;
}): Promise<NodeCredentials> {
  const { config, credentialFile } = known;
  const saved = credentialFile.load();
  if (saved !== null) {
    if (config.join !== null) {
      known.logger.info({ node: saved.nodeId }, 'has joined before: its credential is used, the join token is not');
    }
    return saved;
  }
  if (config.join === null) {
    fail(EXIT_CONFIG, `--join is missing: there is no credential in ${config.dataDir} yet, so a join token is needed`);
  }
  const credentials = await enrol({ ...known, token: config.join, hostname: hostname(), clock: systemClock });
  credentialFile.save(credentials);
  known.logger.info({ node: credentials.nodeId, location: credentials.location }, 'joined');
  return credentials;
}

async function createCheckers(config: ProbeConfig, credentials: NodeCredentials, version: string, logger: Logger) {
  const shared = {
    resolver: createResolver({
      clock: systemClock,
      servers: config.dnsServers,
      hostsPath: '/etc/hosts',
      resolvConfPath: '/etc/resolv.conf',
    }),
    clock: systemClock,
    icmp: await createIcmp({ clock: systemClock, random: systemRandom, log: logger }),
    log: logger,
    userAgent: `Picket/${version} (+https://picket.invalid/probe; ${credentials.location})`,
    extraCaPem: config.extraCaPem,
  };
  return {
    checker: createChecker({ ...shared, guard: createTargetGuard({ allowPrivate: config.allowPrivateTargets }) }),
    canaryChecker: createChecker({ ...shared, guard: createTargetGuard({ allowPrivate: true }) }),
  };
}

/** One line, and the end. */
function fail(code: number, line: string): never {
  process.stderr.write(`picket-probe: ${line}\n`);
  process.exit(code);
}

function words(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

main().catch((error) => {
  if (error instanceof EnrolError) fail(1, error.message);
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(1);
});
