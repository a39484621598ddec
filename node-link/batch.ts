import type { Clock } from '../kernel/clock.js';
import { createDelayedRun } from '../kernel/delayed-run.js';
import type { Logger } from '../kernel/logger.js';
import type { Ack__Output } from '../proto/generated/picket/link/v1/Ack.js';
import type { Batch } from '../proto/generated/picket/link/v1/Batch.js';
import { BATCH_BYTES_MAX, BATCH_RECORDS_MAX, UNACKNOWLEDGED_BATCHES_MAX } from '../proto/limits.js';
import type { LinkSession } from './link.js';
import type { Spool, SpoolRecord } from './spool/spool.js';

/** Sends the records of the spool to the control plane, in order, and removes them once they are acknowledged. */
export interface BatchSender {
  /** A record was appended. An `urgent` one is sent without waiting for others in its batch. */
  appended(urgent: boolean): void;
  /** Sends on this session from now on, starting with the first unacknowledged record. */
  attach(session: LinkSession): void;
  detach(): void;
  writable(): void;
  ack(ack: Ack__Output): void;
  /** Returns the number of records that the control plane has rejected permanently, since the start of the process. */
  rejectedTotal(): number;
  /** Returns whether all records are acknowledged, or there is no session to send them on. */
  drained(): boolean;
}

/** This many records are sent without waiting for more, because larger batches are hardly more efficient. */
const BATCH_RECORDS_TYPICAL = 250;
/** The longest time that a record waits for others in its batch. */
const LINGER_MS = 1_000;
const REJECTION_LOG_PERIOD_MS = 60_000;

export function createBatchSender(needs: { spool: Spool; clock: Clock; logger: Logger }): BatchSender {
  const { spool } = needs;
  let session: LinkSession | null = null;
  let isWritable = false;
  /** The bytes that the next batch may have, alone; 0: several batches of the full size may be sent. */
  let windowBytes = 0;
  const sent = createSentBatches();
  /** Records up to this one are sent without waiting for others. */
  let dueSeq = 0;
  const rejections = createRejectionCount(needs);
  const linger = createDelayedRun(needs.clock, LINGER_MS, () => {
    dueSeq = spool.lastSeq();
    pump();
  });

  function pump(): void {
    const batchesMax = windowBytes > 0 ? 1 : UNACKNOWLEDGED_BATCHES_MAX;
    while (session !== null && isWritable && sent.unacknowledged() < batchesMax) {
      const waiting = spool.lastSeq() - sent.lastSeq();
      if (waiting <= 0) return;
      if (waiting < BATCH_RECORDS_TYPICAL && sent.lastSeq() >= dueSeq) return;
      if (!sendBatch(session)) return;
    }
  }

  function sendBatch(target: LinkSession): boolean {
    const bytes = windowBytes > 0 ? Math.min(windowBytes, BATCH_BYTES_MAX) : BATCH_BYTES_MAX;
    const records = spool.read(sent.lastSeq(), { records: BATCH_RECORDS_MAX, bytes });
    const last = records.at(-1);
    if (last === undefined) return false;
    isWritable = target.send({ batch: batchOf(records, spool.stats().droppedTotal) });
    sent.add(last.seq);
    return true;
  }

  return {
    appended(urgent) {
      if (urgent) dueSeq = spool.lastSeq();
      else linger.request();
      pump();
    },
    attach(attached) {
      session = attached;
      isWritable = true;
      windowBytes = attached.windowBytes;
      sent.startAfter(spool.ackedSeq());
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
      rejections.add(ack);
      windowBytes = ack.windowBytes;
      // Records that were not sent on this session cannot be acknowledged on it.
      spool.ack(Math.min(ack.upToSeq, sent.lastSeq()));
      sent.acknowledge(ack.upToSeq);
      pump();
    },
    rejectedTotal: rejections.total,
    drained: () => session === null || spool.stats().records === 0,
  };
}

/** The batches that were sent on the current session. */
function createSentBatches(): {
  /** A new session begins, which sends the records after this one. */
  startAfter(seq: number): void;
  add(lastSeq: number): void;
  acknowledge(upToSeq: number): void;
  /** The newest record that was sent. */
  lastSeq(): number;
  unacknowledged(): number;
} {
  let sentSeq = 0;
  /** The last sequence numbers of the unacknowledged batches, oldest first. */
  let open: number[] = [];
  return {
    startAfter(seq) {
      sentSeq = seq;
      open = [];
    },
    add(lastSeq) {
      sentSeq = lastSeq;
      open.push(lastSeq);
    },
    acknowledge(upToSeq) {
      open = open.filter((last) => last > upToSeq);
    },
    lastSeq: () => sentSeq,
    unacknowledged: () => open.length,
  };
}

function batchOf(records: readonly SpoolRecord[], droppedTotal: number): Batch {
  return { firstSeq: records[0]?.seq ?? 0, records: records.map((record) => record.bytes), droppedTotal };
}

/** Counts permanently rejected records, and logs them at most once a minute. */
function createRejectionCount(needs: { clock: Clock; logger: Logger }): {
  add(ack: Ack__Output): void;
  total(): number;
} {
  const { clock, logger } = needs;
  let rejected = 0;
  let loggedAt = Number.NEGATIVE_INFINITY;
  return {
    add(ack) {
      const first = ack.rejections[0];
      if (first === undefined) return;
      rejected += ack.rejections.length;
      if (clock.monotonic() - loggedAt < REJECTION_LOG_PERIOD_MS) return;
      loggedAt = clock.monotonic();
      logger.warn(
        { rejected_total: rejected, seq: first.seq, reason: first.reason },
        'the control plane rejected records, dropping them',
      );
    },
    total: () => rejected,
  };
}
