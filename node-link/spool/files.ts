import { strict as assert } from 'node:assert';
import { closeSync, openSync, readdirSync, statSync, truncateSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { createOpenFile, type OpenFile } from './open-file.js';
import {
  decodeRecord,
  encodeRecord,
  encodeSegmentHeader,
  RECORD_BYTES_MAX,
  RECORD_HEADER_BYTES,
  readBytes,
  readSegmentHeader,
  SEGMENT_HEADER_BYTES,
  type SpoolRecord,
  scanSegment,
  writeAll,
} from './segment.js';

/** One segment file. `last` is `first - 1` while it holds no record. */
export interface Segment {
  path: string;
  first: number;
  last: number;
  bytes: number;
  /** Where some of its records start, in order, so that a reader need not begin at the front. */
  index: { seq: number; offset: number }[];
}

export interface ReadLimits {
  records: number;
  bytes: number;
}

/** `cutAt` is set when the run of good records ends before the segment does. */
export interface SegmentRead {
  records: SpoolRecord[];
  cutAt: { last: number; offset: number } | null;
}

const SEGMENT_NAME = /^(\d{15})\.seg$/;
const INDEX_STEP_BYTES = 64 * 1024;
/** Holds any record, so that a read always makes progress. */
const READ_CHUNK_BYTES = RECORD_BYTES_MAX + RECORD_HEADER_BYTES;

/** The segment files of one spool: where bytes go and come from. What may be dropped, `spool.ts` decides. */
export interface SegmentFiles {
  /** Oldest first. The last one may be the one that is written to. */
  list(): readonly Segment[];
  bytes(): number;
  /** Whether this record begins a new segment: the current one is full, or the numbering has a gap. */
  startsSegment(record: SpoolRecord): boolean;
  /** Throws what the file system throws; then nothing of the record is left behind. */
  append(record: SpoolRecord): void;
  isOpen(segment: Segment): boolean;
  /** Ends the segment that is written to; an empty one disappears. */
  seal(): void;
  remove(segment: Segment): void;
  /** Keeps the records up to `last`, which end at `offset`. */
  cut(segment: Segment, last: number, offset: number): void;
  /** As `cut`, after looking where the good records end. */
  cutAtDamage(segment: Segment): void;
  read(segment: Segment, afterSeq: number, limits: ReadLimits): SegmentRead;
  /** Resolves when all that was appended is on the disk. */
  sync(): Promise<void>;
}

/** Opens what is in `directory`: a torn end is cut at the last good record, and nothing is written to old segments. */
export function openSegmentFiles(directory: string, segmentBytes: number): SegmentFiles {
  const segments = loadSegments(directory);
  let file: OpenFile | null = null;
  let cursor: { segment: Segment; seq: number; offset: number } | null = null;

  function current(): Segment | null {
    return file === null ? null : (segments.at(-1) ?? null);
  }

  function startsSegment(record: SpoolRecord): boolean {
    const segment = current();
    if (segment === null) return true;
    const size = RECORD_HEADER_BYTES + record.bytes.length;
    return segment.last + 1 !== record.seq || (segment.bytes + size > segmentBytes && segment.last >= segment.first);
  }

  function begin(first: number): Segment {
    seal();
    const path = join(directory, `${String(first).padStart(15, '0')}.seg`);
    file = createOpenFile(path, first);
    const segment = { path, first, last: first - 1, bytes: SEGMENT_HEADER_BYTES, index: [] };
    segments.push(segment);
    return segment;
  }

  function append(record: SpoolRecord): void {
    const segment = startsSegment(record) ? begin(record.seq) : current();
    assert(segment !== null && file !== null);
    const encoded = encodeRecord(record);
    file.write(encoded, segment.bytes);
    noteIndex(segment, record.seq, segment.bytes);
    segment.bytes += encoded.length;
    segment.last = record.seq;
  }

  /** A header that could not be written only means a scan at the next start. */
  function seal(): void {
    const segment = current();
    if (segment === null || file === null) return;
    const sealed = file;
    file = null;
    try {
      if (segment.last < segment.first) remove(segment);
      else sealed.finish(segment.last);
    } finally {
      sealed.release();
    }
  }

  function remove(segment: Segment): void {
    assert(!(file !== null && segment === segments.at(-1)), 'the segment that is written to is sealed before it goes');
    segments.splice(segments.indexOf(segment), 1);
    if (cursor?.segment === segment) cursor = null;
    unlinkQuietly(segment.path);
  }

  function cut(segment: Segment, last: number, offset: number): void {
    segment.last = last;
    segment.bytes = offset;
    segment.index = segment.index.filter((entry) => entry.seq <= last);
    cursor = null;
    rewriteHeader(segment);
  }

  function cutAtDamage(segment: Segment): void {
    const { last, endOffset } = scanSegment(segment.path, segment.first);
    if (last < segment.first) remove(segment);
    else cut(segment, last, endOffset);
  }

  function read(segment: Segment, afterSeq: number, limits: ReadLimits): SegmentRead {
    const start = cursor?.segment === segment && cursor.seq === afterSeq + 1 ? cursor : position(segment, afterSeq + 1);
    const result = readFrom(segment, start, afterSeq, limits);
    cursor = { segment, seq: result.next.seq, offset: result.next.offset };
    return { records: result.records, cutAt: result.cutAt };
  }

  return {
    list: () => segments,
    bytes: () => segments.reduce((sum, segment) => sum + segment.bytes, 0),
    startsSegment,
    append,
    isOpen: (segment) => segment === current(),
    seal,
    remove,
    cut,
    cutAtDamage,
    read,
    sync: () => file?.sync() ?? Promise.resolve(),
  };
}

function loadSegments(directory: string): Segment[] {
  const segments: Segment[] = [];
  for (const name of readdirSync(directory).sort()) {
    const first = SEGMENT_NAME.exec(name)?.[1];
    if (first === undefined) continue;
    const segment = loadSegment(join(directory, name), Number(first));
    if (segment !== null) segments.push(segment);
  }
  return segments;
}

function loadSegment(path: string, first: number): Segment | null {
  const header = readSegmentHeader(path);
  if (header !== null && header.last !== null && header.first === first) {
    return { path, first, last: header.last, bytes: statSync(path).size, index: [] };
  }
  const { last, endOffset } = scanSegment(path, first);
  if (last < first) {
    unlinkQuietly(path);
    return null;
  }
  const segment = { path, first, last, bytes: endOffset, index: [] };
  try {
    rewriteHeader(segment);
  } catch {
    // A disk that takes no write: the segment can be read all the same, and is scanned again at the next start.
  }
  return segment;
}

function rewriteHeader(segment: Segment): void {
  const fd = openSync(segment.path, 'r+');
  try {
    writeAll(fd, encodeSegmentHeader(segment.first, segment.last), 0);
  } finally {
    closeSync(fd);
  }
  truncateSync(segment.path, segment.bytes);
}

function unlinkQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // Gone already, or a disk that takes no change: the state knows that this segment counts no more.
  }
}

function noteIndex(segment: Segment, seq: number, offset: number): void {
  const newest = segment.index.at(-1);
  if (newest === undefined || (seq > newest.seq && offset - newest.offset >= INDEX_STEP_BYTES)) {
    segment.index.push({ seq, offset });
  }
}

/** The closest known start of a record at or before `seq`. */
function position(segment: Segment, seq: number): { seq: number; offset: number } {
  const known = segment.index.findLast((entry) => entry.seq <= seq);
  return known ?? { seq: segment.first, offset: SEGMENT_HEADER_BYTES };
}

function readFrom(
  segment: Segment,
  start: { seq: number; offset: number },
  afterSeq: number,
  limits: ReadLimits,
): SegmentRead & { next: { seq: number; offset: number } } {
  const records: SpoolRecord[] = [];
  let { seq, offset } = start;
  let bytes = 0;
  while (seq <= segment.last) {
    const wanted = Math.min(READ_CHUNK_BYTES, Math.max(0, segment.bytes - offset));
    const chunk = readBytes(segment.path, offset, wanted);
    let used = 0;
    for (;;) {
      const record = decodeRecord(chunk, used);
      const whole = record !== 'more' && record !== 'bad' && record.seq === seq;
      if (!whole) {
        if (record === 'more' && used > 0 && chunk.length === wanted && offset + wanted < segment.bytes) break;
        return { records, cutAt: { last: seq - 1, offset: offset + used }, next: { seq, offset: offset + used } };
      }
      if (seq > afterSeq) {
        const full =
          records.length >= limits.records || (records.length > 0 && bytes + record.bytes.length > limits.bytes);
        if (full) return { records, cutAt: null, next: { seq, offset: offset + used } };
        records.push(record);
        bytes += record.bytes.length;
      }
      noteIndex(segment, seq, offset + used);
      used += RECORD_HEADER_BYTES + record.bytes.length;
      seq += 1;
      if (seq > segment.last) break;
    }
    offset += used;
  }
  return { records, cutAt: null, next: { seq, offset } };
}
