import { closeSync, openSync, readdirSync, statSync, truncateSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { encodeSegmentHeader, readSegmentHeader, scanSegment, writeAll } from './segment.js';
import type { Segment } from './segment-read.js';

const SEGMENT_NAME = /^(\d{15})\.seg$/;

/** Returns the path of the segment that starts with record `first`. */
export function segmentPath(directory: string, first: number): string {
  return join(directory, `${String(first).padStart(15, '0')}.seg`);
}

/** Returns the segments in a directory, oldest first. An unsealed segment ends at its last undamaged record. */
export function loadSegments(directory: string): Segment[] {
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
    unlinkIfPossible(path);
    return null;
  }
  const segment = { path, first, last, bytes: endOffset, index: [] };
  try {
    rewriteHeader(segment);
  } catch {
    // Writing to the disk fails. The segment can still be read, and is scanned again at the next start.
  }
  return segment;
}

/** Writes the header of a sealed segment, and truncates the file at its end. */
export function rewriteHeader(segment: Segment): void {
  const fd = openSync(segment.path, 'r+');
  try {
    writeAll(fd, encodeSegmentHeader(segment.first, segment.last), 0);
  } finally {
    closeSync(fd);
  }
  truncateSync(segment.path, segment.bytes);
}

export function unlinkIfPossible(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // The file is already gone, or the disk allows no change. The state file says that the segment no longer counts.
  }
}
