import type { SpoolRecord } from './segment.js';
import type { ReadLimits } from './segment-read.js';

/** Records that are not on disk, oldest first. All of them are newer than the records in the files. */
export interface SpoolMemory {
  size(): number;
  /** Returns the bytes of the payloads. */
  bytes(): number;
  add(record: SpoolRecord): void;
  /** Passes records to `accept`, oldest first, and removes them, up to the first one for which it returns false. */
  drain(accept: (record: SpoolRecord) => boolean): void;
  dropOldest(): void;
  /** Removes the records up to this sequence number. */
  removeUpTo(seq: number): void;
  /** Returns records after `after` with consecutive numbers. */
  read(after: number, limits: ReadLimits): SpoolRecord[];
}

export function createSpoolMemory(): SpoolMemory {
  let records: SpoolRecord[] = [];
  let bytes = 0;

  function replace(kept: SpoolRecord[]): void {
    records = kept;
    bytes = kept.reduce((sum, record) => sum + record.bytes.length, 0);
  }

  return {
    size: () => records.length,
    bytes: () => bytes,
    add(record) {
      records.push(record);
      bytes += record.bytes.length;
    },
    drain(accept) {
      const left = records.findIndex((record) => !accept(record));
      replace(left === -1 ? [] : records.slice(left));
    },
    dropOldest() {
      bytes -= records.shift()?.bytes.length ?? bytes;
    },
    removeUpTo(seq) {
      if (records.length > 0) replace(records.filter((record) => record.seq > seq));
    },
    read: (after, limits) => readRecords(records, after, limits),
  };
}

function readRecords(stored: readonly SpoolRecord[], after: number, limits: ReadLimits): SpoolRecord[] {
  const records: SpoolRecord[] = [];
  let bytes = 0;
  for (const record of stored) {
    if (record.seq <= after) continue;
    const previous = records.at(-1);
    const full = records.length >= limits.records || bytes + record.bytes.length > limits.bytes;
    if (previous !== undefined && (full || record.seq !== previous.seq + 1)) break;
    records.push(record);
    bytes += record.bytes.length;
  }
  return records;
}
