import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';

/**
 * The form of a segment file: a header, then records back to back. Numbers are little-endian.
 *
 *   header  magic 8 | first seq 6 | last seq 6, 0 while the segment is written to | CRC-32 of these 4
 *   record  payload length 4 | CRC-32 of what follows 4 | seq 6 | appended at, epoch ms 6 | payload
 *
 * CRC-32 (IEEE, `zlib.crc32`) instead of CRC-32C: Node has it built in and in native code, and for telling a torn
 * or rotten record from a good one the two are equal.
 */
export const SEGMENT_HEADER_BYTES = 24;
export const RECORD_HEADER_BYTES = 20;

/** The control plane takes no longer record. A longer length that is read back is garbage. */
export const RECORD_BYTES_MAX = 64 * 1024;

const MAGIC = Buffer.from('PKSPOOL1', 'latin1');
const LAST_SEQ_OFFSET = 14;
const CHECKED_HEADER_BYTES = 20;
const UINT48_BYTES = 6;

/** How much of a segment is read at a time while it is scanned. */
const SCAN_CHUNK_BYTES = 1024 * 1024;

/** One spooled record. */
export interface SpoolRecord {
  seq: number;
  /** Wall time at which it was appended, epoch milliseconds. */
  atMs: number;
  bytes: Uint8Array;
}

export function encodeSegmentHeader(first: number, last: number): Buffer {
  const header = Buffer.alloc(SEGMENT_HEADER_BYTES);
  MAGIC.copy(header);
  header.writeUIntLE(first, MAGIC.length, UINT48_BYTES);
  header.writeUIntLE(last, LAST_SEQ_OFFSET, UINT48_BYTES);
  header.writeUInt32LE(crc32(header.subarray(0, CHECKED_HEADER_BYTES)), CHECKED_HEADER_BYTES);
  return header;
}

/** null when these bytes are no header: the segment is then scanned as one that was never sealed. */
function decodeSegmentHeader(header: Buffer): { first: number; last: number } | null {
  if (header.length < SEGMENT_HEADER_BYTES || !header.subarray(0, MAGIC.length).equals(MAGIC)) return null;
  if (header.readUInt32LE(CHECKED_HEADER_BYTES) !== crc32(header.subarray(0, CHECKED_HEADER_BYTES))) return null;
  return {
    first: header.readUIntLE(MAGIC.length, UINT48_BYTES),
    last: header.readUIntLE(LAST_SEQ_OFFSET, UINT48_BYTES),
  };
}

export function encodeRecord(record: SpoolRecord): Buffer {
  const encoded = Buffer.allocUnsafe(RECORD_HEADER_BYTES + record.bytes.length);
  encoded.writeUInt32LE(record.bytes.length, 0);
  encoded.writeUIntLE(record.seq, 8, UINT48_BYTES);
  encoded.writeUIntLE(record.atMs, 14, UINT48_BYTES);
  encoded.set(record.bytes, RECORD_HEADER_BYTES);
  encoded.writeUInt32LE(crc32(encoded.subarray(8)), 4);
  return encoded;
}

/** The record at `offset`; `more` when the buffer ends inside it, `bad` when no record stands there. */
export function decodeRecord(buffer: Buffer, offset: number): SpoolRecord | 'more' | 'bad' {
  if (offset + RECORD_HEADER_BYTES > buffer.length) return 'more';
  const length = buffer.readUInt32LE(offset);
  if (length === 0 || length > RECORD_BYTES_MAX) return 'bad';
  const end = offset + RECORD_HEADER_BYTES + length;
  if (end > buffer.length) return 'more';
  if (buffer.readUInt32LE(offset + 4) !== crc32(buffer.subarray(offset + 8, end))) return 'bad';
  return {
    seq: buffer.readUIntLE(offset + 8, UINT48_BYTES),
    atMs: buffer.readUIntLE(offset + 14, UINT48_BYTES),
    bytes: buffer.subarray(offset + RECORD_HEADER_BYTES, end),
  };
}

/** Up to `length` bytes of a file from `offset`; fewer where the file ends. */
export function readBytes(path: string, offset: number, length: number): Buffer {
  const fd = openSync(path, 'r');
  try {
    const buffer = Buffer.allocUnsafe(length);
    let filled = 0;
    while (filled < length) {
      const count = readSync(fd, buffer, filled, length - filled, offset + filled);
      if (count === 0) break;
      filled += count;
    }
    return buffer.subarray(0, filled);
  } finally {
    closeSync(fd);
  }
}

/** Writes all of `bytes` at `offset`. A disk that takes only a part says why at the next call, which throws it. */
export function writeAll(fd: number, bytes: Buffer, offset: number): void {
  let written = 0;
  while (written < bytes.length) {
    written += writeSync(fd, bytes, written, bytes.length - written, offset + written);
  }
}

/** What the header of a segment says; `last` is null while (or because) it was never sealed. */
export function readSegmentHeader(path: string): { first: number; last: number | null } | null {
  const header = decodeSegmentHeader(readBytes(path, 0, SEGMENT_HEADER_BYTES));
  return header === null ? null : { first: header.first, last: header.last === 0 ? null : header.last };
}

/** How far a segment is good: the last seq of an unbroken run of records from `first`, and where that run ends. */
export function scanSegment(path: string, first: number): { last: number; endOffset: number } {
  let last = first - 1;
  let endOffset = SEGMENT_HEADER_BYTES;
  for (;;) {
    const chunk = readBytes(path, endOffset, SCAN_CHUNK_BYTES);
    let offset = 0;
    for (;;) {
      const record = decodeRecord(chunk, offset);
      if (record === 'bad') return { last, endOffset };
      if (record === 'more') break;
      if (record.seq !== last + 1) return { last, endOffset };
      last = record.seq;
      const size = RECORD_HEADER_BYTES + record.bytes.length;
      offset += size;
      endOffset += size;
    }
    // A whole chunk holds at least one record, so no progress means that the file ends inside one.
    if (offset === 0) return { last, endOffset };
  }
}
