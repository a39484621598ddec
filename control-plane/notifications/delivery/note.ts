import type { Clock } from '../../../kernel/clock.js';
import type { Logger } from '../../../kernel/logger.js';
import type { AuditLog } from '../../audit/audit.js';
import type { RunTransaction, Transaction } from '../../storage/transaction.js';
import type { ChannelStore } from '../channel-settings/store.js';
import { type ChannelDocument, notificationId, type OutboxRow } from '../documents.js';
import type { IncidentHead, WorkspaceSystemActor } from '../notifications.js';
import { nextReminder, type PlannedRow, REMINDERS_KEPT, reminderEvent } from '../policy.js';
import { createGroups } from './groups.js';
import type { OutboxStore, Settlement } from './outbox-store.js';
import { type Next, type Outcome, RETRY_AFTER_MS_MAX } from './retry.js';
import { factsOf, rowFacts, rowOf, timingOf } from './rows.js';

interface NoteDeps {
  channelStore: ChannelStore;
  outbox: OutboxStore;
  runTransaction: RunTransaction;
  audit: AuditLog;
  systemActor: WorkspaceSystemActor;
  clock: Clock;
  logger: Logger;
}

/** What came of a claimed row. */
export type Noted =
  | {
      kind: 'attempted';
      row: OutboxRow;
      /** As it was when the row was judged. */
      incident: IncidentHead;
      channel: ChannelDocument;
      outcome: Outcome;
      next: Next;
      refusals: number;
      attemptedMs: number;
    }
  | { kind: 'withdrawn'; row: OutboxRow; reason: string }
  /** Not tried: it goes back until then. */
  | { kind: 'released'; row: OutboxRow; untilMs: number };
export type Attempted = Extract<Noted, { kind: 'attempted' }>;

/** Resolves once the outcome is written, or once waiting for the database has no more use. Never rejects. */
export type Note = (noted: Noted, stop: AbortSignal) => Promise<void>;

const GROUP_MAX = 200;
/** An outcome is noted even when the database is away for a while; until then nobody else can claim the row either. */
const NOTE_TRIES_MAX = 120;
const NOTE_PAUSE_MS = 500;

/**
 * Writes outcomes on their rows; none where another holder has the row by now. Outcomes that come together are
 * written together, without a transaction: what must be there before a row is final is written before it, and
 * writing it twice, after a kill in between, is the same as once.
 */
export function createNote(deps: NoteDeps): Note {
  const { outbox, channelStore, clock } = deps;

  /** 410: nobody is there any more, and whoever looks at the channel can see why it is quiet. */
  async function disable(tx: Transaction, channel: ChannelDocument, reason: string): Promise<void> {
    const disabled = await channelStore.disable(tx, channel.workspace_id, channel._id, reason, clock.now());
    if (disabled === null) return;
    await deps.audit.record(tx, await deps.systemActor(channel.workspace_id), {
      action: 'channel.updated',
      resource: { type: 'channel', id: channel._id, name: channel.name },
      metadata: { changes: { enabled: { from: true, to: false } }, reason },
      severity: 'warning',
    });
  }

  /** The channel was disabled because of this very answer: either both are on record or neither is. */
  function settleGone(noted: Attempted, error: string): Promise<number> {
    return deps.runTransaction(async (tx) => {
      const settled = await outbox.settle([{ row: noted.row, settlement: settlementOf(noted, clock.now()) }], tx);
      if (settled === 1) await disable(tx, noted.channel, error);
      return settled;
    });
  }

  /** What has to be there before the rows are final. */
  async function prepare(attempted: readonly Attempted[]): Promise<void> {
    const pauses = new Map<ChannelDocument, number>();
    for (const { channel, outcome, attemptedMs } of attempted) {
      if (outcome.kind !== 'retry' || outcome.retryAfterMs === null) continue;
      const untilMs = attemptedMs + Math.min(outcome.retryAfterMs, RETRY_AFTER_MS_MAX);
      pauses.set(channel, Math.max(untilMs, pauses.get(channel) ?? 0));
    }
    for (const [channel, untilMs] of pauses) await channelStore.pause(channel.workspace_id, channel._id, untilMs);
    const reminders = attempted.flatMap((noted) => reminderOf(noted));
    await outbox.insertMissing(reminders.map(({ fresh }) => fresh));
    for (const { row, outdated } of reminders) if (outdated !== null) await outbox.remove(row.workspace_id, [outdated]);
  }

  async function write(group: readonly Noted[]): Promise<void> {
    await prepare(group.filter((noted) => noted.kind === 'attempted'));
    let settled = 0;
    const together: Noted[] = [];
    for (const noted of group) {
      if (noted.kind !== 'attempted' || noted.outcome.kind !== 'gone') together.push(noted);
      else settled += await settleGone(noted, noted.outcome.error);
    }
    settled += await outbox.settle(
      together.map((noted) => ({ row: noted.row, settlement: settlementOf(noted, clock.now()) })),
    );
    if (settled === group.length) return;
    deps.logger.warn({ notifications: group.length - settled }, 'another control plane took notifications over');
  }

  const writeTogether = createGroups(GROUP_MAX, write);

  return async (noted, stop) => {
    for (let attempt = 1; ; attempt++) {
      try {
        // After a failure each by itself: one that cannot be written must not keep the others from it.
        return await (attempt === 1 ? writeTogether(noted) : write([noted]));
      } catch (err) {
        const notification = noted.row._id;
        deps.logger.error({ err, notification, attempt }, 'the outcome of a notification could not be noted');
        if (attempt === NOTE_TRIES_MAX || stop.aborted) return;
        await clock.sleep(NOTE_PAUSE_MS, stop);
      }
    }
  };
}

/** What the row says from now on. Pure. */
function settlementOf(noted: Noted, nowMs: number): Settlement {
  const { row } = noted;
  if (noted.kind === 'released') {
    return { state: 'pending', next_attempt_ms: noted.untilMs, waiting: 'retry', attempts: row.attempts - 1 };
  }
  // Whatever is final tells nobody any more, so it need not carry the incident.
  const final = { snapshot: null };
  if (noted.kind === 'withdrawn') {
    return { state: 'withdrawn', error: noted.reason, finished_ms: nowMs, attempts: row.attempts - 1, ...final };
  }
  const { next, outcome, attemptedMs, refusals } = noted;
  const attempted = { attempted_ms: attemptedMs, refusals, error: next.error };
  if (next.state === 'pending') {
    return { state: 'pending', next_attempt_ms: next.atMs, waiting: 'retry', ...attempted };
  }
  return {
    state: next.state,
    finished_ms: attemptedMs,
    logged_only: outcome.kind === 'skipped',
    ...attempted,
    ...final,
  };
}

/** The reminder that follows, and the id of the one that is old enough to go; empty when none follows. */
function reminderOf({ row, incident, channel, next, attemptedMs }: Attempted) {
  if (next.state !== 'sent') return [];
  const planned = nextReminder(rowFacts(row), timingOf(channel), factsOf(incident), attemptedMs);
  if (planned === null) return [];
  const fresh = rowOf(planned, channel.type, incident, null, attemptedMs);
  return [{ row, fresh, outdated: outdatedBy(planned, incident._id) }];
}

function outdatedBy({ sequence, channelId }: PlannedRow, incidentId: string): string | null {
  const number = sequence - REMINDERS_KEPT;
  return number < 1 ? null : notificationId(incidentId, reminderEvent(number), channelId);
}
