import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { type Network, readNetworks } from '../kernel/guard/networks.js';
import { LOG_LEVELS, type LogLevel } from '../kernel/logger.js';
import { readSettings, SettingError } from '../kernel/settings.js';
import { parseNodeArguments, readJoinToken } from '../node-link/command-line.js';
import type { JoinToken } from '../node-link/enrolment/join-token.js';

/** The settings of a probe. */
export interface ProbeConfig {
  /** Contains the credential, the assignments and the spool. */
  dataDir: string;
  /** null: run with the existing credential. */
  join: JoinToken | null;
  allowPrivateTargets: boolean;
  /** Networks that no check may connect to. */
  deniedTargets: readonly Network[];
  logLevel: LogLevel;
  spoolBytesMax: number;
  /** PEM of certificate authorities that checks trust in addition to those of the system; null for none. */
  extraCaPem: string | null;
  /** `ip` or `ip:port`; null for the name servers of the system. */
  dnsServers: string[] | null;
}

/** The command that the arguments request. */
export type ProbeCommand = { kind: 'help' } | { kind: 'version' } | { kind: 'run'; config: ProbeConfig };

const SPOOL_BYTES_DEFAULT = 1024 ** 3;
const SPOOL_BYTES = { min: 1024 ** 2, max: 1024 ** 4 };

export const HELP = `picket-probe checks monitors from its location and sends the results to a Picket control plane.

  picket-probe --join TOKEN    join with a token from an operator, then run
  picket-probe                 run with the credential of an earlier join

  --join TOKEN   join token (pjt_...); or set PICKET_JOIN_TOKEN, which process lists do not show
  --data DIR     directory for the credential, the assignments and undelivered results; or set PICKET_DATA_DIR
                 (default ./picket-probe-data)
  --version      print the version
  --help         print this help

  PICKET_ALLOW_PRIVATE_TARGETS  1: checks may connect to loopback, private and link-local addresses (default 0)
  PICKET_DENY_TARGETS           comma-separated addresses and networks that no check may connect to (default none)
  PICKET_PROBE_SPOOL_BYTES      size limit of undelivered results on disk, in bytes (default 1073741824)
  PICKET_PROBE_DNS_SERVERS      comma-separated ip[:port] of name servers (default: those of the system)
  PICKET_EXTRA_CA               PEM file of additional certificate authorities for https checks
  PICKET_LOG_LEVEL              ${LOG_LEVELS.join(', ')} (default info)
`;

/** Returns the command. Throws SettingError, whose message is one line that names the setting. */
export function readProbeCommand(args: readonly string[], env: Record<string, string | undefined>): ProbeCommand {
  const parsed = parseNodeArguments(args);
  if (parsed.help) return { kind: 'help' };
  if (parsed.version) return { kind: 'version' };
  const settings = readSettings(env);
  const config = {
    dataDir: resolve(parsed.data ?? settings.text('PICKET_DATA_DIR', './picket-probe-data')),
    join: readJoinToken(parsed.join, settings.optionalText('PICKET_JOIN_TOKEN')),
    allowPrivateTargets: settings.flag('PICKET_ALLOW_PRIVATE_TARGETS', false),
    deniedTargets: readNetworks('PICKET_DENY_TARGETS', settings.optionalText('PICKET_DENY_TARGETS')),
    logLevel: settings.oneOf<LogLevel>('PICKET_LOG_LEVEL', LOG_LEVELS, 'info'),
    spoolBytesMax: settings.integer('PICKET_PROBE_SPOOL_BYTES', SPOOL_BYTES_DEFAULT, SPOOL_BYTES),
    extraCaPem: readPem(settings.optionalText('PICKET_EXTRA_CA')),
    dnsServers: readDnsServers(settings.optionalText('PICKET_PROBE_DNS_SERVERS')),
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
    throw new SettingError('PICKET_EXTRA_CA', 'contains no PEM certificate');
  return text;
}

function readDnsServers(list: string | null): string[] | null {
  if (list === null) return null;
  const servers = list.split(',').map((server) => server.trim());
  for (const server of servers) {
    const unbracketed = server.replace(/^\[(.*)\](?::\d{1,5})?$/, '$1');
    const host = isIP(unbracketed) === 0 ? unbracketed.replace(/:\d{1,5}$/, '') : unbracketed;
    if (isIP(host) === 0) throw new SettingError('PICKET_PROBE_DNS_SERVERS', `is not a list of ip[:port]: ${server}`);
  }
  return servers;
}
