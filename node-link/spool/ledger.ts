import type { Clock } from '../../kernel/clock.js';
import type { Logger } from '../../kernel/logger.js';
import type { DiskFaults } from './faults.js';
import type { Segment } from './files.js';
import type { SpoolState, SpoolStateFile } from './state.js';

/** What was acknowledged, given up and given out, and that it gets to the disk. */
export interface SpoolLedger {
  readonly state: Readonly<SpoolState>;
  /** Records of the segment that are not acknowledged. */
  unacknowledged(segment: Segment): number;
  acknowledge(upTo: number): void;
  /** Makes sure that `nextSeq` is given out once, whatever is lost. */
  reserve(nextSeq: number): void;
  /** Counts records that are given up. */
  dropped(count: number, why: string): void;
  /** Counts what of a segment is given up because there is no room; it is on the disk before the segment goes. */
  segmentDropped(segment: Segment, why: string): void;
  /** Counts the records of a damaged segment after `lastGood`, those that were not counted before. */
  segmentDamaged(segment: Segment, lastGood: number): void;
  /** Whether something waits for `save`. */
  dirty(): boolean;
  save(): void;
  /** All numbers given out are known now, so the next start goes on without a gap. */
  close(nextSeq: number): void;
}

/** Numbers are reserved in the state file by so many, so that none is given out twice even if records are lost. */
const SEQ_RESERVE = 10_000;
const DROP_LOG_PERIOD_MS = 60_000;

export function createSpoolLedger(options: {
  state: SpoolState;
  /** null: nothing can be kept. */
  stateFile: SpoolStateFile | null;
  faults: DiskFaults;
  clock: Clock;
  logger: Logger;
}): SpoolLedger {
  const { state, stateFile, faults, clock, logger } = options;
  let ackedDirty = false;
  /** A change that nothing else can tell again, so it waits for the disk. */
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
    logger.warn({ dropped_total: state.droppedTotal }, `spool: dropping the oldest records, ${why}`);
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
      const held = Math.max(segment.first - 1, state.ackedSeq, lastGood);
      const lost = state.damagedSeq === segment.last ? 0 : segment.last - held;
      logger.error({ file: segment.path, lost }, 'spool: a segment is damaged, its readable records are kept');
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
