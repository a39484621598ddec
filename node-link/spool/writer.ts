import { statfsSync } from 'node:fs';
import type { DiskFaults } from './faults.js';
import type { SegmentFiles } from './files.js';
import type { SpoolLedger } from './ledger.js';
import { RECORD_HEADER_BYTES, SEGMENT_HEADER_BYTES, type SpoolRecord } from './segment.js';
import { isFull } from './storage.js';

/** Writes records to the segment files, and gives up the oldest ones where there is no room. */
export interface SpoolWriter {
  /**
   * Whether the disk took it. A full disk costs the oldest segment, unless that did not help the last time: then
   * others fill it.
   */
  write(record: SpoolRecord): boolean;
  /** Tries once more whether giving up a segment makes room. */
  tryDropping(): void;
}

/** On a disk that is short of space so many segments are kept all the same. */
const LOW_DISK_SEGMENTS_MIN = 2;

export function createSpoolWriter(options: {
  directory: string;
  bytesMax: number;
  freeRatioMin: number;
  files: SegmentFiles;
  ledger: SpoolLedger;
  faults: DiskFaults;
}): SpoolWriter {
  const { files, ledger, faults } = options;
  /** Whether giving up a segment made room the last time it was tried. */
  let dropHelps = true;

  /** Gives up the oldest segment. The count is on the disk before the segment goes, so that it is counted once. */
  function dropOldest(why: string): boolean {
    const oldest = files.list()[0];
    if (oldest === undefined || oldest.last < oldest.first) return false;
    if (files.isOpen(oldest)) faults.attempt(files.seal);
    ledger.segmentDropped(oldest, why);
    files.remove(oldest);
    return true;
  }

  function makeRoom(record: SpoolRecord): void {
    if (files.startsSegment(record)) {
      files.seal();
      if (files.list().length >= LOW_DISK_SEGMENTS_MIN && diskIsLow()) dropOldest('the disk is short of space');
    }
    const size = SEGMENT_HEADER_BYTES + RECORD_HEADER_BYTES + record.bytes.length;
    while (files.bytes() + size > options.bytesMax && dropOldest('the spool is full')) {
      // Each turn makes it smaller; it ends at the latest when nothing is left.
    }
  }

  function diskIsLow(): boolean {
    const disk = statfsSync(options.directory);
    return disk.bavail < disk.blocks * options.freeRatioMin;
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
        makeRoom(record);
        append(record);
      } catch (error) {
        faults.note(error);
        return false;
      }
      faults.over();
      dropHelps = true;
      return true;
    },
    tryDropping() {
      dropHelps = true;
    },
  };
}
