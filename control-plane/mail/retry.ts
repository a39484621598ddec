import { backoffMs } from '../../kernel/backoff.js';
import type { MailDocument } from './documents.js';
import type { MailOutcome } from './outcome.js';
import type { MailSettlement } from './store.js';

const DAY_MS = 86_400_000;
/** How long support can see what happened to a mail. */
export const KEPT_MS = 30 * DAY_MS;

const FIRST_BACKOFF_MS = 2_000;
/** The longest backoff of a mail depends on how long it is valid: a link for 30 minutes is retried every 2 minutes. */
const BACKOFFS_PER_VALIDITY = 15;
const LONGEST_BACKOFF_MS = { min: 60_000, max: 30 * 60_000 };

type Retried = Pick<MailDocument, 'attempts' | 'created_at_ms' | 'expires_at_ms'>;

/**
 * Returns what an attempt changes of its mail. `attempts` includes it; `fraction` is random. A final mail loses its
 * content. Pure.
 */
export function afterAttempt(outcome: MailOutcome, mail: Retried, nowMs: number, fraction: number): MailSettlement {
  const { responseStatus } = outcome;
  if (outcome.kind === 'sent') return final('sent', nowMs, { error: outcome.warning, response_status: responseStatus });
  const failed = { error: outcome.error, response_status: responseStatus };
  if (outcome.kind === 'refused')
    return { ...final('failed', nowMs, failed), ...(outcome.ofAddress ? { address_refused: true } : {}) };
  const nextMs = nowMs + backoffMs(mail.attempts, fraction, backoffOf(mail));
  if (nextMs >= mail.expires_at_ms) return final('failed', nowMs, failed);
  const waiting = outcome.cause === 'server' ? 'server' : 'backoff';
  return { state: 'pending', next_attempt_ms: nextMs, waiting, ...failed };
}

/** Returns what changes of a mail that becomes final. */
export function final(
  state: 'sent' | 'failed' | 'expired',
  nowMs: number,
  result: Pick<MailSettlement, 'error' | 'response_status'>,
): MailSettlement {
  return { state, sealed: null, waiting: null, finished_ms: nowMs, remove_at: new Date(nowMs + KEPT_MS), ...result };
}

function backoffOf({ created_at_ms, expires_at_ms }: Retried) {
  const share = (expires_at_ms - created_at_ms) / BACKOFFS_PER_VALIDITY;
  const maxMs = Math.min(LONGEST_BACKOFF_MS.max, Math.max(LONGEST_BACKOFF_MS.min, share));
  return { firstMs: FIRST_BACKOFF_MS, maxMs };
}
