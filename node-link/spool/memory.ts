import type { ReadLimits } from './files.js';
import type { SpoolRecord } from './segment.js';

/** Records the disk has not taken, oldest first; all of them are newer than those in the files. */
export interface SpoolMemory {
  size(): number;
  /** Of the payloads. */
  bytes(): number;
  add(record: SpoolRecord): void;
  /** Hands records over, oldest first, up to the first one that `take` refuses. */
  drain(take: (record: SpoolRecord) => boolean): void;
  /** Gives up the oldest. */
  drop(): void;
  /** What is numbered up to here need not be kept. */
  forget(upTo: number): void;
  /** Records after `after`, numbered without a gap. */
  read(after: number, limits: ReadLimits): SpoolRecord[];
}

export function createSpoolMemory(): SpoolMemory {
  let records: SpoolRecord[] = [];
  let bytes = 0;

  function keep(kept: SpoolRecord[]): void {
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
    drain(take) {
      const left = records.findIndex((record) => !take(record));
      keep(left === -1 ? [] : records.slice(left));
    },
    drop() {
      bytes -= records.shift()?.bytes.length ?? bytes;
    },
    forget(upTo) {
      if (records.length > 0) keep(records.filter((record) => record.seq > upTo));
    },
    read: (after, limits) => readRecords(records, after, limits),
  };
}

function readRecords(held: readonly SpoolRecord[], after: number, limits: ReadLimits): SpoolRecord[] {
  const records: SpoolRecord[] = [];
  let bytes = 0;
  for (const record of held) {
    if (record.seq <= after) continue;
    const previous = records.at(-1);
    const full = records.length >= limits.records || bytes + record.bytes.length > limits.bytes;
    if (previous !== undefined && (full || record.seq !== previous.seq + 1)) break;
    records.push(record);
    bytes += record.bytes.length;
  }
  return records;
}
