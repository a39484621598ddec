import { spawn } from 'node:child_process';
import { mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../kernel/clock.js';
import { systemRandom } from '../kernel/random.js';
import { cacheDirectory } from '../supervisor/config.js';
import { findMongod } from '../supervisor/mongod/binary.js';
import { mongodUri, prepareMongodHome } from '../supervisor/mongod/home.js';
import { spawnMongod } from '../supervisor/mongod/mongod.js';
import { whenPrimary } from '../supervisor/mongod/primary.js';

/** Room for the operation log, the journal and what the tests store. */
const MEMORY_BYTES_MIN = 4 * 1024 ** 3;

/**
 * Runs a command with PICKET_TEST_MONGODB_URI set to an empty, temporary replica set. Resolves to its exit code. With
 * `--in-memory`, its files are in memory if there is room: tests wait until the database has synced each write.
 */
async function main(words: string[]): Promise<number> {
  const inMemory = words[0] === '--in-memory';
  const [command, ...args] = inMemory ? words.slice(1) : words;
  if (command === undefined) throw new Error('usage: with-mongod.ts [--in-memory] COMMAND [ARGUMENT ...]');
  const cacheDir = cacheDirectory(process.env);
  const binary = await findMongod({ path: process.env['PATH'] ?? '', cacheDir, say: console.error });
  const dataDir = await mkdtemp(join(inMemory ? await memoryFolder() : tmpdir(), 'picket-test-mongod-'));
  const home = await prepareMongodHome(dataDir, systemRandom);
  const mongod = spawnMongod(binary, home);
  const gone = new Promise((resolve) => mongod.once('exit', resolve));
  try {
    await whenPrimary({ home, clock: systemClock, ended: () => mongod.exitCode !== null, say: console.error });
    const env = { ...process.env, PICKET_TEST_MONGODB_URI: mongodUri(home) };
    const child = spawn(command, args, { stdio: 'inherit', env });
    return await new Promise<number>((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
  } finally {
    mongod.kill('SIGTERM');
    await gone;
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function memoryFolder(): Promise<string> {
  const free = await statfs('/dev/shm').then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  );
  return free < MEMORY_BYTES_MIN ? tmpdir() : '/dev/shm';
}

process.exitCode = await main(process.argv.slice(2));
