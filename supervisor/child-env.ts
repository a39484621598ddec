import type { SupervisorConfig } from './config.js';

export type Env = Record<string, string | undefined>;

/** What any program needs to know of the machine that it runs on. */
const MACHINE = [
  ...['PATH', 'HOME', 'USER', 'LOGNAME', 'LANG', 'LC_ALL', 'LC_CTYPE', 'TZ', 'TMPDIR', 'LD_LIBRARY_PATH'],
  ...['TERM', 'NO_COLOR', 'FORCE_COLOR', 'SSL_CERT_FILE', 'SSL_CERT_DIR'],
  ...['NODE_ENV', 'NODE_OPTIONS', 'NODE_EXTRA_CA_CERTS', 'NODE_V8_COVERAGE', 'UV_THREADPOOL_SIZE'],
];

/** The settings of `probe/config.ts` that the supervisor passes on unchanged. */
const PROBE = [
  'PICKET_DENY_TARGETS',
  'PICKET_PROBE_SPOOL_BYTES',
  'PICKET_PROBE_DNS_SERVERS',
  'PICKET_EXTRA_CA',
  'PICKET_LOG_LEVEL',
];

/** The same of `server-agent/config.ts`. */
const AGENT = ['PICKET_AGENT_INTERVAL_SECONDS', 'PICKET_AGENT_SPOOL_BYTES', 'PICKET_LOG_LEVEL'];

/** Returns the environment of the embedded database. */
export function mongodEnv(env: Env): Env {
  return pick(env, MACHINE);
}

/** Returns the environment of the control plane and its command line, which have every setting. */
export function controlPlaneEnv(env: Env, config: SupervisorConfig, mongodbUri: string): Env {
  return {
    ...env,
    ...privateTargets(config),
    PICKET_MONGODB_URI: mongodbUri,
    PICKET_DATA_DIR: config.dataDir,
  };
}

/**
 * Returns the environment of a probe. It is a list of what a probe may know: a probe runs checks that customers
 * configure, so it must not know the database, mail passwords or any other secret. `token` is for its first start.
 */
export function probeEnv(env: Env, config: SupervisorConfig, dataDir: string, token: string | null): Env {
  return { ...pick(env, [...MACHINE, ...PROBE]), ...privateTargets(config), ...own(dataDir, token) };
}

/** Returns the environment of the agent of this machine, also a list of what it may know. */
export function agentEnv(env: Env, dataDir: string, token: string | null): Env {
  return { ...pick(env, [...MACHINE, ...AGENT]), ...own(dataDir, token) };
}

function privateTargets({ allowPrivateTargets }: SupervisorConfig): Env {
  return { PICKET_ALLOW_PRIVATE_TARGETS: allowPrivateTargets ? '1' : '0' };
}

function own(dataDir: string, token: string | null): Env {
  return { PICKET_DATA_DIR: dataDir, ...(token === null ? {} : { PICKET_JOIN_TOKEN: token }) };
}

function pick(env: Env, names: readonly string[]): Env {
  return Object.fromEntries(names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])));
}
