import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, open, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { MongoClient, MongoServerError } from 'mongodb';
import type { Clock } from '../kernel/clock.js';

const REPLICA_SET = 'picket';
const USER = 'picket';
const CACHE_GIB = 0.5;
/**
 * A monitor's document is written anew with each result, so what is dirty is mostly overwritten before it is old.
 * MongoDB's own thresholds (5 % of the cache) and its five minutes of snapshots that we never read made eviction and
 * the history store a third of its time at 10,000 monitors (docs/decisions/0007).
 */
const ENGINE =
  'eviction_dirty_target=40,eviction_dirty_trigger=60,eviction_updates_target=30,eviction_updates_trigger=50';
const START_TIMEOUT_MS = 60_000;
const POLL_MS = 100;
/** MongoDB error codes. */
const ALREADY_INITIALIZED = 23;
const UNAUTHORIZED = 13;
const USER_EXISTS = 51_003;

/** What must stay the same over restarts: where the data are and how to log in. */
export interface MongodHome {
  dbPath: string;
  keyFile: string;
  password: string;
  port: number;
}

/** Creates what is missing: folders and secrets, mode 0700 and 0600. The port is the last one used, if it is free. */
export async function prepareMongodHome(dataDir: string): Promise<MongodHome> {
  const dbPath = join(dataDir, 'mongodb');
  const keys = join(dataDir, 'keys');
  await mkdir(dbPath, { recursive: true, mode: 0o700 });
  await mkdir(keys, { recursive: true, mode: 0o700 });
  const keyFile = join(keys, 'mongod.keyfile');
  if (!existsSync(keyFile)) await writeSecret(keyFile, randomBytes(96).toString('base64'));
  const passwordFile = passwordFileOf(dataDir);
  if (!existsSync(passwordFile)) await writeSecret(passwordFile, randomBytes(24).toString('base64url'));
  const portFile = portFileOf(dataDir);
  const last = existsSync(portFile) ? Number(await readFile(portFile, 'utf8')) : 0;
  const port = await freePort(last);
  await writeFile(portFile, String(port));
  return { dbPath, keyFile, password: await readFile(passwordFile, 'utf8'), port };
}

const passwordFileOf = (dataDir: string) => join(dataDir, 'keys', 'mongod.password');
const portFileOf = (dataDir: string) => join(dataDir, 'mongodb.port');

/** Where the embedded database of a data directory listens, or did last; null when there never was one. */
export async function lastMongodUri(dataDir: string): Promise<string | null> {
  const [passwordFile, portFile] = [passwordFileOf(dataDir), portFileOf(dataDir)];
  if (!existsSync(passwordFile) || !existsSync(portFile)) return null;
  return mongodUri({
    password: await readFile(passwordFile, 'utf8'),
    port: Number(await readFile(portFile, 'utf8')),
  });
}

/**
 * Starts mongod on loopback with a password of its own, so that other users of this machine cannot read it. It is
 * not ready yet: see `whenPrimary`.
 */
export function spawnMongod(binary: string, home: MongodHome): ChildProcess {
  const args = [
    ...['--dbpath', home.dbPath, '--port', String(home.port), '--bind_ip', '127.0.0.1'],
    ...['--replSet', REPLICA_SET, '--keyFile', home.keyFile, '--noscripting'],
    ...['--wiredTigerCacheSizeGB', String(CACHE_GIB), '--logpath', logFile(home), '--logappend', '--quiet'],
    ...['--setParameter', 'diagnosticDataCollectionEnabled=false'],
    ...['--setParameter', 'minSnapshotHistoryWindowInSeconds=0', '--wiredTigerEngineConfigString', ENGINE],
  ];
  // A kill of the supervisor must not leave a mongod behind, so the kernel is asked to end it with its parent.
  const tie = '/usr/bin/setpriv';
  const [command, full] = existsSync(tie) ? [tie, ['--pdeathsig', 'TERM', '--', binary, ...args]] : [binary, args];
  // A group of its own: Ctrl-C in the terminal must not stop the database under the processes that still need it.
  return spawn(command, full, { stdio: 'ignore', detached: true });
}

/** Resolves once the server is the primary with our user. Throws with the end of its log when it does not come up. */
export async function whenPrimary(options: { home: MongodHome; clock: Clock; ended: () => boolean }): Promise<void> {
  const deadline = options.clock.monotonic() + START_TIMEOUT_MS;
  for (;;) {
    if (await becomePrimary(options.home)) return;
    if (options.ended()) throw new Error(`mongod ended at start.\n${await tail(logFile(options.home))}`);
    if (options.clock.monotonic() > deadline) {
      throw new Error(`mongod was not ready within ${START_TIMEOUT_MS} ms.\n${await tail(logFile(options.home))}`);
    }
    await options.clock.sleep(POLL_MS);
  }
}

function logFile(home: MongodHome): string {
  return join(home.dbPath, 'mongod.log');
}

export function mongodUri(home: Pick<MongodHome, 'password' | 'port'>): string {
  return `mongodb://${USER}:${home.password}@127.0.0.1:${home.port}/picket?authSource=admin&replicaSet=${REPLICA_SET}`;
}

/** One step towards a primary with our user; true once there. Every step may be repeated. */
async function becomePrimary(home: MongodHome): Promise<boolean> {
  const base = `127.0.0.1:${home.port}`;
  const direct = { directConnection: true, serverSelectionTimeoutMS: 1_000 };
  const host = { _id: 0, host: base };
  try {
    return await withClient(`mongodb://${USER}:${home.password}@${base}/?authSource=admin`, direct, async (client) => {
      const admin = client.db('admin');
      if ((await admin.command({ hello: 1 }))['isWritablePrimary'] === true) return true;
      // The port differs from the one in the set's own settings: this member no longer recognises itself.
      const config = await client.db('local').collection('system.replset').findOne();
      if (config !== null && config['members'][0].host !== base) {
        const next = { ...config, members: [host], version: config['version'] + 1 };
        await admin.command({ replSetReconfig: next, force: true });
      }
      return false;
    });
  } catch {
    // Not listening yet, or the first start: no user. The next lines do the first start; else we are called again.
  }
  try {
    return await withClient(`mongodb://${base}/`, direct, async (client) => {
      const admin = client.db('admin');
      await admin
        .command({ replSetInitiate: { _id: REPLICA_SET, members: [host] } })
        .catch(ignoring(ALREADY_INITIALIZED, UNAUTHORIZED));
      await admin
        .command({ createUser: USER, pwd: home.password, roles: ['root'] })
        .catch(ignoring(USER_EXISTS, UNAUTHORIZED));
      return false;
    });
  } catch {
    return false; // Not listening or not primary yet; asked again until the deadline.
  }
}

async function withClient<T>(uri: string, options: object, use: (client: MongoClient) => Promise<T>): Promise<T> {
  const client = new MongoClient(uri, options);
  try {
    await client.connect();
    return await use(client);
  } finally {
    await client.close();
  }
}

function ignoring(...codes: number[]) {
  return (error: unknown) => {
    if (error instanceof MongoServerError && codes.includes(Number(error.code))) return;
    throw error;
  };
}

async function writeSecret(file: string, text: string): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  await handle.writeFile(text);
  await handle.sync();
  await handle.close();
}

async function freePort(preferred: number): Promise<number> {
  return (await listens(preferred)) ?? (await listens(0)) ?? Promise.reject(new Error('no free port'));
}

async function listens(port: number): Promise<number | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(null));
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : null));
    });
  });
}

async function tail(log: string): Promise<string> {
  const text = await readFile(log, 'utf8').catch(() => '');
  return text.trim().split('\n').slice(-5).join('\n');
}
