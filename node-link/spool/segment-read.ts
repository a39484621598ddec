import { RECORD_BYTES_MAX } from '../../proto/limits.js';
import { decodeRecord, RECORD_HEADER_BYTES, readBytes, SEGMENT_HEADER_BYTES, type SpoolRecord } from './segment.js';

/** One segment file. `last` is `first - 1` while it has no record. */
export interface Segment {
  path: string;
  first: number;
  last: number;
  bytes: number;
  /** Offsets of some of its records, in order, so that a reader need not start at the beginning. */
  index: { seq: number; offset: number }[];
}

export interface ReadLimits {
  records: number;
  bytes: number;
}

/** `cutAt` is set when a damaged record ends the run before the end of the segment. */
export interface SegmentRead {
  records: SpoolRecord[];
  cutAt: { last: number; offset: number } | null;
}

/** A record in a file. */
interface Position {
  seq: number;
  offset: number;
}

const INDEX_STEP_BYTES = 64 * 1024;
/** Large enough for any record, so that each read makes progress. */
const READ_CHUNK_BYTES = RECORD_BYTES_MAX + RECORD_HEADER_BYTES;

/** Reads records from segment files. Remembers where the last read ended, because most reads continue there. */
export interface SegmentReader {
  read(segment: Segment, afterSeq: number, limits: ReadLimits): SegmentRead;
  /** Must be called when the contents of a segment have changed, other than by appending. */
  invalidate(segment: Segment): void;
}

export function createSegmentReader(): SegmentReader {
  let cursor: { segment: Segment; position: Position } | null = null;
  return {
    read(segment, afterSeq, limits) {
      const continues = cursor?.segment === segment && cursor.position.seq === afterSeq + 1;
      const start = continues && cursor !== null ? cursor.position : closestPosition(segment, afterSeq + 1);
      const { records, cutAt, next } = readFrom(segment, start, afterSeq, limits);
      cursor = { segment, position: next };
      return { records, cutAt };
    },
    invalidate(segment) {
      if (cursor?.segment === segment) cursor = null;
    },
  };
}

/** Adds a record to the index, unless the previous entry is near. */
export function addToIndex(segment: Segment, seq: number, offset: number): void {
  const newest = segment.index.at(-1);
  if (newest === undefined || (seq > newest.seq && offset - newest.offset >= INDEX_STEP_BYTES)) {
    segment.index.push({ seq, offset });
  }
}

/** Returns the closest known record at or before `seq`. */
function closestPosition(segment: Segment, seq: number): Position {
  const known = segment.index.findLast((entry) => entry.seq <= seq);
  return known ?? { seq: segment.first, offset: SEGMENT_HEADER_BYTES };
}

function readFrom(
  segment: Segment,
  start: Position,
  afterSeq: number,
  limits: ReadLimits,
): SegmentRead & { next: Position } {
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
      addToIndex(segment, seq, offset + used);
      used += RECORD_HEADER_BYTES + record.bytes.length;
      seq += 1;
      if (seq > segment.last) break;
    }
    offset += used;
  }
  return { records, cutAt: null, next: { seq, offset } };
}
