import type { Logger } from '../../../kernel/logger.js';
import type { Random } from '../../../kernel/random.js';
import type { IncidentHead } from '../../incidents/incidents.js';
import { count } from '../../wording.js';
import type { ChannelDocument, OutboxRow } from '../documents.js';
import type { Message } from '../message.js';
import type { NotificationMetrics } from '../notifications.js';
import { type DeliveryDecision, decideDelivery } from '../policy.js';
import { type ClaimContext, type ClaimContextNeeds, messageOf, readClaimContext } from './claim-context.js';
import { type KeepLeaseNeeds, whileLeased } from './keep-lease.js';
import type { RecordResult } from './record-result.js';
import { afterAttempt } from './retry.js';
import type { AttemptResult } from './row-result.js';
import { policyChannel, policyIncident, policyRow } from './rows.js';
import { type Send, unexpected } from './send.js';

interface AttemptNeeds extends ClaimContextNeeds, Pick<KeepLeaseNeeds, 'leaseMs'> {
  recordResult: RecordResult;
  send: Send;
  metrics: NotificationMetrics;
  random: Random;
  logger: Logger;
}

/** A row that starts later than this after its claim is released, because its lease could end while it is sent. */
const START_WITHIN_MS = 10_000;
/** Maximum age of the data that decides a delivery, because a user may have acknowledged the incident since. */
const CONTEXT_AGE_MS_MAX = 2_000;

/** The notifications of a stopped workspace wait, and are decided again this often. */
const STOPPED_RECHECK_MS = 15_000;

/** What an attempt showed about its channel. `not_contacted`: nothing was sent. */
export interface Answer {
  channel: 'delivered' | 'failed' | 'not_contacted';
  /** The channel accepts nothing before then; null without a pause. */
  pausedUntilMs: number | null;
  /** How long the receiver took; null if nothing was sent. */
  tookMs: number | null;
}

/**
 * Returns a function for each of the rows that were claimed together for one channel. It decides about the row, sends it
 * and records the result. It rejects only if the database is unavailable before the send. `claimedAt`: monotonic time
 * before the claim, which may take as long as a row may wait for its start, so that no lease began earlier.
 */
export type Attempts = (rows: readonly OutboxRow[], stops: Stops, claimedAt: number) => (() => Promise<Answer>)[];

/** `draining`: starts no new send. `cutOff`: aborts sends in progress. */
export interface Stops {
  draining: AbortSignal;
  cutOff: AbortSignal;
}

const NOT_CONTACTED: Answer = { channel: 'not_contacted', pausedUntilMs: null, tookMs: null };

export function createAttempts(needs: AttemptNeeds): Attempts {
  const { clock } = needs;
  return (rows, stops, claimedAt) => {
    const reading = readClaimContext(needs, rows);
    // Each row handles the rejection when it starts.
    reading.catch(() => undefined);
    return rows.map((row) => async () => {
      const context = await reading;
      const startedAt = clock.monotonic();
      const isStale = startedAt - claimedAt > START_WITHIN_MS || startedAt - context.readAt > CONTEXT_AGE_MS_MAX;
      return deliverRow(needs, row, context, isStale, stops);
    });
  };
}

async function deliverRow(
  needs: AttemptNeeds,
  row: OutboxRow,
  context: ClaimContext,
  isStale: boolean,
  stops: Stops,
): Promise<Answer> {
  const { clock, recordResult } = needs;
  const { channel } = context;
  const head = context.heads.get(row.incident_id) ?? null;
  const release = async (untilMs: number) => recordResult({ kind: 'released', row, untilMs }, stops.cutOff);
  if (isStale || stops.draining.aborted) {
    await release(clock.now());
    return NOT_CONTACTED;
  }
  if (context.stopped) {
    const untilMs = clock.now() + STOPPED_RECHECK_MS;
    await release(untilMs);
    return { ...NOT_CONTACTED, pausedUntilMs: untilMs };
  }
  const decision = decide(row, context, head, clock.now());
  if (decision.action === 'withdraw' || head === null || channel === null) {
    const reason = decision.action === 'withdraw' ? decision.reason : '';
    await recordResult({ kind: 'withdrawn', row, reason }, stops.cutOff);
    return NOT_CONTACTED;
  }
  if (decision.action === 'wait') {
    await release(decision.untilMs);
    const isPaused = channel.paused_until_ms > clock.now();
    return { ...NOT_CONTACTED, pausedUntilMs: isPaused ? decision.untilMs : null };
  }
  const message = () => messageOf(needs, row, context);
  return attempt(needs, { row, head, channel, message }, stops.cutOff);
}

function decide(row: OutboxRow, context: ClaimContext, head: IncidentHead | null, nowMs: number): DeliveryDecision {
  const { channel } = context;
  const siblings = context.siblings.filter((other) => other.incident_id === row.incident_id && other._id !== row._id);
  return decideDelivery(
    policyRow(row),
    siblings.map(policyRow),
    head === null ? null : policyIncident(head),
    channel === null ? null : policyChannel(channel),
    nowMs,
  );
}

async function attempt(
  needs: AttemptNeeds,
  delivery: { row: OutboxRow; head: IncidentHead; channel: ChannelDocument; message: () => Message },
  stop: AbortSignal,
): Promise<Answer> {
  const { row, head, channel } = delivery;
  const sending = () => whileLeased(needs, row, async () => needs.send(channel, delivery.message(), stop, row.reached));
  const outcome = await sending().catch(unexpected);
  const attemptedMs = needs.clock.now();
  const refusals = row.refusals + (outcome.kind === 'refused' ? 1 : 0);
  const used = { attempts: row.attempts, refusals, retryUntilMs: row.give_up_ms };
  // A send that this process aborted to stop is not the channel's failure: another process retries it at once.
  const next: AttemptResult['next'] =
    stop.aborted && outcome.kind === 'retry'
      ? { state: 'pending', atMs: attemptedMs, error: outcome.error }
      : afterAttempt(outcome, used, attemptedMs, needs.random.fraction());
  const result: AttemptResult = {
    kind: 'attempted',
    ...{ row, incident: head, channel, outcome, next, refusals, attemptedMs },
  };
  await needs.recordResult(result, stop);
  recordMetrics(needs, result);
  const retryAfterMs = outcome.kind === 'retry' ? outcome.retryAfterMs : null;
  return {
    channel: next.state === 'sent' ? 'delivered' : 'failed',
    pausedUntilMs: retryAfterMs === null ? null : attemptedMs + retryAfterMs,
    tookMs: 'durationMs' in outcome ? outcome.durationMs : null,
  };
}

function recordMetrics({ metrics, logger }: AttemptNeeds, { row, outcome, next, attemptedMs }: AttemptResult): void {
  if (next.state === 'pending') metrics.retried(row.channel_type);
  if (next.state === 'sent' && outcome.kind === 'sent') {
    metrics.sent(row.channel_type);
    metrics.delivered(row.channel_type, Math.max(0, attemptedMs - row.first_due_ms));
  }
  if (outcome.kind === 'unconfirmed') {
    metrics.unconfirmed(row.channel_type);
    // Without the addresses, which are in the result.
    logger.warn({ notification: row._id }, 'nobody got a notification: no recipient of its channel has confirmed');
  }
  if (next.state !== 'failed') return;
  metrics.failed(row.channel_type);
  logger.warn(
    { notification: row._id, attempts: row.attempts, error: next.error },
    `notification failed permanently after ${count(row.attempts, 'attempt')}`,
  );
}
