#!/usr/bin/env node
import { EXIT_CONFIG, SettingError } from '../kernel/settings.js';
import { picketVersion } from '../kernel/version.js';
import { ArgumentError } from './commands/argument-error.js';
import { isDatabaseUnavailable } from './storage/unavailable.js';

const HELP = `usage: picket COMMAND

  audit verify             verify the hash chain of every workspace's audit log;
                           changes nothing, except that a log with a broken chain
                           gets the entry audit.chain_broken
  audit verify FILE        verify a JSON export, or its entries as JSON lines,
                           without a database; - reads standard input
  audit verify --gaps FILE verify an export with filters, which has gaps: check each
                           entry by itself, and the order of the entries
  join-token LOCATION ...  create a join token for a probe of each location and print
                           one line for each: "fra pjt_..."
  join-token --server      create a join token for a server of the first workspace
                           and print "server pjt_..."
  reset-password EMAIL     print a link with which the person can set a new password;
                           it works once, for 30 minutes
  confirm-email EMAIL      print a link with which the person can confirm the address of
                           their account; it works once, for a day
  version                  print the version
  help                     print this help

Commands without FILE connect to the database with the settings of the control plane. The control plane need not run.

exit code  0   success; every audit log is intact
           1   an audit log is broken; its broken entries are listed
           64  invalid arguments, or FILE is not a JSON export
           69  the database cannot be reached
           70  any other error
           78  a setting is missing or invalid; the message names it
`;

const EXIT_BROKEN = 1;
/** Exit codes of sysexits.h. */
const EXIT_USAGE = 64;
const EXIT_UNAVAILABLE = 69;
const EXIT_SOFTWARE = 70;

/** The command line is invalid; the usage is printed after the message. */
class UsageError extends Error {}

const print = (text: string) => void process.stdout.write(text);
const printError = (text: string) => void process.stderr.write(`picket: ${text}\n`);

/** Runs a command and resolves to its exit code. Commands are imported on demand: the help needs no database driver. */
async function main([command, ...args]: string[]): Promise<number> {
  switch (command) {
    case 'join-token':
      return joinToken(args);
    case 'audit':
      return audit(args);
    case 'reset-password':
      return resetPassword(args);
    case 'confirm-email':
      return confirmEmail(args);
    case 'version':
    case '--version':
      print(`${picketVersion()}\n`);
      return 0;
    case 'help':
    case '--help':
    case '-h':
      print(HELP);
      return 0;
    default:
      throw new UsageError(
        command === undefined ? 'a command is missing' : `unknown command ${JSON.stringify(command)}`,
      );
  }
}

async function audit(args: string[]): Promise<number> {
  const [verb, ...rest] = args;
  const files = rest.filter((one) => one !== '--gaps');
  if (verb !== 'verify') throw new UsageError('audit requires a subcommand: verify');
  const [file] = files;
  if (files.length > 1 || rest.length - files.length > (file === undefined ? 0 : 1) || /^-./.test(file ?? '')) {
    throw new UsageError('audit verify takes at most one file, and --gaps requires a file');
  }
  if (file !== undefined) {
    const { auditVerifyFile } = await import('./commands/audit-verify-file.js');
    return (await auditVerifyFile(file, { gaps: rest.length > 1 }, print)) ? 0 : EXIT_BROKEN;
  }
  const config = await readConfig();
  const { auditVerify } = await import('./commands/audit-verify.js');
  return (await auditVerify(config.mongodbUri, print)) ? 0 : EXIT_BROKEN;
}

/** Imported on demand too: the settings include a connection string, which the database driver validates. */
async function readConfig() {
  return (await import('./config.js')).readConfig(process.env);
}

/** Prints only the tokens to stdout, so that scripts can parse the output. */
async function joinToken(args: string[]): Promise<number> {
  if (args.length === 0) throw new UsageError('join-token requires a location, such as fra, or --server');
  const locations = args.filter((one) => one !== '--server');
  const servers = args.length - locations.length;
  const config = await readConfig();
  const { makeJoinTokens } = await import('./commands/join-token.js');
  const tokens = await makeJoinTokens(config, { locations, servers });
  for (const [index, token] of tokens.entries()) print(`${locations[index] ?? 'server'} ${token}\n`);
  const programs = [...(locations.length > 0 ? ['picket-probe'] : []), ...(servers > 0 ? ['picket-agent'] : [])];
  printError(`each token is valid for one node and for 24 hours: ${programs.join(' or ')} --join TOKEN`);
  return 0;
}

/** Prints only the link to stdout: whoever has it can set the password. */
async function resetPassword(args: string[]): Promise<number> {
  const [email] = args;
  if (email === undefined || args.length > 1) throw new UsageError('reset-password requires one e-mail address');
  const config = await readConfig();
  const { makeResetLink } = await import('./commands/reset-password.js');
  print(`${await makeResetLink(config, email)}\n`);
  return 0;
}

/** Prints only the link to stdout, as `reset-password` does. */
async function confirmEmail(args: string[]): Promise<number> {
  const [email] = args;
  if (email === undefined || args.length > 1) throw new UsageError('confirm-email requires one e-mail address');
  const config = await readConfig();
  const { makeConfirmationLink } = await import('./commands/confirm-email.js');
  print(`${await makeConfirmationLink(config, email)}\n`);
  return 0;
}

/** Prints the error and returns the exit code. */
function failed(error: unknown): number {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof UsageError || error instanceof ArgumentError) {
    printError(error instanceof UsageError ? `${message}\n\n${HELP.trimEnd()}` : message);
    return EXIT_USAGE;
  }
  if (isDatabaseUnavailable(error)) {
    printError(`the database cannot be reached: ${message}`);
    return EXIT_UNAVAILABLE;
  }
  printError(message);
  return error instanceof SettingError ? EXIT_CONFIG : EXIT_SOFTWARE;
}

// process.exit would discard output that is still being written to a pipe.
process.exitCode = await main(process.argv.slice(2)).catch(failed);
