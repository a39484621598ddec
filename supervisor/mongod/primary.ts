import { readFile } from 'node:fs/promises';
import { MongoClient, MongoServerError } from 'mongodb';
import type { Clock } from '../../kernel/clock.js';
import { type MongodHome, REPLICA_SET, USER } from './home.js';
import { logFile } from './mongod.js';

/** After a loss of power, a large database replays its journal for minutes. To end it then would begin that anew. */
const START_TIMEOUT_MS = 30 * 60_000;
/** How often a message says that the start goes on. */
const SAY_MS = 30_000;
const POLL_MS = 100;
/** MongoDB error codes. */
const ALREADY_INITIALIZED = 23;
const UNAUTHORIZED = 13;
const USER_EXISTS = 51_003;

/** Resolves when the server is the primary and has our user. Throws with the end of its log if it fails to start. */
export async function whenPrimary(needs: {
  home: MongodHome;
  clock: Pick<Clock, 'monotonic' | 'sleep'>;
  ended: () => boolean;
  say: (line: string) => void;
}): Promise<void> {
  const startedMs = needs.clock.monotonic();
  let saidMs = startedMs;
  for (;;) {
    if (await becomePrimary(needs.home)) return;
    if (needs.ended()) throw new Error(`mongod exited at start.\n${await tail(logFile(needs.home))}`);
    const nowMs = needs.clock.monotonic();
    if (nowMs - startedMs > START_TIMEOUT_MS) {
      throw new Error(
        `mongod was not ready within ${START_TIMEOUT_MS / 60_000} minutes.\n${await tail(logFile(needs.home))}`,
      );
    }
    if (nowMs - saidMs >= SAY_MS) {
      saidMs = nowMs;
      needs.say(`mongod is still starting, perhaps it repairs its files: see ${logFile(needs.home)}`);
    }
    await needs.clock.sleep(POLL_MS);
  }
}

/** Takes one step towards a primary with our user. Returns whether it is there. Every step is idempotent. */
async function becomePrimary(home: MongodHome): Promise<boolean> {
  const host = `127.0.0.1:${home.port}`;
  const options = { directConnection: true, serverSelectionTimeoutMS: 1_000 };
  try {
    const uri = `mongodb://${USER}:${home.password}@${host}/?authSource=admin`;
    return await withClient(uri, options, (client) => checkPrimary(client, host));
  } catch {
    // Not listening yet, or the first start, at which there is no user: the next step creates it.
  }
  try {
    await withClient(`mongodb://${host}/`, options, (client) => initiate(client, host, home.password));
  } catch {
    // Not listening yet, or not the primary yet: the caller retries until its deadline.
  }
  return false;
}

/** Returns whether the server is the primary. If the port has changed, updates the replica set first. */
async function checkPrimary(client: MongoClient, host: string): Promise<boolean> {
  const admin = client.db('admin');
  if ((await admin.command({ hello: 1 }))['isWritablePrimary'] === true) return true;
  // If the replica set has another port stored, the server does not recognise itself as its member.
  const config = await client.db('local').collection('system.replset').findOne();
  if (config !== null && config['members'][0].host !== host) {
    const next = { ...config, members: [{ _id: 0, host }], version: config['version'] + 1 };
    await admin.command({ replSetReconfig: next, force: true });
  }
  return false;
}

async function initiate(client: MongoClient, host: string, password: string): Promise<void> {
  const admin = client.db('admin');
  await admin
    .command({ replSetInitiate: { _id: REPLICA_SET, members: [{ _id: 0, host }] } })
    .catch(ignoring(ALREADY_INITIALIZED, UNAUTHORIZED));
  await admin.command({ createUser: USER, pwd: password, roles: ['root'] }).catch(ignoring(USER_EXISTS, UNAUTHORIZED));
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

async function tail(log: string): Promise<string> {
  const text = await readFile(log, 'utf8').catch(() => '');
  return text.trim().split('\n').slice(-5).join('\n');
}
