import type { Clock } from '../../kernel/clock.js';
import type { Logger } from '../../kernel/logger.js';
import type { Random } from '../../kernel/random.js';
import type { IncidentDocument } from '../incidents/documents.js';
import type { RunTransaction, Transaction } from '../storage/transaction.js';
import type { ChannelStore } from './channel-store.js';
import type { OutboxRow } from './documents.js';
import { incidentMessage, type Message } from './message.js';
import type { Attempted, Notes } from './note.js';
import type { IncidentRecords, MessageSources, NotificationMetrics } from './notifications.js';
import type { OutboxStore } from './outbox-store.js';
import { judge } from './policy.js';
import { afterAttempt } from './retry.js';
import { factsOf, rowFacts, timingOf } from './rows.js';
import { type Send, unexpected } from './send.js';

interface AttemptDeps {
  channelStore: ChannelStore;
  outbox: OutboxStore;
  incidents: IncidentRecords;
  sources: MessageSources;
  notes: Notes;
  runTransaction: RunTransaction;
  send: Send;
  metrics: NotificationMetrics;
  publicUrl: string;
  clock: Clock;
  random: Random;
  logger: Logger;
}

/** A row that was held up this long since its claim goes back: its lease could end while it is being sent. */
const START_WITHIN_MS = 10_000;
/** An outcome is noted even when the database is away for a while; until then nobody else can claim the row either. */
const NOTE_TRIES_MAX = 120;
const NOTE_PAUSE_MS = 500;

/** Works off one claimed row: judge, send, note. Throws only when the database cannot be reached before the send. */
export type Attempt = (row: OutboxRow, stop: AbortSignal) => Promise<void>;

export function createAttempt(deps: AttemptDeps): Attempt {
  const { clock, outbox, notes } = deps;

  return async (row, stop) => {
    const claimedAt = clock.monotonic();
    const [incident, channel, siblings] = await Promise.all([
      deps.incidents.load(row.workspace_id, row.incident_id),
      deps.channelStore.find(row.workspace_id, row.channel_id),
      outbox.siblings(row),
    ]);
    const judgement = judge(
      rowFacts(row),
      siblings.filter((other) => other._id !== row._id).map(rowFacts),
      incident === null ? null : factsOf(incident),
      channel === null ? null : timingOf(channel),
      clock.now(),
    );
    if (judgement.do === 'withdraw' || incident === null || channel === null) {
      const reason = judgement.do === 'withdraw' ? judgement.reason : '';
      return persist(row, (tx) => notes.withdrawn(tx, row, reason), stop);
    }
    if (judgement.do === 'wait') return outbox.release(row, judgement.untilMs);
    if (stop.aborted || clock.monotonic() - claimedAt > START_WITHIN_MS) return outbox.release(row, clock.now());

    const outcome = await messageOf(row, incident).then((message) => deps.send(channel, message, stop), unexpected);
    const attemptedMs = clock.now();
    const refusals = row.refusals + (outcome.kind === 'refused' ? 1 : 0);
    const spent = { attempts: row.attempts, refusals, giveUpMs: row.give_up_ms };
    // A send that this process cut off to stop is not the channel's failure: another process takes it at once.
    const next: Attempted['next'] =
      stop.aborted && outcome.kind === 'retry'
        ? { state: 'pending', atMs: attemptedMs, error: outcome.error }
        : afterAttempt(outcome, spent, attemptedMs, deps.random.fraction());
    const done: Attempted = { row, incident, channel, outcome, next, refusals, attemptedMs };
    await persist(row, (tx) => notes.attempted(tx, done), stop);
    count(deps, done);
    if (next.state === 'sent') await outbox.hurry(row, clock.now());
  };

  /** A step or a reminder tells how things are now; what was due at once tells how they were. */
  async function messageOf(row: OutboxRow, current: IncidentDocument): Promise<Message> {
    const incident = row.incident ?? current;
    const { monitor_id } = incident;
    return incidentMessage({
      ...deps.sources,
      id: row._id,
      event: row.event,
      eventMs: row.incident === null ? row.first_due_ms : row.event_ms,
      incident,
      monitor: monitor_id === null ? null : await deps.sources.monitor(row.workspace_id, monitor_id),
      publicUrl: deps.publicUrl,
    });
  }

  /**
   * After a send the outcome must be noted, or it is sent again: a database that is away is waited for. A stop
   * ends the waiting; the lease then runs out and the notification goes out once more with the same id.
   */
  async function persist(row: OutboxRow, write: (tx: Transaction) => Promise<void>, stop: AbortSignal): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await deps.runTransaction(write);
      } catch (err) {
        deps.logger.error({ err, notification: row._id, attempt }, 'the outcome of a notification could not be noted');
        if (attempt === NOTE_TRIES_MAX || stop.aborted) return;
        await clock.sleep(NOTE_PAUSE_MS, stop);
      }
    }
  }
}

function count({ metrics, logger }: AttemptDeps, { row, outcome, next, attemptedMs }: Attempted): void {
  if (next.state === 'pending') metrics.retried(row.channel_type);
  if (next.state === 'sent' && outcome.kind === 'sent') {
    metrics.sent(row.channel_type);
    metrics.delivered(row.channel_type, Math.max(0, attemptedMs - row.first_due_ms));
  }
  if (next.state !== 'failed') return;
  metrics.failed(row.channel_type);
  logger.warn({ notification: row._id, attempts: row.attempts, error: next.error }, 'a notification was given up');
}
