import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { writeSyncedFile } from '../../kernel/synced-file.js';

export const REPLICA_SET = 'picket';
export const USER = 'picket';

/** The properties of the embedded database that stay the same across restarts. */
export interface MongodHome {
  dbPath: string;
  keyFile: string;
  password: string;
  port: number;
}

/** Creates missing directories (mode 0700) and secrets (mode 0600). Keeps the last port if it is free. */
export async function prepareMongodHome(dataDir: string): Promise<MongodHome> {
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
  const port = await freePort(lastPort);
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

async function freePort(preferred: number): Promise<number> {
  return (await tryToListen(preferred)) ?? (await tryToListen(0)) ?? Promise.reject(new Error('no free port'));
}

/** Returns the port if it is free; null otherwise. Port 0 lets the system choose one. */
async function tryToListen(port: number): Promise<number | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(null));
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : null));
    });
  });
}
