import type { Transaction } from '../storage/transaction.js';
import type { MailCountsStore } from './counts-store.js';
import type { MailDocument } from './documents.js';
import { countedMailbox } from './mailbox.js';
import { hasPlace } from './place-for-sender.js';

/** Maximum number of mails of one kind to one mailbox within an hour. */
export const MAILS_PER_HOUR_MAX = 10;
/** Of those, the ones that one network or person causes. */
export const MAILS_PER_HOUR_OF_ONE_MAX = 5;
const HOUR_MS = 3_600_000;

/**
 * Kinds without this limit. Only Picket and Stripe cause the first two. The next two have limits of their own; with this
 * one, a stranger could use it up and keep a person from the link that they wait for. Reports go only to who has agreed, and an
 * agency gets those of all its clients on the first of a month. Updates of status pages go only to who has subscribed.
 */
const NOT_LIMITED: ReadonlySet<string> = new Set([
  'api_key_expiring',
  'payment_failed',
  'password_reset',
  'invitation',
  'client_report',
  'status_update',
]);

/**
 * Resolves to whether the mailbox has reached its limit for mails of this kind. Without a limit, a stranger could sign up
 * with the address of another person again and again, and Picket would send that person as many mails. Whoever causes mails has
 * a share of it, so that they cannot keep the owner of the mailbox from an account.
 */
export async function isOverMailLimit(
  counts: Pick<MailCountsStore, 'countSince'>,
  tx: Transaction,
  { mailbox, kind, created_at_ms, caused_by }: Pick<MailDocument, 'mailbox' | 'kind' | 'created_at_ms' | 'caused_by'>,
): Promise<boolean> {
  if (NOT_LIMITED.has(kind)) return false;
  const about = { mailbox, kind, sinceMs: created_at_ms - HOUR_MS };
  const ofAll = await counts.countSince(tx, about, MAILS_PER_HOUR_MAX);
  if (caused_by === undefined) return ofAll >= MAILS_PER_HOUR_MAX;
  const ofOne = await counts.countSince(tx, { ...about, causedBy: caused_by }, MAILS_PER_HOUR_OF_ONE_MAX);
  return !hasPlace({ ofOne, ofAll }, { ofOne: MAILS_PER_HOUR_OF_ONE_MAX, ofAll: MAILS_PER_HOUR_MAX });
}

/**
 * Kinds for which all spellings of a mailbox, such as `ann+…@example.com`, share one limit, because a stranger can request them
 * with any spelling. All other kinds are notices about an account: another account with the same mailbox must not use up its
 * limit.
 */
const OF_ANY_SPELLING: ReadonlySet<string> = new Set([
  'confirm_email',
  'confirm_email_change',
  'sign_up_attempted',
  'confirm_recipient',
  'confirm_subscription',
]);

/** Returns the name under which mails of a kind to an address are counted. */
export function mailboxOf(kind: string, address: string): string {
  return OF_ANY_SPELLING.has(kind) ? countedMailbox(address) : address.toLowerCase();
}
