import { randomUUID } from 'node:crypto';
import { chmod, lstat, mkdir, open, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** In each folder that Picket made. Other folders are never written to or removed. */
const MARKER = '.picket-status-page';
const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const PATH = /^(?:[a-z]+(?:\.[a-z]+){1,2}|components\/cmp_[0-9a-z]{26}\/badge\.svg)$/;
/** A web server of another user reads them, whatever the umask is. */
const FILE_MODE = 0o644;
const FOLDER_MODE = 0o755;

/** The folder of `PICKET_STATUS_EXPORT`, in which each page has a folder with the name of its slug. */
export interface ExportFolder {
  /** Replaces a file of a page as a whole: a reader gets the old one or the new one. Throws for a folder that Picket did not make. */
  write(slug: string, path: string, body: string): Promise<void>;
  /** Removes the files of a page that are not in `paths`, also what a crash has left. */
  keepOnly(slug: string, paths: ReadonlySet<string>): Promise<void>;
  /** Removes the folders of pages that Picket made and that are not in `slugs`. */
  keepPages(slugs: ReadonlySet<string>): Promise<void>;
}

export function createExportFolder(root: string): ExportFolder {
  /** Returns the folder of a page. Slugs are checked here as well: no path leaves the folder. */
  function folderOf(slug: string): string {
    if (!SLUG.test(slug)) throw new Error(`not the slug of a status page: ${JSON.stringify(slug)}`);
    return join(root, slug);
  }

  async function ensureFolder(slug: string): Promise<string> {
    const folder = folderOf(slug);
    const created = await mkdir(root, { recursive: true });
    if (created !== undefined) await chmod(root, FOLDER_MODE);
    await ensureDirectory(folder);
    if (await isOwn(folder)) return folder;
    if ((await readdir(folder)).length > 0) {
      throw new Error(`${folder} has files that Picket did not write, so the status page is not exported there`);
    }
    await writeFile(join(folder, MARKER), '', { flag: 'wx', mode: FILE_MODE });
    return folder;
  }

  return {
    async write(slug, path, body) {
      if (!PATH.test(path)) throw new Error(`not a file of a status page: ${JSON.stringify(path)}`);
      const folder = await ensureFolder(slug);
      const parent = dirname(path);
      if (parent !== '.') {
        await ensureDirectory(join(folder, dirname(parent)));
        await ensureDirectory(join(folder, parent));
      }
      await replace(join(folder, path), body);
    },
    async keepOnly(slug, paths) {
      const folder = folderOf(slug);
      if (!(await isOwn(folder))) return;
      for (const path of await filesIn(folder)) {
        if (path !== MARKER && !paths.has(path)) await rm(join(folder, path), { force: true });
      }
    },
    async keepPages(slugs) {
      const entries = await readdir(root, { withFileTypes: true }).catch(absentIsEmpty);
      for (const entry of entries) {
        if (!entry.isDirectory() || slugs.has(entry.name) || !(await isOwn(join(root, entry.name)))) continue;
        await rm(join(root, entry.name), { recursive: true, force: true });
      }
    },
  };
}

/** Writes beside the file and renames, after the content is on the disk. */
async function replace(path: string, body: string): Promise<void> {
  const written = join(dirname(path), `.${randomUUID()}.tmp`);
  try {
    const file = await open(written, 'wx', FILE_MODE);
    try {
      await file.writeFile(body);
      await file.chmod(FILE_MODE);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(written, path);
  } catch (error) {
    await rm(written, { force: true });
    throw error;
  }
}

/** A symbolic link is refused: it could lead anywhere. */
async function ensureDirectory(folder: string): Promise<void> {
  const created = await mkdir(folder, { recursive: true });
  if (created !== undefined) await chmod(folder, FOLDER_MODE);
  if (!(await lstat(folder)).isDirectory()) throw new Error(`${folder} is not a directory`);
}

async function isOwn(folder: string): Promise<boolean> {
  const marker = await lstat(join(folder, MARKER)).catch(() => null);
  return marker?.isFile() === true && (await lstat(folder)).isDirectory();
}

/** Returns the paths of all files below the folder, relative to it. */
async function filesIn(folder: string, below = ''): Promise<string[]> {
  const entries = await readdir(join(folder, below), { withFileTypes: true });
  const paths = await Promise.all(
    entries.map((entry) => {
      const path = below === '' ? entry.name : `${below}/${entry.name}`;
      return entry.isDirectory() ? filesIn(folder, path) : [path];
    }),
  );
  return paths.flat();
}

function absentIsEmpty(error: NodeJS.ErrnoException): [] {
  if (error.code === 'ENOENT') return [];
  throw error;
}
