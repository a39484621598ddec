import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { open, rename, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { Logger } from '../../kernel/logger.js';
import type { AssignmentsCodec } from '../../proto/load.js';
import type { Assignment } from '../schedule.js';

/** What a probe has to know to go on without its control plane. */
export interface LastKnown {
  assignments: Assignment[];
  /** How far the control plane's clock was ahead of this machine's. Slots stand on the control plane's. */
  clockAheadMs: number;
}

/**
 * The assignments on disk. They hold what monitors hold, secrets in headers, bodies and URLs among it, so only the
 * owner may read the file.
 */
export interface AssignmentsFile {
  /** null when there is none, or none that can be used; the latter is logged. Takes 0.2 s for 10,000 monitors. */
  load(): LastKnown | null;
  /**
   * Replaces the file and waits for the disk: a kill or a power cut at any moment leaves the old one or the new one,
   * whole. Rejects with what the file system throws, and with a RangeError for a set that is too large to be kept.
   */
  save(known: LastKnown): Promise<void>;
}

const FILE_VERSION = 1;
/** 10,000 monitors take 2 to 6 MB; a set with many large bodies that goes beyond this is not kept. */
export const ASSIGNMENTS_FILE_BYTES_MAX = 64 * 1024 * 1024;
const CHECKSUM_BYTES = 4;
const LINE_END = 0x0a;

/** `nodeId`: what another node left in the directory is not this one's to check. */
export function createAssignmentsFile(options: {
  directory: string;
  nodeId: string;
  codec: AssignmentsCodec;
  logger: Logger;
}): AssignmentsFile {
  const { nodeId, codec, logger } = options;
  const path = join(options.directory, 'assignments.bin');
  const temporary = `${path}.tmp`;

  return {
    load() {
      try {
        const bytes = readIfThere(path);
        return bytes === null ? null : decode(bytes, nodeId, codec);
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        logger.warn({ path, reason }, 'the assignments kept on disk cannot be used');
        return null;
      }
    },
    async save(known) {
      const bytes = encode(known, nodeId, codec);
      if (bytes.length > ASSIGNMENTS_FILE_BYTES_MAX) throw new RangeError(`${bytes.length} bytes are too many to keep`);
      try {
        const file = await open(temporary, 'w', 0o600);
        try {
          await file.writeFile(bytes);
          await file.datasync();
        } finally {
          await file.close();
        }
        await rename(temporary, path);
      } catch (error) {
        // On a full disk half a file would take the room that results need. Whether it can go or not, the cause counts.
        await unlink(temporary).catch(() => {});
        throw error;
      }
      await syncDirectory(options.directory);
    },
  };
}

/** One line of JSON that says what it is, the assignments as on the wire, and a CRC-32 of both. */
function encode({ assignments, clockAheadMs }: LastKnown, nodeId: string, codec: AssignmentsCodec): Buffer {
  const head = { version: FILE_VERSION, node: nodeId, clock_ahead_ms: Math.round(clockAheadMs) };
  const set = codec.encode({ revision: 0, snapshot: true, last: true, put: assignments, remove: [] });
  const body = Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), set, Buffer.alloc(CHECKSUM_BYTES)]);
  body.writeUInt32LE(crc32(body.subarray(0, -CHECKSUM_BYTES)), body.length - CHECKSUM_BYTES);
  return body;
}

/** Throws an Error whose message says in a few words why not. */
function decode(bytes: Buffer, nodeId: string, codec: AssignmentsCodec): LastKnown {
  const content = bytes.subarray(0, Math.max(0, bytes.length - CHECKSUM_BYTES));
  const lineEnd = content.indexOf(LINE_END);
  if (lineEnd < 0 || bytes.readUInt32LE(content.length) !== crc32(content)) throw new Error('damaged');
  const head: Record<string, unknown> = { ...JSON.parse(content.toString('utf8', 0, lineEnd)) };
  if (head['version'] !== FILE_VERSION) throw new Error(`of version ${head['version']}, not ${FILE_VERSION}`);
  if (head['node'] !== nodeId) throw new Error('of another node');
  const clockAheadMs = head['clock_ahead_ms'];
  if (typeof clockAheadMs !== 'number') throw new Error('damaged');
  return { assignments: codec.decode(content.subarray(lineEnd + 1)).put, clockAheadMs };
}

function readIfThere(path: string): Buffer | null {
  let fd: number;
  try {
    fd = openSync(path, 'r');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
  try {
    if (fstatSync(fd).size > ASSIGNMENTS_FILE_BYTES_MAX) throw new Error('too large');
    return readFileSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Without it a power cut could undo the rename. */
async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
