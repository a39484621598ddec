import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Document, MongoClient } from 'mongodb';
import { cacheDirectory } from '../../../supervisor/config.js';
import { findMongod } from '../../../supervisor/mongod/binary.js';
import { waitFor } from '../wait.js';
import { freePort } from './ports.js';

/** A real replica set on loopback, without authentication. */
export interface ReplicaSet {
  /** Every member in one connection string, as operators write it. */
  uri(database: string): string;
  /** Runs a command on one member. */
  command(member: number, command: Document): Promise<Document>;
  /** Resolves to the index of the primary, once there is one: a member that was frozen believes for a moment that it still is. */
  primary(): Promise<number>;
  signal(member: number, signal: NodeJS.Signals): void;
  /** Kills a member with SIGKILL and waits until its process has gone. */
  kill(member: number): Promise<void>;
  /** Starts a killed member with its data and waits until every member is the primary or a secondary. */
  restart(member: number): Promise<void>;
  /** Kills every member and removes their files. */
  remove(): Promise<void>;
}

const NAME = 'rs';
const READY_MS_MAX = 120_000;
/** The default of 10 s would make each test of a failover wait for it. */
const ELECTION_TIMEOUT_MS = 3_000;
/** https://www.mongodb.com/docs/manual/reference/replica-states/ */
const [PRIMARY, SECONDARY] = [1, 2];

/** Starts `size` members and waits for a primary. Fail points of MongoDB are enabled. */
export async function startReplicaSet(size: number): Promise<ReplicaSet> {
  const binary = await findMongod({
    path: process.env['PATH'] ?? '',
    cacheDir: cacheDirectory(process.env),
    say: () => {},
  });
  const folder = await mkdtemp(join(tmpdir(), 'picket-replica-set-'));
  const members: { port: number; process: ChildProcess }[] = [];
  for (let index = 0; index < size; index++) {
    const port = await freePort();
    members.push({ port, process: await spawnMember(binary, join(folder, String(index)), port) });
  }
  const hosts = members.map(({ port }) => `127.0.0.1:${port}`);

  async function command(member: number, words: Document): Promise<Document> {
    const uri = `mongodb://${hosts[member]}/?directConnection=true`;
    const client = new MongoClient(uri, { serverSelectionTimeoutMS: 1_000 });
    try {
      return await client.db('admin').command(words);
    } finally {
      await client.close();
    }
  }

  async function primary(): Promise<number> {
    return waitFor('a primary', READY_MS_MAX, async () => {
      const answers = await Promise.all(hosts.map((_, member) => command(member, { hello: 1 }).catch(() => null)));
      const found = answers.flatMap((answer, member) => (answer?.['isWritablePrimary'] === true ? [member] : []));
      const [member] = found;
      // A number that is true also for the first member.
      return member === undefined || found.length > 1 ? null : { member };
    }).then(({ member }) => member);
  }

  async function kill(member: number): Promise<void> {
    const child = members[member]?.process;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await gone;
  }

  async function isComplete(): Promise<boolean> {
    const status = await command(await primary(), { replSetGetStatus: 1 });
    const states: number[] = status['members'].map(({ state }: { state: number }) => state);
    return states.every((state) => state === PRIMARY || state === SECONDARY);
  }

  const set: ReplicaSet = {
    uri: (database) => `mongodb://${hosts.join(',')}/${database}?replicaSet=${NAME}`,
    command,
    primary,
    signal: (member, signal) => void members[member]?.process.kill(signal),
    kill,
    async restart(member) {
      const one = members[member];
      if (one === undefined) throw new Error(`there is no member ${member}`);
      one.process = await spawnMember(binary, join(folder, String(member)), one.port);
      await waitFor('every member to replicate', READY_MS_MAX, isComplete);
    },
    async remove() {
      await Promise.all(members.map((_, member) => kill(member)));
      await rm(folder, { recursive: true, force: true });
    },
  };
  try {
    await waitFor('the members to listen', READY_MS_MAX, () =>
      Promise.all(hosts.map((_, at) => command(at, { ping: 1 }))),
    );
    await command(0, {
      replSetInitiate: {
        _id: NAME,
        members: hosts.map((host, _id) => ({ _id, host })),
        settings: { electionTimeoutMillis: ELECTION_TIMEOUT_MS },
      },
    });
    await primary();
  } catch (error) {
    await set.remove();
    throw error;
  }
  return set;
}

async function spawnMember(binary: string, dbPath: string, port: number): Promise<ChildProcess> {
  await mkdir(dbPath, { recursive: true });
  const args = [
    ...['--dbpath', dbPath, '--port', String(port), '--bind_ip', '127.0.0.1', '--replSet', NAME],
    ...['--wiredTigerCacheSizeGB', '0.25', '--oplogSize', '128', '--logpath', join(dbPath, 'mongod.log'), '--quiet'],
    ...['--setParameter', 'diagnosticDataCollectionEnabled=false', '--setParameter', 'enableTestCommands=1'],
  ];
  return spawn(binary, args, { stdio: 'ignore' });
}
