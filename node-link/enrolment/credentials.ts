import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The identity of this node, and how it connects to and authenticates its control plane. */
export interface NodeCredentials {
  nodeId: string;
  location: string;
  credential: string;
  /** The credential before the last rotation, kept until the new one was accepted once; null otherwise. */
  previous: string | null;
  /** The pinned certificate authority, PEM. The node trusts no other. */
  authorityPem: string;
  addresses: string[];
  issuedAtMs: number;
}

/** The credential file of a node. Only its owner may read it. */
export interface CredentialFile {
  /** Returns null without a file. Throws when the file cannot be read. */
  load(): NodeCredentials | null;
  /** Replaces the file atomically: a kill at any time leaves the complete old or new file. */
  save(credentials: NodeCredentials): void;
}

const FILE_VERSION = 1;

export function createCredentialFile(directory: string): CredentialFile {
  const path = join(directory, 'credential.json');
  return {
    load() {
      const text = readIfThere(path);
      return text === null ? null : parse(text, path);
    },
    save(credentials) {
      mkdirSync(directory, { recursive: true, mode: 0o700 });
      const temporary = `${path}.tmp`;
      const fd = openSync(temporary, 'w', 0o600);
      try {
        writeSync(fd, JSON.stringify({ version: FILE_VERSION, ...credentials }, null, 2));
        fsyncSync(fd);
      } finally {
        closeSync(fd);
      }
      renameSync(temporary, path);
      syncDirectory(dirname(path));
    },
  };
}

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

/** Without this, a power failure could undo the rename. */
function syncDirectory(directory: string): void {
  const fd = openSync(directory, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

function parse(text: string, path: string): NodeCredentials {
  const unreadable = new Error(`${path} is not a valid credential file; remove it and join again`);
  let fields: Record<string, unknown>;
  try {
    fields = { ...JSON.parse(text) };
  } catch {
    throw unreadable;
  }
  const { nodeId, location, credential, previous, authorityPem, addresses, issuedAtMs } = fields;
  if (fields['version'] !== FILE_VERSION) throw unreadable;
  if (typeof nodeId !== 'string' || typeof location !== 'string' || typeof credential !== 'string') throw unreadable;
  if (typeof authorityPem !== 'string' || typeof issuedAtMs !== 'number' || !isStrings(addresses)) throw unreadable;
  const kept = typeof previous === 'string' ? previous : null;
  return { nodeId, location, credential, previous: kept, authorityPem, addresses, issuedAtMs };
}

function isStrings(value: unknown): value is string[] {
  return Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'string');
}
