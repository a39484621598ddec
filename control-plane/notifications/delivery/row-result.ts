import type { IncidentHead } from '../../incidents/incidents.js';
import type { ChannelDocument, OutboxRow } from '../documents.js';
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
