import { backoffMs } from '../../../kernel/backoff.js';

/** The outcome of one attempt. */
export type Outcome =
  /** The channel accepted the message. `warning` is a partial failure, such as a rejected recipient. */
  | { kind: 'sent'; responseStatus: number | null; warning: string | null }
  /** This installation cannot send it (e-mail without a mail server); the message was logged. */
  | { kind: 'skipped'; reason: string }
  /** No recipient has confirmed that they want the messages, so nobody got it. */
  | { kind: 'unconfirmed'; reason: string }
  /** A retry may succeed: no response, 5xx, 408, 425, 429, a redirect. */
  | {
      kind: 'retry';
      error: string;
      responseStatus: number | null;
      retryAfterMs: number | null;
      /** The recipients that got the message, if it reached some. */
      reached?: readonly string[];
      /** The cause lies with single recipients, so the next message may reach the others. */
      ofSome?: true;
    }
  /** The receiver rejected the message (other 4xx). A retry is unlikely to succeed, so only a few follow. */
  | { kind: 'refused'; error: string; responseStatus: number | null }
  /** 410: the receiver was removed permanently, so the channel is disabled. */
  | { kind: 'gone'; error: string; responseStatus: number | null };

/** The state of a row after an attempt. */
export type Next =
  | { state: 'sent'; error: string | null }
  | { state: 'failed'; error: string }
  | { state: 'pending'; atMs: number; error: string };

/** How long a notification is retried. */
export const RETRY_FOR_MS = 24 * 3_600_000;
/** Attempts of a refused notification, at least 30 s apart, because a deployment of the receiver can be the cause. */
const REFUSALS_MAX = 4;
const REFUSED_BACKOFF_MS_MIN = 30_000;
/**
 * Attempts of a message that only some of its recipients refuse for now: eight minutes, longer than most mail servers delay
 * unknown senders. The next notifications to the others wait for it.
 */
const OF_SOME_ATTEMPTS_MAX = 9;
/** 2 s, 4 s, 8 s … 30 min. */
const BACKOFF = { firstMs: 2_000, maxMs: 30 * 60_000 };
/** Maximum pause that a receiver can request with `Retry-After`. */
export const RETRY_AFTER_MS_MAX = 60 * 60_000;

/** Returns the next state of a row. `attempts` and `refusals` include the attempt with this outcome. Pure. */
export function afterAttempt(
  outcome: Outcome,
  row: { attempts: number; refusals: number; retryUntilMs: number },
  nowMs: number,
  fraction: number,
): Next {
  if (outcome.kind === 'sent') return { state: 'sent', error: outcome.warning };
  if (outcome.kind === 'skipped' || outcome.kind === 'unconfirmed') return { state: 'sent', error: outcome.reason };
  if (outcome.kind === 'gone') return { state: 'failed', error: outcome.error };
  if (outcome.kind === 'refused' && row.refusals >= REFUSALS_MAX) return { state: 'failed', error: outcome.error };
  const pauseMsMin =
    outcome.kind === 'retry' ? Math.min(outcome.retryAfterMs ?? 0, RETRY_AFTER_MS_MAX) : REFUSED_BACKOFF_MS_MIN;
  const pauseMs = Math.max(pauseMsMin, backoffMs(row.attempts, fraction, BACKOFF));
  const atMs = nowMs + pauseMs;
  const isLast = outcome.kind === 'retry' && outcome.ofSome === true && row.attempts >= OF_SOME_ATTEMPTS_MAX;
  if (isLast || atMs > row.retryUntilMs) {
    const reachedSome = outcome.kind === 'retry' && (outcome.reached ?? []).length > 0;
    return { state: reachedSome ? 'sent' : 'failed', error: outcome.error };
  }
  return { state: 'pending', atMs, error: outcome.error };
}
