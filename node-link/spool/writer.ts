import { statfsSync } from 'node:fs';
import type { DiskFaults } from './faults.js';
import type { SegmentFiles } from './files.js';
import type { SpoolLedger } from './ledger.js';
import { RECORD_HEADER_BYTES, SEGMENT_HEADER_BYTES, type SpoolRecord } from './segment.js';
import { isFull } from './storage.js';

/** Writes records to the segment files, and drops the oldest segments when there is no space. */
export interface SpoolWriter {
  /**
   * Returns whether the record is written. On a full disk, the oldest segment is dropped and the write is repeated,
   * unless that did not help the last time because other programs fill the disk.
   */
  write(record: SpoolRecord): boolean;
  /** Allows the next write to drop a segment again. */
  allowDropping(): void;
}

/** Segments that are kept even when the disk is short of space. */
const LOW_DISK_SEGMENTS_MIN = 2;

export function createSpoolWriter(needs: {
  directory: string;
  bytesMax: number;
  freeRatioMin: number;
  files: SegmentFiles;
  ledger: SpoolLedger;
  faults: DiskFaults;
}): SpoolWriter {
  const { files, ledger, faults } = needs;
  /** Whether dropping a segment made space the last time. */
  let dropHelps = true;

  /** Drops the oldest segment. The count is on disk before the segment is removed, so that it is counted once. */
  function dropOldest(why: string): boolean {
    const oldest = files.list()[0];
    if (oldest === undefined || oldest.last < oldest.first) return false;
    if (files.isOpen(oldest)) faults.attempt(files.seal);
    ledger.segmentDropped(oldest, why);
    files.remove(oldest);
    return true;
  }

  function makeSpace(record: SpoolRecord): void {
    if (files.startsSegment(record)) {
      files.seal();
      if (files.list().length >= LOW_DISK_SEGMENTS_MIN && isDiskLow()) dropOldest('the disk is short of space');
    }
    const size = SEGMENT_HEADER_BYTES + RECORD_HEADER_BYTES + record.bytes.length;
    while (files.bytes() + size > needs.bytesMax && dropOldest('the spool is full')) {
      // Each iteration removes a segment, so the loop ends at the latest when none is left.
    }
  }

  function isDiskLow(): boolean {
    const disk = statfsSync(needs.directory);
    return disk.bavail < disk.blocks * needs.freeRatioMin;
  }

  function append(record: SpoolRecord): void {
    try {
      files.append(record);
    } catch (error) {
      if (!isFull(error) || !dropHelps || !dropOldest('the disk is full')) throw error;
      dropHelps = false;
      files.append(record);
    }
  }

  return {
    write(record) {
      try {
        makeSpace(record);
        append(record);
      } catch (error) {
        faults.failed(error);
        return false;
      }
      faults.succeeded();
      dropHelps = true;
      return true;
    },
    allowDropping() {
      dropHelps = true;
    },
  };
}
