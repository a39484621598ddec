import { growingPauseMs } from '../../../kernel/growing-pause.js';

/** The result of one attempt, as a channel reports it. */
export type Outcome =
  /** The channel took it. `note` names what was odd, e.g. a recipient that was refused. */
  | { kind: 'sent'; responseStatus: number | null; note: string | null }
  /** Nothing can be sent by this installation (e-mail without a server); it is in the log. */
  | { kind: 'skipped'; reason: string }
  /** May work later: no answer, 5xx, 408, 425, 429, a redirect. */
  | { kind: 'retry'; error: string; responseStatus: number | null; retryAfterMs: number | null }
  /** The channel understood and refused (other 4xx): little hope, so only a few more tries. */
  | { kind: 'refused'; error: string; responseStatus: number | null }
  /** 410: the receiver is gone for good; the channel is disabled. */
  | { kind: 'gone'; error: string; responseStatus: number | null };

/** What a row becomes after an attempt. */
export type Next =
  | { state: 'sent'; error: string | null }
  | { state: 'failed'; error: string }
  | { state: 'pending'; atMs: number; error: string };

/** How long a notification is tried. */
export const GIVE_UP_AFTER_MS = 24 * 3_600_000;
/** A refusal is tried again in case the receiver is just being deployed: four tries, at least 30 s apart. */
export const REFUSALS_MAX = 4;
const REFUSED_PAUSE_MS_MIN = 30_000;
const PAUSE = { firstMs: 2_000, maxMs: 30 * 60_000 };
/** A receiver can ask for a longer pause than ours, but not for one that outlasts the day. */
export const RETRY_AFTER_MS_MAX = 60 * 60_000;

/**
 * Pause after the n-th failed attempt (n from 1): 2 s, 4 s, 8 s … 30 min.
 */
export function retryPauseMs(attempt: number, fraction: number): number {
  return growingPauseMs(attempt, fraction, PAUSE);
}

/** Decides what becomes of a row after `attempts` attempts, `refusals` of them refused, this one included. */
export function afterAttempt(
  outcome: Outcome,
  row: { attempts: number; refusals: number; giveUpMs: number },
  nowMs: number,
  fraction: number,
): Next {
  if (outcome.kind === 'sent') return { state: 'sent', error: outcome.note };
  if (outcome.kind === 'skipped') return { state: 'sent', error: outcome.reason };
  if (outcome.kind === 'gone') return { state: 'failed', error: outcome.error };
  if (outcome.kind === 'refused' && row.refusals >= REFUSALS_MAX) return { state: 'failed', error: outcome.error };
  const asked =
    outcome.kind === 'retry' ? Math.min(outcome.retryAfterMs ?? 0, RETRY_AFTER_MS_MAX) : REFUSED_PAUSE_MS_MIN;
  const pause = Math.max(asked, retryPauseMs(row.attempts, fraction));
  const atMs = nowMs + pause;
  if (atMs > row.giveUpMs) return { state: 'failed', error: outcome.error };
  return { state: 'pending', atMs, error: outcome.error };
}
