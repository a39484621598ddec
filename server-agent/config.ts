import { resolve } from 'node:path';
import { LOG_LEVELS, type LogLevel } from '../kernel/logger.js';
import { readSettings } from '../kernel/settings.js';
import { parseNodeArguments, readJoinToken } from '../node-link/command-line.js';
import type { JoinToken } from '../node-link/enrolment/join-token.js';

/** Everything an agent is told at its start. */
export interface AgentConfig {
  /** Credential, spool and what is known of the control plane's clock live here. */
  dataDir: string;
  /** null: run with the credential that is already there. */
  join: JoinToken | null;
  logLevel: LogLevel;
  /** Time between two reports. */
  intervalMs: number;
  spoolBytesMax: number;
}

/** What the command line asks for. */
export type AgentCommand =
  | { kind: 'help' }
  | { kind: 'version' }
  /** Prints what `details.ts` finds out, as JSON, and ends: what the agent asks of itself once, at its start. */
  | { kind: 'details' }
  | { kind: 'run'; config: AgentConfig };

const INTERVAL_SECONDS_DEFAULT = 10;
const INTERVAL_SECONDS = { min: 1, max: 300 };
/**
 * 24 h of the largest report that there can be with names of usual length (600 values of 25 bytes, each 10 s) are
 * 130 MB, 24 h of a usual one (80 values) at one each second as much. By size and not by age: how long a report
 * is of use is for the control plane to say, which knows the plan.
 */
const SPOOL_BYTES_DEFAULT = 256 * 1024 ** 2;
const SPOOL_BYTES = { min: 1024 ** 2, max: 1024 ** 4 };

/** Not in the help: nobody but the agent itself has a use for it. */
export const DETAILS_ARGUMENT = '--print-details';

export const HELP = `picket-agent reports what its server is doing to a Picket control plane.

  picket-agent --join TOKEN    join with a token made for it, then run
  picket-agent                 run with the credential of an earlier join

  --join TOKEN   join token (pjt_...); also PICKET_JOIN_TOKEN, which does not show in a process list
  --data DIR     credential, undelivered reports; also PICKET_DATA_DIR, default ./picket-agent-data
  --version      print the version
  --help         print this

  PICKET_AGENT_INTERVAL_SECONDS  time between two reports, ${INTERVAL_SECONDS.min} to ${INTERVAL_SECONDS.max} (default ${INTERVAL_SECONDS_DEFAULT})
  PICKET_AGENT_SPOOL_BYTES       bound of the reports kept on disk (default ${SPOOL_BYTES_DEFAULT})
  PICKET_LOG_LEVEL               ${LOG_LEVELS.join(', ')} (default info)
`;

/** Throws SettingError, whose message is one line that names the setting. */
export function readAgentCommand(args: readonly string[], env: Record<string, string | undefined>): AgentCommand {
  if (args.length === 1 && args[0] === DETAILS_ARGUMENT) return { kind: 'details' };
  const given = parseNodeArguments(args);
  if (given.help) return { kind: 'help' };
  if (given.version) return { kind: 'version' };
  const settings = readSettings(env);
  const seconds = settings.integer('PICKET_AGENT_INTERVAL_SECONDS', INTERVAL_SECONDS_DEFAULT, INTERVAL_SECONDS);
  const config = {
    dataDir: resolve(given.data ?? settings.text('PICKET_DATA_DIR', './picket-agent-data')),
    join: readJoinToken(given.join, settings.optionalText('PICKET_JOIN_TOKEN')),
    logLevel: settings.oneOf<LogLevel>('PICKET_LOG_LEVEL', LOG_LEVELS, 'info'),
    intervalMs: seconds * 1000,
    spoolBytesMax: settings.integer('PICKET_AGENT_SPOOL_BYTES', SPOOL_BYTES_DEFAULT, SPOOL_BYTES),
  };
  return { kind: 'run', config };
}
