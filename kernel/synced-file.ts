import { open } from 'node:fs/promises';

const OWNER_ONLY = 0o600;

/** Creates a file that only its owner can read, and resolves once it is on disk. Throws `EEXIST` when there is one. */
export async function writeSyncedFile(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', OWNER_ONLY);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** A new or renamed file survives a power failure only once its folder is synced. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
