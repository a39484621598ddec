import type { IncidentHead } from '../../incidents/incidents.js';
import type { ChannelDocument, DeliveryAttempt, OutboxRow } from '../documents.js';
import type { Settlement } from './outbox-queue-store.js';
import type { Next, Outcome } from './retry.js';

/** The result of a claimed row. */
export type RowResult =
  | {
      kind: 'attempted';
      row: OutboxRow;
      /** The incident when the delivery was decided. */
      incident: IncidentHead;
      channel: ChannelDocument;
      outcome: Outcome;
      next: Next;
      refusals: number;
      attemptedMs: number;
    }
  | { kind: 'withdrawn'; row: OutboxRow; reason: string }
  /** Not attempted; the row is due again at `untilMs`. */
  | { kind: 'released'; row: OutboxRow; untilMs: number };
export type AttemptResult = Extract<RowResult, { kind: 'attempted' }>;

/** Number of attempts of a notification whose results are kept. */
const ATTEMPTS_KEPT = 10;

/** Returns what is stored of an attempt. Pure. */
export function attemptOf({ outcome, attemptedMs: at_ms }: AttemptResult): DeliveryAttempt {
  if (outcome.kind === 'skipped' || outcome.kind === 'unconfirmed')
    return { at_ms, status: outcome.kind, response_status: null, error: outcome.reason };
  const { responseStatus: response_status } = outcome;
  return outcome.kind === 'sent'
    ? { at_ms, status: 'sent', response_status, error: outcome.warning }
    : { at_ms, status: 'failed', response_status, error: outcome.error };
}

/** Returns the fields of the row that a result changes. Pure. */
export function settlementOf(result: RowResult, nowMs: number): Settlement {
  const { row } = result;
  if (result.kind === 'released') {
    return { state: 'pending', next_attempt_ms: result.untilMs, waiting: 'retry', attempts: row.attempts - 1 };
  }
  // A final row sends nothing, so it does not need its copy of the incident.
  const final = { snapshot: null };
  if (result.kind === 'withdrawn') {
    return { state: 'withdrawn', error: result.reason, finished_ms: nowMs, attempts: row.attempts - 1, ...final };
  }
  const { next, outcome, attemptedMs, refusals } = result;
  const attempt_log = [...(row.attempt_log ?? []), attemptOf(result)].slice(-ATTEMPTS_KEPT);
  const attempted = { attempted_ms: attemptedMs, refusals, error: next.error, attempt_log };
  if (next.state === 'pending') {
    const reached = outcome.kind === 'retry' ? (outcome.reached ?? []) : [];
    return {
      ...{ state: 'pending', next_attempt_ms: next.atMs, waiting: 'retry', ...attempted },
      ...(reached.length === 0 ? {} : { reached: [...new Set([...(row.reached ?? []), ...reached])] }),
    };
  }
  return {
    state: next.state,
    finished_ms: attemptedMs,
    logged_only: outcome.kind === 'skipped' || outcome.kind === 'unconfirmed',
    ...(outcome.kind === 'unconfirmed' ? { unconfirmed: true } : {}),
    ...attempted,
    ...final,
  };
}
