import { link, mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Db } from 'mongodb';
import type { Random } from '../../kernel/random.js';
import { SettingError } from '../../kernel/settings.js';
import { syncFolder, writeSyncedFile } from '../../kernel/synced-file.js';
import { createSecretBox, SECRET_KEY_BYTES, SealBroken } from './secret-box.js';
import { isDuplicateKey } from './transaction.js';

/** The setting that errors name. */
const DATA_DIR = 'PICKET_DATA_DIR';
const KEY_FOLDER = 'keys';
const KEY_FILE = 'secret.key';

/**
 * Returns the key that encrypts secrets in the database. It is in `<data dir>/keys/secret.key`, 64 hexadecimal
 * characters, mode 0600, and is created at the first start. Two processes that start at once on one directory get the
 * same key: the file is written under another name, synced, and linked, and the second link fails. Throws SettingError.
 */
export async function readOrCreateSecretKey(dataDir: string, random: Random): Promise<Buffer> {
  const folder = join(dataDir, KEY_FOLDER);
  const path = join(folder, KEY_FILE);
  const existing = await readKey(path);
  if (existing !== null) return existing;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const temporary = join(folder, `.${KEY_FILE}.${random.bytes(8).toString('hex')}`);
  try {
    await writeSyncedFile(temporary, `${random.bytes(SECRET_KEY_BYTES).toString('hex')}\n`);
    await link(temporary, path).catch((error: unknown) => {
      if (!hasCode(error, 'EEXIST')) throw error;
    });
  } finally {
    await rm(temporary, { force: true });
  }
  // The folder itself may be new as well.
  for (const each of [folder, dataDir]) await syncFolder(each);
  const key = await readKey(path);
  if (key === null) throw new SettingError(DATA_DIR, `failed: ${path} disappeared while it was created`);
  return key;
}

async function readKey(path: string): Promise<Buffer | null> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null;
    const { code } = Object(error) as { code?: unknown };
    throw new SettingError(DATA_DIR, `has a key that cannot be read: ${path}: ${String(code ?? error)}`);
  }
  if (!/^[0-9a-f]{64}\n?$/.test(text)) {
    // A new key would not do: everything that is sealed with the present one would be lost.
    const found = text === '' ? 'is empty' : `has ${text.trim().length} characters`;
    throw new SettingError(
      DATA_DIR,
      `has an invalid key: ${path} ${found}, but must contain 64 hexadecimal characters; restore it from a backup or from ` +
        'another control plane of this database',
    );
  }
  return Buffer.from(text.trim(), 'hex');
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

interface KeyCheckDocument {
  _id: 'secret_key_check';
  sealed: string;
}

const CHECK_TEXT = 'picket secret key';
const CHECK_SEAL = { purpose: 'key_check', id: 'secret_key_check' } as const;

/**
 * Compares the key with the database's check value, which the first control plane writes. A control plane with another
 * key must not start: it cannot read the stored secrets, and the others cannot read the ones that it writes.
 * Throws SettingError.
 */
export async function verifySecretKey(db: Db, key: Buffer, random: Random): Promise<void> {
  const box = createSecretBox(key, random);
  const settings = db.collection<KeyCheckDocument>('settings');
  const fresh: KeyCheckDocument = { _id: CHECK_SEAL.id, sealed: box.seal(CHECK_TEXT, CHECK_SEAL) };
  await settings.insertOne(fresh).catch((error: unknown) => {
    if (!isDuplicateKey(error)) throw error;
  });
  const stored = await settings.findOne({ _id: fresh._id });
  try {
    if (stored !== null && box.open(stored.sealed, CHECK_SEAL) === CHECK_TEXT) return;
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error;
  }
  throw new SettingError(
    DATA_DIR,
    `contains another key (${KEY_FOLDER}/${KEY_FILE}) than the one that encrypts the secrets in this database; ` +
      'copy that file from a control plane that uses the same database',
  );
}
