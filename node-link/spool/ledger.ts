import type { Clock } from '../../kernel/clock.js';
import type { Logger } from '../../kernel/logger.js';
import type { DiskFaults } from './faults.js';
import type { Segment } from './segment-read.js';
import type { SpoolState, SpoolStateFile } from './state.js';

/** Counts acknowledged, dropped and assigned sequence numbers, and saves the counts. */
export interface SpoolLedger {
  readonly state: Readonly<SpoolState>;
  /** Returns the number of unacknowledged records in the segment. */
  unacknowledged(segment: Segment): number;
  acknowledge(upTo: number): void;
  /** Ensures that `nextSeq` is assigned only once, even after a crash. */
  reserve(nextSeq: number): void;
  /** Counts dropped records. */
  dropped(count: number, why: string): void;
  /** Counts the records of a segment that is dropped for lack of space. Saves the count before returning. */
  segmentDropped(segment: Segment, why: string): void;
  /** Counts the records of a damaged segment after `lastGood`, except those already counted. */
  segmentDamaged(segment: Segment, lastGood: number): void;
  /** Returns whether there are unsaved changes. */
  dirty(): boolean;
  save(): void;
  /** Saves the next sequence number, so that the next start continues without a gap. */
  close(nextSeq: number): void;
}

/** Sequence numbers are reserved in blocks, so that none is assigned twice even if records are lost. */
const SEQ_RESERVE = 10_000;
const DROP_LOG_PERIOD_MS = 60_000;

export function createSpoolLedger(needs: {
  state: SpoolState;
  /** null when the state cannot be saved. */
  stateFile: SpoolStateFile | null;
  faults: DiskFaults;
  clock: Clock;
  logger: Logger;
}): SpoolLedger {
  const { state, stateFile, faults, clock, logger } = needs;
  let ackedDirty = false;
  /** A change that cannot be recovered after a crash, so saving it waits for the disk. */
  let countsDirty = false;
  let dropLoggedAt = Number.NEGATIVE_INFINITY;

  function save(): void {
    if (!ackedDirty && !countsDirty) return;
    faults.attempt(() => {
      stateFile?.save(state, countsDirty);
      ackedDirty = false;
      countsDirty = false;
    });
  }

  function change(changes: Partial<SpoolState>): void {
    Object.assign(state, changes);
    countsDirty = true;
    save();
  }

  function dropped(count: number, why: string): void {
    if (count === 0) return;
    state.droppedTotal += count;
    countsDirty = true;
    if (clock.monotonic() - dropLoggedAt < DROP_LOG_PERIOD_MS) return;
    dropLoggedAt = clock.monotonic();
    logger.warn({ dropped_total: state.droppedTotal }, `spool: dropping the oldest records because ${why}`);
  }

  const unacknowledged = (segment: Segment) => Math.max(0, segment.last - Math.max(segment.first - 1, state.ackedSeq));

  return {
    state,
    unacknowledged,
    acknowledge(upTo) {
      state.ackedSeq = upTo;
      ackedDirty = true;
    },
    reserve(nextSeq) {
      if (nextSeq > state.reservedSeq) change({ reservedSeq: nextSeq + SEQ_RESERVE });
    },
    dropped,
    segmentDropped(segment, why) {
      dropped(unacknowledged(segment), why);
      change({ droppedSeq: segment.last });
    },
    segmentDamaged(segment, lastGood) {
      const lastKept = Math.max(segment.first - 1, state.ackedSeq, lastGood);
      const lost = state.damagedSeq === segment.last ? 0 : segment.last - lastKept;
      logger.error({ file: segment.path, lost }, 'spool: a segment is damaged, keeping its readable records');
      dropped(lost, 'a segment is damaged');
      change({ damagedSeq: segment.last, damagedTotal: state.damagedTotal + lost });
    },
    dirty: () => ackedDirty || countsDirty,
    save,
    close(nextSeq) {
      change({ reservedSeq: nextSeq });
      stateFile?.close();
    },
  };
}
