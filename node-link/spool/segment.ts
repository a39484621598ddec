import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { RECORD_BYTES_MAX } from '../../proto/limits.js';

/**
 * The format of a segment file: a header, then records without gaps. Numbers are little-endian; sizes are in bytes.
 *
 *   header  magic 8 | first seq 6 | last seq 6, 0 until the segment is sealed | CRC-32 of these 4
 *   record  payload length 4 | CRC-32 of the rest 4 | seq 6 | appended at, epoch ms 6 | payload
 *
 * CRC-32 (IEEE, `zlib.crc32`) is used instead of CRC-32C because Node has a native implementation, and both detect
 * truncated or corrupted records equally well.
 */
export const SEGMENT_HEADER_BYTES = 24;
export const RECORD_HEADER_BYTES = 20;

const MAGIC = Buffer.from('PKSPOOL1', 'latin1');
const LAST_SEQ_OFFSET = 14;
const CHECKED_HEADER_BYTES = 20;
const UINT48_BYTES = 6;

/** Bytes that a scan reads at a time. */
const SCAN_CHUNK_BYTES = 1024 * 1024;

/** One spooled record. */
export interface SpoolRecord {
  seq: number;
  /** When it was appended, epoch milliseconds. */
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

/** Returns null for an invalid header. The segment is then scanned like one that was never sealed. */
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

/** Returns the record at `offset`; `more` when the buffer ends inside it; `bad` when it is damaged. */
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

/** Returns `length` bytes of a file from `offset`, or fewer at its end. */
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

/** Writes all of `bytes` at `offset`. After a partial write, the next call throws the reason. */
export function writeAll(fd: number, bytes: Buffer, offset: number): void {
  let written = 0;
  while (written < bytes.length) {
    written += writeSync(fd, bytes, written, bytes.length - written, offset + written);
  }
}

/** Returns the contents of a segment's header; `last` is null when the segment was not sealed. */
export function readSegmentHeader(path: string): { first: number; last: number | null } | null {
  const header = decodeSegmentHeader(readBytes(path, 0, SEGMENT_HEADER_BYTES));
  return header === null ? null : { first: header.first, last: header.last === 0 ? null : header.last };
}

/** Returns the last record of the undamaged run that starts with `first`, and the offset at which that run ends. */
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
    // A full chunk has at least one record, so no progress means that the file ends inside a record.
    if (offset === 0) return { last, endOffset };
  }
}
