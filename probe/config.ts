import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { LOG_LEVELS, type LogLevel } from '../kernel/logger.js';
import { readSettings, SettingError } from '../kernel/settings.js';
import { parseNodeArguments, readJoinToken } from '../node-link/command-line.js';
import type { JoinToken } from '../node-link/enrolment/join-token.js';

/** Everything a probe is told at its start. */
export interface ProbeConfig {
  /** Credential, assignments and spool live here. */
  dataDir: string;
  /** null: run with the credential that is already there. */
  join: JoinToken | null;
  allowPrivateTargets: boolean;
  logLevel: LogLevel;
  spoolBytesMax: number;
  /** Authorities trusted in checks beside those of the system, PEM; null for none. */
  extraCaPem: string | null;
  /** `ip` or `ip:port`; null for the system's. */
  dnsServers: string[] | null;
}

/** What the command line asks for. */
export type ProbeCommand = { kind: 'help' } | { kind: 'version' } | { kind: 'run'; config: ProbeConfig };

const SPOOL_BYTES_DEFAULT = 1024 ** 3;
const SPOOL_BYTES = { min: 1024 ** 2, max: 1024 ** 4 };

export const HELP = `picket-probe checks monitors from where it runs and reports to a Picket control plane.

  picket-probe --join TOKEN    join with a token made by an operator, then run
  picket-probe                 run with the credential of an earlier join

  --join TOKEN   join token (pjt_...); also PICKET_JOIN_TOKEN, which does not show in a process list
  --data DIR     credential, assignments, undelivered results; also PICKET_DATA_DIR, default ./picket-probe-data
  --version      print the version
  --help         print this

  PICKET_ALLOW_PRIVATE_TARGETS  1: checks may reach loopback, private and link-local addresses (default 0)
  PICKET_PROBE_SPOOL_BYTES      bound of the results kept on disk (default 1073741824)
  PICKET_PROBE_DNS_SERVERS      comma-separated ip[:port], in place of the system's resolvers
  PICKET_EXTRA_CA               PEM file of authorities that https checks trust beside the system's
  PICKET_LOG_LEVEL              ${LOG_LEVELS.join(', ')} (default info)
`;

/** Throws SettingError, whose message is one line that names the setting. */
export function readProbeCommand(args: readonly string[], env: Record<string, string | undefined>): ProbeCommand {
  const given = parseNodeArguments(args);
  if (given.help) return { kind: 'help' };
  if (given.version) return { kind: 'version' };
  const settings = readSettings(env);
  const config = {
    dataDir: resolve(given.data ?? settings.text('PICKET_DATA_DIR', './picket-probe-data')),
    join: readJoinToken(given.join, settings.optionalText('PICKET_JOIN_TOKEN')),
    allowPrivateTargets: settings.flag('PICKET_ALLOW_PRIVATE_TARGETS', false),
    logLevel: settings.oneOf<LogLevel>('PICKET_LOG_LEVEL', LOG_LEVELS, 'info'),
    spoolBytesMax: settings.integer('PICKET_PROBE_SPOOL_BYTES', SPOOL_BYTES_DEFAULT, SPOOL_BYTES),
    extraCaPem: readPem(settings.optionalText('PICKET_EXTRA_CA')),
    dnsServers: readServers(settings.optionalText('PICKET_PROBE_DNS_SERVERS')),
  };
  return { kind: 'run', config };
}

function readPem(path: string | null): string | null {
  if (path === null) return null;
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new SettingError(
      'PICKET_EXTRA_CA',
      `cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  if (!text.includes('-----BEGIN CERTIFICATE-----'))
    throw new SettingError('PICKET_EXTRA_CA', 'holds no PEM certificate');
  return text;
}

function readServers(list: string | null): string[] | null {
  if (list === null) return null;
  const servers = list.split(',').map((server) => server.trim());
  for (const server of servers) {
    const bare = server.replace(/^\[(.*)\](?::\d{1,5})?$/, '$1');
    const host = isIP(bare) === 0 ? bare.replace(/:\d{1,5}$/, '') : bare;
    if (isIP(host) === 0) throw new SettingError('PICKET_PROBE_DNS_SERVERS', `is not a list of ip[:port]: ${server}`);
  }
  return servers;
}
