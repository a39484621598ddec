import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';

export interface CompressedCopy {
  encoding: 'br' | 'gzip';
  body: Buffer;
}

/** A file of the built dashboard, in memory. */
export interface DashboardFile {
  type: string;
  body: Buffer;
  /** Compressed copies, best first; none of what does not get smaller. Nothing is compressed for a request. */
  copies: readonly CompressedCopy[];
  /** Weak, because the compressed and the plain body share it. */
  etag: string;
}

/** The built dashboard. */
export interface DashboardFiles {
  /** The page of the application, for people who are logged in. */
  app: DashboardFile;
  /** The page of people who are not logged in. It loads nothing of the application. */
  entrance: DashboardFile;
  /** Scripts, styles and pictures by their name, which has a hash of the content. */
  assets: ReadonlyMap<string, DashboardFile>;
}

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

/** The copies that the build makes, best first. */
const COPIES = [
  { encoding: 'br', ending: '.br' },
  { encoding: 'gzip', ending: '.gz' },
] as const;

/**
 * Reads the folder that `scripts/build` writes. Only the names that are in it can be requested, so no path of a request
 * ever reaches the file system. Resolves to null without the folder: the API works without the dashboard.
 */
export async function readDashboard(folder: string): Promise<DashboardFiles | null> {
  const names = await readdir(join(folder, 'assets')).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (names === null) return null;
  const plain = names.filter((name) => !COPIES.some(({ ending }) => name.endsWith(ending)));
  const assets = plain.map(async (name) => [name, await readOne(join(folder, 'assets', name))] as const);
  return {
    app: await readOne(join(folder, 'app.html')),
    entrance: await readOne(join(folder, 'entrance.html')),
    assets: new Map(await Promise.all(assets)),
  };
}

async function readOne(path: string): Promise<DashboardFile> {
  const body = await readFile(path);
  const copies = COPIES.map(async ({ encoding, ending }) => {
    const copy = await readFile(path + ending).catch(() => null);
    return copy === null ? [] : [{ encoding, body: copy }];
  });
  return fileOf(path, body, (await Promise.all(copies)).flat());
}

/** Returns a file with its media type and its ETag. */
export function fileOf(name: string, body: Buffer, copies: readonly CompressedCopy[]): DashboardFile {
  const etag = `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  return { type: TYPES[extname(name)] ?? 'application/octet-stream', body, copies, etag };
}
