import type { DiskFaults } from './faults.js';
import type { SegmentFiles } from './files.js';
import type { SpoolLedger } from './ledger.js';
import type { SpoolRecord } from './segment.js';
import type { ReadLimits, Segment } from './segment-read.js';
import { isTransient } from './storage.js';

/**
 * Returns records after `after` from the segment files; null when a file cannot be read at the moment. Damaged records
 * are counted and dropped.
 */
export type ReadSpoolFiles = (after: number, limits: ReadLimits) => SpoolRecord[] | null;

export function createSpoolReader(needs: {
  files: SegmentFiles;
  ledger: SpoolLedger;
  faults: DiskFaults;
}): ReadSpoolFiles {
  const { files, ledger, faults } = needs;

  function readSegment(segment: Segment, after: number, limits: ReadLimits): SpoolRecord[] | null {
    try {
      const { records, cutAt } = files.read(segment, Math.max(after, segment.first - 1), limits);
      if (cutAt !== null) dropDamaged(segment, cutAt.last, cutAt.offset);
      return records;
    } catch (error) {
      if (isTransient(error)) return null;
      dropDamaged(segment, segment.first - 1, 0);
      return [];
    }
  }

  /** Counts the records of a damaged segment after `lastGood`, and truncates it there. */
  function dropDamaged(segment: Segment, lastGood: number, offset: number): void {
    if (files.isOpen(segment)) faults.attempt(files.seal);
    ledger.segmentDamaged(segment, lastGood);
    if (lastGood <= Math.max(segment.first - 1, ledger.state.ackedSeq)) files.remove(segment);
    else faults.attempt(() => files.cut(segment, lastGood, offset));
  }

  return (after, limits) => {
    for (const segment of [...files.list()]) {
      if (segment.last <= after || segment.last < segment.first) continue;
      const records = readSegment(segment, after, limits);
      if (records === null || records.length > 0) return records;
    }
    return [];
  };
}
