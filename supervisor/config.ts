import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { readSettings, SettingError } from '../kernel/settings.js';

/** What `scripts/start` needs to know; everything else is read by the processes themselves. */
export interface SupervisorConfig {
  httpPort: number;
  grpcPort: number;
  host: string;
  publicUrl: string;
  dataDir: string;
  /** null: run an embedded MongoDB. */
  mongodbUri: string | null;
  locations: string[];
  /** Whether an agent reports this machine as a server. */
  localAgent: boolean;
  firstRunFile: string;
}

const PORT = { min: 1, max: 65_535 };
const LOCATION_CODE = /^[a-z0-9]{2,8}$/;

/** Throws SettingError with the variable's name. */
export function readSupervisorConfig(env: Record<string, string | undefined>): SupervisorConfig {
  const settings = readSettings(env);
  const httpPort = settings.integer('PICKET_HTTP_PORT', 8080, PORT);
  const dataDir = resolve(settings.text('PICKET_DATA_DIR', './data'));
  return {
    httpPort,
    grpcPort: settings.integer('PICKET_GRPC_PORT', 8443, PORT),
    host: settings.text('PICKET_HOST', '127.0.0.1'),
    publicUrl: settings.url('PICKET_PUBLIC_URL', `http://127.0.0.1:${httpPort}`, ['http:', 'https:']),
    dataDir,
    mongodbUri: settings.optionalUrl('PICKET_MONGODB_URI', ['mongodb:', 'mongodb+srv:']),
    locations: locations(env['PICKET_LOCATIONS']),
    localAgent: settings.flag('PICKET_LOCAL_AGENT', true),
    firstRunFile: settings.text('PICKET_FIRST_RUN', resolve(dataDir, 'first-run.json')),
  };
}

/** Where programs of others are kept between starts, for all checkouts of this user. */
export function cacheDirectory(env: Record<string, string | undefined>): string {
  return join(env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'picket');
}

/** Not set: the five of the specification. Set but empty: none. */
function locations(value: string | undefined): string[] {
  if (value === undefined) return ['fra', 'nyc', 'sin', 'lon', 'sfo'];
  const codes = value
    .split(',')
    .map((code) => code.trim())
    .filter((code) => code !== '');
  const wrong = codes.find((code) => !LOCATION_CODE.test(code));
  if (wrong !== undefined)
    throw new SettingError('PICKET_LOCATIONS', `holds ${JSON.stringify(wrong)}, which is no location code`);
  return [...new Set(codes)];
}
