import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../kernel/clock.js';
import { cacheDirectory } from '../supervisor/config.js';
import { mongodUri, prepareMongodHome, spawnMongod, whenPrimary } from '../supervisor/mongod.js';
import { findMongod } from '../supervisor/mongod-binary.js';

/** Runs a command with a real, empty replica set named by PICKET_TEST_MONGODB_URI, and removes it afterwards. */
async function main([command, ...args]: string[]): Promise<number> {
  if (command === undefined) throw new Error('usage: with-mongod.ts COMMAND [ARGUMENT ...]');
  const cacheDir = cacheDirectory(process.env);
  const binary = await findMongod({ path: process.env['PATH'] ?? '', cacheDir, say: console.error });
  const dataDir = await mkdtemp(join(tmpdir(), 'picket-test-mongod-'));
  const home = await prepareMongodHome(dataDir);
  const mongod = spawnMongod(binary, home);
  const gone = new Promise((resolve) => mongod.once('exit', resolve));
  try {
    await whenPrimary({ home, clock: systemClock, ended: () => mongod.exitCode !== null });
    const env = { ...process.env, PICKET_TEST_MONGODB_URI: mongodUri(home) };
    const child = spawn(command, args, { stdio: 'inherit', env });
    return await new Promise<number>((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
  } finally {
    mongod.kill('SIGTERM');
    await gone;
    await rm(dataDir, { recursive: true, force: true });
  }
}

process.exitCode = await main(process.argv.slice(2));
