import type { Clock } from '../../kernel/clock.js';
import type { Logger } from '../../kernel/logger.js';
import type { AuditLog } from '../audit/audit.js';
import type { IncidentDocument } from '../incidents/documents.js';
import type { Transaction } from '../storage/transaction.js';
import type { ChannelStore } from './channel-store.js';
import type { ChannelDocument, OutboxRow } from './documents.js';
import type { IncidentRecords, WorkspaceSystemActor } from './notifications.js';
import type { OutboxNote, OutboxStore } from './outbox-store.js';
import { nextReminder } from './policy.js';
import { type Next, type Outcome, RETRY_AFTER_MS_MAX } from './retry.js';
import { entryOf, factsOf, rowFacts, rowOf, timingOf } from './rows.js';

interface NoteDeps {
  channelStore: ChannelStore;
  outbox: OutboxStore;
  incidents: IncidentRecords;
  audit: AuditLog;
  systemActor: WorkspaceSystemActor;
  clock: Clock;
  logger: Logger;
}

/** What came of an attempt. */
export interface Attempted {
  row: OutboxRow;
  /** As it was when the row was judged. */
  incident: IncidentDocument;
  channel: ChannelDocument;
  outcome: Outcome;
  next: Next;
  refusals: number;
  attemptedMs: number;
}

/** Writes outcomes, on the row and on its incident together; neither when another holder has the row by now. */
export interface Notes {
  withdrawn(tx: Transaction, row: OutboxRow, reason: string): Promise<void>;
  attempted(tx: Transaction, done: Attempted): Promise<void>;
}

export function createNotes(deps: NoteDeps): Notes {
  const { outbox, incidents, channelStore, clock } = deps;

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

  /** What an outcome means beyond its own row. */
  async function follow(tx: Transaction, done: Attempted): Promise<void> {
    const { row, incident, channel, outcome, next, attemptedMs } = done;
    if (next.state === 'sent') {
      const planned = nextReminder(rowFacts(row), timingOf(channel), factsOf(incident), attemptedMs);
      if (planned !== null) await outbox.insert(tx, [rowOf(planned, channel.type, incident, attemptedMs)]);
    }
    if (outcome.kind === 'gone') await disable(tx, channel, outcome.error);
    if (outcome.kind === 'retry' && outcome.retryAfterMs !== null) {
      const pauseMs = Math.min(outcome.retryAfterMs, RETRY_AFTER_MS_MAX);
      await channelStore.pause(tx, row.workspace_id, channel._id, attemptedMs + pauseMs);
    }
  }

  return {
    async withdrawn(tx, row, reason) {
      const note = { nextAttemptMs: row.next_attempt_ms, refusals: row.refusals, error: reason };
      if (!(await outbox.note(tx, row, { ...note, state: 'withdrawn', finishedMs: clock.now() }))) return;
      const untried = { ...row, attempts: row.attempts - 1 };
      const entry = entryOf(untried, { status: 'skipped', sentAtMs: null, error: reason });
      await incidents.recordNotification(tx, row.workspace_id, row.incident_id, entry);
    },
    async attempted(tx, done) {
      const { row, outcome, next, attemptedMs } = done;
      const note: OutboxNote = {
        state: next.state,
        nextAttemptMs: next.state === 'pending' ? next.atMs : row.next_attempt_ms,
        refusals: done.refusals,
        error: next.error,
        finishedMs: next.state === 'pending' ? null : attemptedMs,
      };
      if (!(await outbox.note(tx, row, note))) {
        deps.logger.warn({ notification: row._id }, 'another control plane took this notification over');
        return;
      }
      const status = outcome.kind === 'skipped' ? 'skipped' : next.state;
      const entry = entryOf(row, { status, sentAtMs: attemptedMs, error: next.error });
      await incidents.recordNotification(tx, row.workspace_id, row.incident_id, entry);
      await follow(tx, done);
    },
  };
}
