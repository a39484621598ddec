import { resolve } from 'node:path';
import { LOG_LEVELS, type LogLevel } from '../kernel/logger.js';
import { readSettings } from '../kernel/settings.js';
import { parseNodeArguments, readJoinToken } from '../node-link/command-line.js';
import type { JoinToken } from '../node-link/enrolment/join-token.js';
import { SAMPLE_INTERVAL_SECONDS as INTERVAL } from '../proto/limits.js';

/** The settings of an agent. */
export interface AgentConfig {
  /** The directory of the credential, the spool and the saved time of the control plane. */
  dataDir: string;
  /** null: use the existing credential. */
  join: JoinToken | null;
  logLevel: LogLevel;
  /** Time between two samples. */
  intervalMs: number;
  spoolBytesMax: number;
}

/** The command of the command line. */
export type AgentCommand =
  | { kind: 'help' }
  | { kind: 'version' }
  /** Prints the details of the server as JSON. The agent runs itself once with this command, at its start. */
  | { kind: 'details' }
  | { kind: 'run'; config: AgentConfig };

/**
 * 24 h of the largest samples (600 values of 25 bytes, every 10 s) are 130 MB, as are 24 h of usual ones (80 values)
 * every second. The spool is limited by size and not by age, because only the control plane knows from the plan how
 * long a sample is useful.
 */
const SPOOL_BYTES_DEFAULT = 256 * 1024 ** 2;
const SPOOL_BYTES = { min: 1024 ** 2, max: 1024 ** 4 };

/** Not in the help, because only the agent itself uses it. */
export const DETAILS_ARGUMENT = '--print-details';

export const HELP = `picket-agent sends metrics of its server to a Picket control plane.

  picket-agent --join TOKEN    join with a token for this server, then run
  picket-agent                 run with the credential of an earlier join

  --join TOKEN   join token (pjt_...); also PICKET_JOIN_TOKEN, which process lists do not show
  --data DIR     credential and undelivered samples; also PICKET_DATA_DIR, default ./picket-agent-data
  --version      print the version
  --help         print this help

  PICKET_AGENT_INTERVAL_SECONDS  time between two samples, ${INTERVAL.min} to ${INTERVAL.max} (default ${INTERVAL.default})
  PICKET_AGENT_SPOOL_BYTES       maximum size of undelivered samples on disk (default ${SPOOL_BYTES_DEFAULT})
  PICKET_LOG_LEVEL               ${LOG_LEVELS.join(', ')} (default info)
`;

/** Returns the command. Throws SettingError, whose message is one line that names the setting. */
export function readAgentCommand(args: readonly string[], env: Record<string, string | undefined>): AgentCommand {
  if (args.length === 1 && args[0] === DETAILS_ARGUMENT) return { kind: 'details' };
  const given = parseNodeArguments(args);
  if (given.help) return { kind: 'help' };
  if (given.version) return { kind: 'version' };
  const settings = readSettings(env);
  const seconds = settings.integer('PICKET_AGENT_INTERVAL_SECONDS', INTERVAL.default, INTERVAL);
  const config = {
    dataDir: resolve(given.data ?? settings.text('PICKET_DATA_DIR', './picket-agent-data')),
    join: readJoinToken(given.join, settings.optionalText('PICKET_JOIN_TOKEN')),
    logLevel: settings.oneOf<LogLevel>('PICKET_LOG_LEVEL', LOG_LEVELS, 'info'),
    intervalMs: seconds * 1000,
    spoolBytesMax: settings.integer('PICKET_AGENT_SPOOL_BYTES', SPOOL_BYTES_DEFAULT, SPOOL_BYTES),
  };
  return { kind: 'run', config };
}
