import type { Transaction } from '../storage/transaction.js';
import type { MailCountsStore } from './counts-store.js';
import type { MailDocument } from './documents.js';

/** Mails of one kind that one mailbox gets within an hour. People who try again need a few; more is a flood. */
export const MAILS_PER_HOUR_MAX = 10;
const HOUR_MS = 3_600_000;

/**
 * Jobs and Stripe cause the first two, so nobody can cause many of them to hide one. The others have limits of their own,
 * and somebody else who used up a limit of the mailbox would keep a person from the link that they wait for.
 */
const NOT_LIMITED: ReadonlySet<string> = new Set([
  'api_key_expiring',
  'payment_failed',
  'password_reset',
  'invitation',
]);

/**
 * Resolves to whether the mailbox has got as many mails of this kind as it may within an hour. Anybody can sign up with the
 * address of somebody else, and then make Picket send notices about that account to it.
 */
export async function isFlooded(
  counts: Pick<MailCountsStore, 'countSince'>,
  tx: Transaction,
  { mailbox, kind, created_at_ms }: Pick<MailDocument, 'mailbox' | 'kind' | 'created_at_ms'>,
): Promise<boolean> {
  if (NOT_LIMITED.has(kind)) return false;
  const about = { mailbox, kind, sinceMs: created_at_ms - HOUR_MS };
  return (await counts.countSince(tx, about, MAILS_PER_HOUR_MAX)) >= MAILS_PER_HOUR_MAX;
}

/**
 * Mails to addresses that nobody has confirmed, whose number a stranger could multiply with other spellings of one address.
 * All other kinds are notices of an account: accounts with other spellings must not use up its limit, and so hide a notice.
 */
const OF_ANY_SPELLING: ReadonlySet<string> = new Set(['confirm_email', 'confirm_email_change', 'sign_up_attempted']);

/**
 * Returns under which name the mails of a kind to an address are counted. Many mail servers deliver
 * `ann+anything@example.com` to `ann@example.com`.
 */
export function mailboxOf(kind: string, address: string): string {
  const lower = address.toLowerCase();
  if (!OF_ANY_SPELLING.has(kind)) return lower;
  const at = lower.lastIndexOf('@');
  const plus = lower.indexOf('+');
  return plus > 0 && plus < at ? lower.slice(0, plus) + lower.slice(at) : lower;
}
