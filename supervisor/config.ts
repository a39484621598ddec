import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { defaultPublicUrl, isLoopbackHost } from '../kernel/loopback.js';
import { readSettings, SettingError } from '../kernel/settings.js';

/** The settings that `scripts/start` itself needs. The processes read the others from their environment. */
export interface SupervisorConfig {
  httpPort: number;
  grpcPort: number;
  host: string;
  publicUrl: string;
  dataDir: string;
  /** Not validated here: the control plane does that, with its driver. null: run an embedded MongoDB. */
  mongodbUri: string | null;
  locations: string[];
  /** Whether to run an agent that monitors this machine as a server. */
  localAgent: boolean;
  /**
   * Defaults to true only while nobody else can reach Picket: with an open port, strangers could use its checks to
   * explore the network of this machine.
   */
  allowPrivateTargets: boolean;
  firstRunFile: string;
}

const PORT = { min: 1, max: 65_535 };
const LOCATION_CODE = /^[a-z0-9]{2,8}$/;

/** Returns the settings. Throws SettingError, whose message names the variable. */
export function readSupervisorConfig(env: Record<string, string | undefined>): SupervisorConfig {
  const settings = readSettings(env);
  const httpPort = settings.integer('PICKET_HTTP_PORT', 8080, PORT);
  const dataDir = resolve(settings.text('PICKET_DATA_DIR', './data'));
  const host = settings.text('PICKET_HOST', '127.0.0.1');
  return {
    httpPort,
    grpcPort: settings.integer('PICKET_GRPC_PORT', 8443, PORT),
    host,
    publicUrl: settings.url('PICKET_PUBLIC_URL', defaultPublicUrl(host, httpPort), ['http:', 'https:']),
    dataDir,
    mongodbUri: settings.optionalText('PICKET_MONGODB_URI'),
    locations: readLocations(env['PICKET_LOCATIONS']),
    localAgent: settings.flag('PICKET_LOCAL_AGENT', true),
    allowPrivateTargets: settings.flag('PICKET_ALLOW_PRIVATE_TARGETS', isLoopbackHost(host)),
    firstRunFile: settings.text('PICKET_FIRST_RUN', resolve(dataDir, 'first-run.json')),
  };
}

/** Returns the directory for downloaded programs, which all checkouts of this user share. */
export function cacheDirectory(env: Record<string, string | undefined>): string {
  return join(env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'picket');
}

/** Without the variable, returns the five default locations. If it is empty, returns none. */
function readLocations(value: string | undefined): string[] {
  if (value === undefined) return ['fra', 'nyc', 'sin', 'lon', 'sfo'];
  const codes = value
    .split(',')
    .map((code) => code.trim())
    .filter((code) => code !== '');
  const invalid = codes.find((code) => !LOCATION_CODE.test(code));
  if (invalid !== undefined) {
    throw new SettingError('PICKET_LOCATIONS', `contains an invalid location code: ${JSON.stringify(invalid)}`);
  }
  return [...new Set(codes)];
}
