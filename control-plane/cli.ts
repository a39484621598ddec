#!/usr/bin/env node
import { EXIT_CONFIG, SettingError } from '../kernel/settings.js';
import { ArgumentError } from './commands/argument-error.js';
import { readConfig } from './config.js';
import { isDatabaseUnavailable } from './storage/unavailable.js';

const HELP = `usage: picket COMMAND

  audit verify             checks the hash chain of every workspace's audit log;
                           reads the database and changes nothing
  audit verify FILE        checks a JSON export or JSON lines of entries, without a
                           database; - is standard input
  audit verify --gaps FILE the same for an export with filters, where entries are
                           missing in between: each by itself, and their order
  join-token LOCATION ...  makes a join token for a probe of each location: "fra pjt_..." a line
  join-token --server      makes one for a server of the first workspace: "server pjt_..."
  help                     prints this

Without FILE it works on the database itself, with the settings of the control plane, which need not run.

exit code  0   done, and every chain is intact
           1   an audit log is broken; the entries are named
           64  wrong arguments, or a file that is no JSON export
           69  the database cannot be reached
           70  something else went wrong
           78  a setting is missing or wrong; it is named
`;

const EXIT_BROKEN = 1;
/** Of sysexits.h. */
const EXIT_USAGE = 64;
const EXIT_UNAVAILABLE = 69;
const EXIT_SOFTWARE = 70;

/** What was typed is no command of ours. */
class UsageError extends Error {}

const print = (text: string) => void process.stdout.write(text);
const complain = (text: string) => void process.stderr.write(`picket: ${text}\n`);

/** A command is loaded when it is asked for: whoever wants the usage need not wait for the database's driver. */
async function main([command, ...args]: string[]): Promise<number> {
  switch (command) {
    case 'join-token':
      return joinToken(args);
    case 'audit':
      return audit(args);
    case 'help':
    case '--help':
    case '-h':
      print(HELP);
      return 0;
    default:
      throw new UsageError(
        command === undefined ? 'a command is missing' : `there is no command ${JSON.stringify(command)}`,
      );
  }
}

async function audit(args: string[]): Promise<number> {
  const [verb, ...rest] = args;
  const files = rest.filter((one) => one !== '--gaps');
  if (verb !== 'verify') throw new UsageError('audit knows one thing: verify');
  const [file] = files;
  if (files.length > 1 || rest.length - files.length > (file === undefined ? 0 : 1) || /^-./.test(file ?? '')) {
    throw new UsageError('audit verify takes one file at most, and --gaps only with one');
  }
  if (file !== undefined) {
    const { auditVerifyFile } = await import('./commands/audit-verify-file.js');
    return (await auditVerifyFile(file, { gaps: rest.length > 1 }, print)) ? 0 : EXIT_BROKEN;
  }
  const config = readConfig(process.env);
  const { auditVerify } = await import('./commands/audit-verify.js');
  return (await auditVerify(config.mongodbUri, print)) ? 0 : EXIT_BROKEN;
}

/** Only tokens go to stdout, so that a script can read it. */
async function joinToken(wanted: string[]): Promise<number> {
  if (wanted.length === 0) throw new UsageError('join-token needs a location, such as fra, or --server');
  const locations = wanted.filter((one) => one !== '--server');
  const servers = wanted.length - locations.length;
  const config = readConfig(process.env);
  const { makeJoinTokens } = await import('./commands/join-token.js');
  const tokens = await makeJoinTokens(config, { locations, servers });
  for (const [index, token] of tokens.entries()) print(`${locations[index] ?? 'server'} ${token}\n`);
  const programs = [...(locations.length > 0 ? ['picket-probe'] : []), ...(servers > 0 ? ['picket-agent'] : [])];
  complain(`each is good for one node, within 24 hours: ${programs.join(' or ')} --join TOKEN`);
  return 0;
}

function failed(error: unknown): number {
  const words = error instanceof Error ? error.message : String(error);
  if (error instanceof UsageError || error instanceof ArgumentError) {
    complain(error instanceof UsageError ? `${words}\n\n${HELP.trimEnd()}` : words);
    return EXIT_USAGE;
  }
  if (isDatabaseUnavailable(error)) {
    complain(`the database cannot be reached: ${words}`);
    return EXIT_UNAVAILABLE;
  }
  complain(words);
  return error instanceof SettingError ? EXIT_CONFIG : EXIT_SOFTWARE;
}

// Not process.exit: what is on its way into a pipe must get there.
process.exitCode = await main(process.argv.slice(2)).catch(failed);
