import { strict as assert } from 'node:assert';
import { createOpenFile, type OpenFile } from './open-file.js';
import { encodeRecord, RECORD_HEADER_BYTES, SEGMENT_HEADER_BYTES, type SpoolRecord, scanSegment } from './segment.js';
import { loadSegments, rewriteHeader, segmentPath, unlinkIfPossible } from './segment-load.js';
import { addToIndex, createSegmentReader, type Segment, type SegmentReader } from './segment-read.js';

/** The segment files of one spool. The callers decide which records are dropped. */
export interface SegmentFiles {
  /** Returns the segments, oldest first. The last one may be the one that is written. */
  list(): readonly Segment[];
  bytes(): number;
  /** Returns whether this record starts a new segment: the current one is full, or numbers are missing in between. */
  startsSegment(record: SpoolRecord): boolean;
  /** Throws the file system's error; then none of the record remains in the file. */
  append(record: SpoolRecord): void;
  /** Returns whether the segment is the one that is written. */
  isOpen(segment: Segment): boolean;
  /** Ends the segment that is written, or removes it if it is empty. */
  seal(): void;
  remove(segment: Segment): void;
  /** Truncates the segment after record `last`, which ends at `offset`. */
  cut(segment: Segment, last: number, offset: number): void;
  /** Scans the segment and truncates it after its last undamaged record. */
  cutAtDamage(segment: Segment): void;
  read: SegmentReader['read'];
  /** Resolves when all appended records are on disk. */
  sync(): Promise<void>;
}

/** Opens the segments in `directory`. Existing segments are only read; new records start a new one. */
export function openSegmentFiles(directory: string, segmentBytes: number): SegmentFiles {
  const segments = loadSegments(directory);
  const reader = createSegmentReader();
  /** The segment that is written. */
  let open: { segment: Segment; file: OpenFile } | null = null;

  function startsSegment(record: SpoolRecord): boolean {
    return open === null || !hasSpace(open.segment, record, segmentBytes);
  }

  function begin(first: number): { segment: Segment; file: OpenFile } {
    seal();
    const path = segmentPath(directory, first);
    const file = createOpenFile(path, first);
    const segment = { path, first, last: first - 1, bytes: SEGMENT_HEADER_BYTES, index: [] };
    segments.push(segment);
    open = { segment, file };
    return open;
  }

  function append(record: SpoolRecord): void {
    const { segment, file } = open === null || startsSegment(record) ? begin(record.seq) : open;
    const encoded = encodeRecord(record);
    file.write(encoded, segment.bytes);
    addToIndex(segment, record.seq, segment.bytes);
    segment.bytes += encoded.length;
    segment.last = record.seq;
  }

  /** If writing the header fails, the segment is scanned at the next start. */
  function seal(): void {
    if (open === null) return;
    const { segment, file } = open;
    open = null;
    try {
      if (segment.last < segment.first) remove(segment);
      else file.finish(segment.last);
    } finally {
      file.release();
    }
  }

  function remove(segment: Segment): void {
    assert(segment !== open?.segment, 'a segment is sealed before it is removed');
    segments.splice(segments.indexOf(segment), 1);
    reader.invalidate(segment);
    unlinkIfPossible(segment.path);
  }

  return {
    list: () => segments,
    bytes: () => segments.reduce((sum, segment) => sum + segment.bytes, 0),
    startsSegment,
    append,
    isOpen: (segment) => segment === open?.segment,
    seal,
    remove,
    cut: (segment, last, offset) => truncate(reader, segment, last, offset),
    cutAtDamage(segment) {
      const { last, endOffset } = scanSegment(segment.path, segment.first);
      if (last < segment.first) remove(segment);
      else truncate(reader, segment, last, endOffset);
    },
    read: reader.read,
    sync: () => open?.file.sync() ?? Promise.resolve(),
  };
}

/** Returns whether the segment may contain the record: it is not full, and no numbers are missing in between. */
function hasSpace(segment: Segment, record: SpoolRecord, segmentBytes: number): boolean {
  const size = RECORD_HEADER_BYTES + record.bytes.length;
  const isFull = segment.bytes + size > segmentBytes && segment.last >= segment.first;
  return segment.last + 1 === record.seq && !isFull;
}

function truncate(reader: SegmentReader, segment: Segment, last: number, offset: number): void {
  reader.invalidate(segment);
  segment.last = last;
  segment.bytes = offset;
  segment.index = segment.index.filter((entry) => entry.seq <= last);
  rewriteHeader(segment);
}
