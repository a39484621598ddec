import type { Clock, Timer } from '../kernel/clock.js';
import type { Logger } from '../kernel/logger.js';
import type { Ack__Output } from '../proto/generated/picket/link/v1/Ack.js';
import type { LinkSession } from './link.js';
import type { Spool } from './spool/spool.js';

/** Moves records from the spool to the control plane, in order, and out of the spool once they are acknowledged. */
export interface BatchSender {
  /** A record was appended. `urgent`: it does not wait for others to share its batch. */
  appended(urgent: boolean): void;
  /** Sends on this session from now on, beginning with the first record that is not acknowledged. */
  attach(session: LinkSession): void;
  detach(): void;
  writable(): void;
  ack(ack: Ack__Output): void;
  /** Records that the control plane refused for good, since the start. */
  rejectedTotal(): number;
  /** Nothing waits any more, or there is no session to wait for. */
  drained(): boolean;
}

export const BATCH_RECORDS_MAX = 500;
export const BATCH_BYTES_MAX = 1024 * 1024;
/** So many are worth a batch without waiting for more: nearly all of the gain is reached here. */
export const BATCH_RECORDS_TYPICAL = 250;
export const UNACKNOWLEDGED_BATCHES_MAX = 8;
export const LINGER_MS = 1_000;

const REJECTION_LOG_PERIOD_MS = 60_000;

export function createBatchSender(options: { spool: Spool; clock: Clock; logger: Logger }): BatchSender {
  const { spool, clock, logger } = options;
  let session: LinkSession | null = null;
  let isWritable = false;
  /** The newest record sent on this session. */
  let sentSeq = 0;
  /** Last sequence numbers of the batches that were sent on this session and not acknowledged, oldest first. */
  let unacknowledged: number[] = [];
  /** Records up to here wait for no others. */
  let dueSeq = 0;
  let linger: Timer | null = null;
  const rejections = createRejectionCount(clock, logger);

  function pump(): void {
    while (session !== null && isWritable && unacknowledged.length < UNACKNOWLEDGED_BATCHES_MAX) {
      const waiting = spool.lastSeq() - sentSeq;
      if (waiting <= 0) return;
      if (waiting < BATCH_RECORDS_TYPICAL && sentSeq >= dueSeq) return;
      if (!sendBatch(session)) return;
    }
  }

  function sendBatch(target: LinkSession): boolean {
    const records = spool.read(sentSeq, { records: BATCH_RECORDS_MAX, bytes: BATCH_BYTES_MAX });
    const first = records[0];
    const last = records.at(-1);
    if (first === undefined || last === undefined) return false;
    isWritable = target.send({
      batch: {
        firstSeq: first.seq,
        records: records.map((record) => record.bytes),
        droppedTotal: spool.stats().droppedTotal,
      },
    });
    sentSeq = last.seq;
    unacknowledged.push(last.seq);
    return true;
  }

  function startLinger(): void {
    if (linger !== null) return;
    linger = clock.after(LINGER_MS, () => {
      linger = null;
      dueSeq = spool.lastSeq();
      pump();
    });
  }

  return {
    appended(urgent) {
      if (urgent) dueSeq = spool.lastSeq();
      else startLinger();
      pump();
    },
    attach(attached) {
      session = attached;
      isWritable = true;
      sentSeq = spool.ackedSeq();
      unacknowledged = [];
      dueSeq = spool.lastSeq();
      pump();
    },
    detach() {
      session = null;
    },
    writable() {
      isWritable = true;
      pump();
    },
    ack(ack) {
      rejections.note(ack);
      // What was not sent on this session cannot be acknowledged on it.
      spool.ack(Math.min(ack.upToSeq, sentSeq));
      unacknowledged = unacknowledged.filter((last) => last > ack.upToSeq);
      pump();
    },
    rejectedTotal: rejections.total,
    drained: () => session === null || spool.stats().records === 0,
  };
}

/** Counts what is refused for good, and tells it now and then. */
function createRejectionCount(clock: Clock, logger: Logger): { note(ack: Ack__Output): void; total(): number } {
  let rejected = 0;
  let loggedAt = Number.NEGATIVE_INFINITY;
  return {
    note(ack) {
      const sample = ack.rejections[0];
      if (sample === undefined) return;
      rejected += ack.rejections.length;
      if (clock.monotonic() - loggedAt < REJECTION_LOG_PERIOD_MS) return;
      loggedAt = clock.monotonic();
      logger.warn(
        { rejected_total: rejected, seq: sample.seq, reason: sample.reason },
        'the control plane refused records',
      );
    },
    total: () => rejected,
  };
}
