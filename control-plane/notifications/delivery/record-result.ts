import type { Clock } from '../../../kernel/clock.js';
import type { Logger } from '../../../kernel/logger.js';
import type { AuditLog } from '../../audit/audit.js';
import type { RunTransaction, Transaction } from '../../storage/transaction.js';
import { type MutedNeeds, mutedBy, mutedInAudit } from '../channel-settings/muted.js';
import type { ChannelStore } from '../channel-settings/store.js';
import { type ChannelDocument, notificationId, type OutboxRow } from '../documents.js';
import type { WorkspaceSystemActor } from '../notifications.js';
import { nextReminder, type PlannedRow, REMINDERS_KEPT, reminderEvent } from '../policy.js';
import { createBatches } from './batches.js';
import { createLeaseKeeper } from './keep-lease.js';
import type { LastDeliveries } from './last-deliveries.js';
import { RowsLocked } from './outbox-queue-store.js';
import type { OutboxStore } from './outbox-store.js';
import { RETRY_AFTER_MS_MAX } from './retry.js';
import { type AttemptResult, type RowResult, settlementOf } from './row-result.js';
import { policyChannel, policyIncident, policyRow, rowOf } from './rows.js';

interface RecordResultNeeds {
  channelStore: ChannelStore;
  references: MutedNeeds['references'];
  outbox: OutboxStore;
  lastDeliveries: Pick<LastDeliveries, 'add'>;
  /** How long other control planes leave a claimed row alone. */
  leaseMs: number;
  runTransaction: RunTransaction;
  audit: AuditLog;
  systemActor: WorkspaceSystemActor;
  clock: Clock;
  logger: Logger;
}

/** Resolves when the result is stored, or when `stop` ends the wait for an unavailable database. Never rejects. */
export type RecordResult = (result: RowResult, stop: AbortSignal) => Promise<void>;

const BATCH_RESULTS_MAX = 200;
/** Failed writes are retried for a minute. Longer than a lease, which is renewed meanwhile. */
const WRITE_TRIES_MAX = 120;
const RETRY_PAUSE_MS = 500;
/** A transaction does not begin again later than this. It takes up to 30 s otherwise, in which the lease would end. */
const GONE_MS_MAX = 5_000;

/**
 * Stores the results of claimed rows; skips rows that another holder has claimed since. Concurrent results are written
 * in batches and without a transaction. Documents that a final row requires are written before the row, and these
 * writes are idempotent, so that a crash in between does no harm.
 */
export function createRecordResult(needs: RecordResultNeeds): RecordResult {
  const { clock, logger } = needs;
  const writeBatched = createBatches(BATCH_RESULTS_MAX, (batch: readonly RowResult[]) => write(needs, batch));
  return async (result, stop) => {
    const keepLease = createLeaseKeeper(needs, result.row);
    for (let attempt = 1; ; attempt++) {
      try {
        // Retries are written alone, so that a result that cannot be written does not block others. So is one that disables
        // its channel: it waits for a channel that another transaction has locked.
        const left = await (attempt === 1 && !isGone(result) ? writeBatched(result) : write(needs, [result]));
        if (left?.locked.has(result.row._id) !== true) return;
        throw left;
      } catch (err) {
        const isLast = attempt === WRITE_TRIES_MAX || stop.aborted;
        const next = isLast
          ? 'the notification is claimed again when its lease ends'
          : `retrying in ${RETRY_PAUSE_MS} ms`;
        logger.error({ err, notification: result.row._id, attempt }, `failed to record a delivery result; ${next}`);
        if (isLast || !(await keepLease())) return;
        await clock.sleep(RETRY_PAUSE_MS, stop);
      }
    }
  };
}

function isGone(result: RowResult): result is AttemptResult & { outcome: { kind: 'gone' } } {
  return result.kind === 'attempted' && result.outcome.kind === 'gone';
}

/** Resolves to the error of the results that are not stored because their rows are locked; null if all are stored. */
async function write(needs: RecordResultNeeds, batch: readonly RowResult[]): Promise<RowsLocked | null> {
  const { outbox, clock } = needs;
  const attempted = batch.filter((result) => result.kind === 'attempted');
  await writeRequired(needs, attempted);
  let settled = 0;
  const others: RowResult[] = [];
  for (const result of batch) {
    if (isGone(result)) settled += await settleGone(needs, result, result.outcome.error);
    else others.push(result);
  }
  const settlements = others.map((result) => ({ row: result.row, settlement: settlementOf(result, clock.now()) }));
  const outcome = await outbox.settle(settlements).catch((error: unknown) => {
    if (error instanceof RowsLocked) return error;
    throw error;
  });
  const left = outcome instanceof RowsLocked ? outcome : null;
  settled += outcome instanceof RowsLocked ? outcome.settled + outcome.locked.size : outcome;
  needs.lastDeliveries.add(attempted);
  if (settled < batch.length) {
    needs.logger.warn(
      { notifications: batch.length - settled },
      'another control plane claimed notifications during their delivery; they may be delivered twice',
    );
  }
  return left;
}

/** Writes the documents that final rows require: pauses of channels, and reminders. */
async function writeRequired(
  { channelStore, outbox, logger }: RecordResultNeeds,
  attempted: readonly AttemptResult[],
): Promise<void> {
  const pauses = new Map<ChannelDocument, number>();
  for (const { channel, outcome, attemptedMs } of attempted) {
    if (outcome.kind !== 'retry' || outcome.retryAfterMs === null) continue;
    const untilMs = attemptedMs + Math.min(outcome.retryAfterMs, RETRY_AFTER_MS_MAX);
    pauses.set(channel, Math.max(untilMs, pauses.get(channel) ?? 0));
  }
  const writing = [...pauses].map(([{ _id, workspace_id }, untilMs]) =>
    channelStore.pause(workspace_id, _id, untilMs).catch((err) => {
      // The next delivery learns of it from the receiver.
      logger.warn({ err, channel: _id }, 'other control planes do not know the pause of a channel: writing it failed');
    }),
  );
  await Promise.all(writing);
  const reminders = attempted.flatMap((result) => reminderOf(result));
  await outbox.insertMissing(reminders.map(({ fresh }) => fresh));
  for (const { row, outdated } of reminders) if (outdated !== null) await outbox.remove(row.workspace_id, [outdated]);
}

/** Stores a 410 response and disables its channel, in one transaction. */
function settleGone(needs: RecordResultNeeds, result: AttemptResult, error: string): Promise<number> {
  const untilMs = needs.clock.monotonic() + GONE_MS_MAX;
  return needs.runTransaction(async (tx) => {
    if (needs.clock.monotonic() > untilMs)
      throw new Error('another transaction has locked the notification or channel');
    const settlement = settlementOf(result, needs.clock.now());
    const settled = await needs.outbox.settle([{ row: result.row, settlement }], tx);
    if (settled === 1) await disable(needs, tx, result.channel, error);
    return settled;
  });
}

async function disable(
  { channelStore, references, audit, systemActor, clock }: RecordResultNeeds,
  tx: Transaction,
  channel: ChannelDocument,
  reason: string,
): Promise<void> {
  const disabled = await channelStore.disable(tx, channel.workspace_id, channel._id, reason, clock.now());
  if (disabled === null) return;
  const actor = await systemActor(channel.workspace_id);
  const muted = await mutedBy({ store: channelStore, references }, tx, actor, channel);
  await audit.record(tx, actor, {
    action: 'channel.updated',
    resource: { type: 'channel', id: channel._id, name: channel.name },
    metadata: { changes: { enabled: { from: true, to: false } }, reason, ...mutedInAudit(muted) },
  });
}

/** A reminder that follows a sent row. */
interface FollowingReminder {
  row: OutboxRow;
  fresh: OutboxRow;
  /** ID of an old reminder to remove; null if there is none. */
  outdated: string | null;
}

/** Returns the reminder that follows a result; nothing if none follows. */
function reminderOf({ row, incident, channel, next, attemptedMs }: AttemptResult): FollowingReminder[] {
  if (next.state !== 'sent') return [];
  const planned = nextReminder(policyRow(row), policyChannel(channel), policyIncident(incident), attemptedMs);
  if (planned === null) return [];
  const fresh = rowOf(planned, channel.type, incident, null, attemptedMs);
  return [{ row, fresh, outdated: outdatedBy(planned, incident._id) }];
}

function outdatedBy({ sequence, channelId }: PlannedRow, incidentId: string): string | null {
  const number = sequence - REMINDERS_KEPT;
  return number < 1 ? null : notificationId(incidentId, reminderEvent(number), channelId);
}
