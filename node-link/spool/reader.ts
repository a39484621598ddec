import type { DiskFaults } from './faults.js';
import type { ReadLimits, Segment, SegmentFiles } from './files.js';
import type { SpoolLedger } from './ledger.js';
import type { SpoolRecord } from './segment.js';
import { isTransient } from './storage.js';

/**
 * Reads records after `after` from the segment files, and gives up what is found damaged. Empty: there are none; null:
 * a file cannot be read for now.
 */
export type ReadSpoolFiles = (after: number, limits: ReadLimits) => SpoolRecord[] | null;

export function createSpoolReader(options: {
  files: SegmentFiles;
  ledger: SpoolLedger;
  faults: DiskFaults;
}): ReadSpoolFiles {
  const { files, ledger, faults } = options;

  function readSegment(segment: Segment, after: number, limits: ReadLimits): SpoolRecord[] | null {
    try {
      const { records, cutAt } = files.read(segment, Math.max(after, segment.first - 1), limits);
      if (cutAt !== null) giveUpRest(segment, cutAt.last, cutAt.offset);
      return records;
    } catch (error) {
      if (isTransient(error)) return null;
      giveUpRest(segment, segment.first - 1, 0);
      return [];
    }
  }

  /** Counts what a damaged segment still should have held, and ends it at its last good record. */
  function giveUpRest(segment: Segment, lastGood: number, offset: number): void {
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
