import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { open, rename, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { Logger } from '../../kernel/logger.js';
import { syncFolder } from '../../kernel/synced-file.js';
import type { AssignmentsCodec } from '../../proto/load.js';
import type { Assignment } from '../schedule.js';

/** What a probe needs to continue without its control plane. */
export interface SavedAssignments {
  assignments: Assignment[];
  /** How far the clock of the control plane, by which slots are computed, was ahead of the clock of this machine. */
  clockAheadMs: number;
}

/**
 * The assignments on disk. Only the owner may read the file, because headers, bodies and URLs of monitors may contain
 * secrets.
 */
export interface AssignmentsFile {
  /** Returns null if there is no file, or if it cannot be used, which is logged. Takes 0.2 s for 10,000 monitors. */
  load(): SavedAssignments | null;
  /**
   * Replaces the file and syncs it: a kill or a power failure at any moment leaves either the complete old file or the
   * complete new one. Rejects with the error of the file system, or with a RangeError if the assignments are too large.
   */
  save(saved: SavedAssignments): Promise<void>;
}

const FILE_VERSION = 1;
/** 10,000 monitors take 2 to 6 MB. Assignments with many large bodies may exceed the limit; they are not saved. */
const ASSIGNMENTS_FILE_BYTES_MAX = 64 * 1024 * 1024;
const CHECKSUM_BYTES = 4;
const LF = 0x0a;

/** `nodeId`: a file of another node in the directory is ignored. */
export function createAssignmentsFile(needs: {
  directory: string;
  nodeId: string;
  codec: AssignmentsCodec;
  logger: Logger;
}): AssignmentsFile {
  const { nodeId, codec, logger } = needs;
  const path = join(needs.directory, 'assignments.bin');
  const temporary = `${path}.tmp`;

  return {
    load() {
      try {
        const bytes = readIfPresent(path);
        return bytes === null ? null : decode(bytes, nodeId, codec);
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        logger.warn({ path, reason }, 'the saved assignments cannot be used, waiting for the control plane');
        return null;
      }
    },
    async save(saved) {
      const bytes = encode(saved, nodeId, codec);
      if (bytes.length > ASSIGNMENTS_FILE_BYTES_MAX)
        throw new RangeError(
          `the assignments take ${bytes.length} bytes, at most ${ASSIGNMENTS_FILE_BYTES_MAX} are allowed`,
        );
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
        // On a full disk an incomplete file takes space that results need. An error of the removal is ignored, because
        // the first error is the cause.
        await unlink(temporary).catch(() => {});
        throw error;
      }
      await syncFolder(needs.directory);
    },
  };
}

/** Returns the file: a header line in JSON, the assignments in the format of the link, and a CRC-32 of both. */
function encode({ assignments, clockAheadMs }: SavedAssignments, nodeId: string, codec: AssignmentsCodec): Buffer {
  const head = { version: FILE_VERSION, node: nodeId, clock_ahead_ms: Math.round(clockAheadMs) };
  const message = codec.encode({ revision: 0, snapshot: true, last: true, put: assignments, remove: [] });
  const body = Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), message, Buffer.alloc(CHECKSUM_BYTES)]);
  body.writeUInt32LE(crc32(body.subarray(0, -CHECKSUM_BYTES)), body.length - CHECKSUM_BYTES);
  return body;
}

/** Returns the content of a file. Throws an Error whose message says why the file cannot be used. */
function decode(bytes: Buffer, nodeId: string, codec: AssignmentsCodec): SavedAssignments {
  const content = bytes.subarray(0, Math.max(0, bytes.length - CHECKSUM_BYTES));
  const lineEnd = content.indexOf(LF);
  if (lineEnd < 0 || bytes.readUInt32LE(content.length) !== crc32(content)) throw new Error('is damaged');
  const head: Record<string, unknown> = { ...JSON.parse(content.toString('utf8', 0, lineEnd)) };
  if (head['version'] !== FILE_VERSION) throw new Error(`has version ${head['version']}, not ${FILE_VERSION}`);
  if (head['node'] !== nodeId) throw new Error('belongs to another node');
  const clockAheadMs = head['clock_ahead_ms'];
  if (typeof clockAheadMs !== 'number') throw new Error('is damaged');
  return { assignments: codec.decode(content.subarray(lineEnd + 1)).put, clockAheadMs };
}

function readIfPresent(path: string): Buffer | null {
  let fd: number;
  try {
    fd = openSync(path, 'r');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
  try {
    if (fstatSync(fd).size > ASSIGNMENTS_FILE_BYTES_MAX) throw new Error('is too large');
    return readFileSync(fd);
  } finally {
    closeSync(fd);
  }
}
