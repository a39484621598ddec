import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Random } from '../../kernel/random.js';
import { writeSyncedFile } from '../../kernel/synced-file.js';
import { chooseMongodPort, ephemeralPorts } from './port.js';

export const REPLICA_SET = 'picket';
export const USER = 'picket';

/** The properties of the embedded database that stay the same across restarts. */
export interface MongodHome {
  dbPath: string;
  keyFile: string;
  password: string;
  port: number;
}

/** Creates missing directories (mode 0700) and secrets (mode 0600), and chooses the port of this start. */
export async function prepareMongodHome(dataDir: string, random: Random): Promise<MongodHome> {
  const dbPath = join(dataDir, 'mongodb');
  const keys = join(dataDir, 'keys');
  await mkdir(dbPath, { recursive: true, mode: 0o700 });
  await mkdir(keys, { recursive: true, mode: 0o700 });
  const keyFile = join(keys, 'mongod.keyfile');
  if (!existsSync(keyFile)) await writeSyncedFile(keyFile, randomBytes(96).toString('base64'));
  const passwordFile = passwordFileOf(dataDir);
  if (!existsSync(passwordFile)) await writeSyncedFile(passwordFile, randomBytes(24).toString('base64url'));
  const portFile = portFileOf(dataDir);
  const lastPort = existsSync(portFile) ? Number(await readFile(portFile, 'utf8')) : 0;
  const port = await chooseMongodPort(lastPort, await ephemeralPorts(), random);
  await writeFile(portFile, String(port));
  return { dbPath, keyFile, password: await readFile(passwordFile, 'utf8'), port };
}

/** Returns the URI of the embedded database of a data directory, running or not; null if there never was one. */
export async function lastMongodUri(dataDir: string): Promise<string | null> {
  const [passwordFile, portFile] = [passwordFileOf(dataDir), portFileOf(dataDir)];
  if (!existsSync(passwordFile) || !existsSync(portFile)) return null;
  return mongodUri({
    password: await readFile(passwordFile, 'utf8'),
    port: Number(await readFile(portFile, 'utf8')),
  });
}

export function mongodUri(home: Pick<MongodHome, 'password' | 'port'>): string {
  return `mongodb://${USER}:${home.password}@127.0.0.1:${home.port}/picket?authSource=admin&replicaSet=${REPLICA_SET}`;
}

const passwordFileOf = (dataDir: string) => join(dataDir, 'keys', 'mongod.password');
const portFileOf = (dataDir: string) => join(dataDir, 'mongodb.port');
