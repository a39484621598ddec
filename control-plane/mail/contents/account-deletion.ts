import type { OutgoingMail } from '../mailer.js';
import { type Origin, originFacts } from './origin.js';
import { minuteUtc, noticeExpiry } from './when.js';

interface AccountDeletion {
  to: string;
  /** When the account is deleted for good. */
  deletedAtMs: number;
  origin: Origin;
  /** The page where the person can keep the account. */
  link: string;
}

/** A notice that the deletion was requested, with the way back. */
export function accountDeletionMail({ to, deletedAtMs, origin, link }: AccountDeletion): OutgoingMail {
  const when = minuteUtc(deletedAtMs);
  return {
    ...{ to, kind: 'account_deletion', expiresAtMs: Math.min(deletedAtMs, noticeExpiry(origin.atMs)) },
    subject: 'Your account will be deleted',
    heading: 'Your account will be deleted',
    paragraphs: [
      `Your Picket account will be deleted on ${when}. After that, nobody can restore it.`,
      'If you want to keep the account, log in before then and restore it.',
    ],
    facts: [{ label: 'Deleted on', value: when }, ...originFacts(origin)],
    action: { label: 'Keep account', url: link },
    why: 'You get this e-mail because somebody who was logged in to your account asked for its deletion. If it was not you, restore the account and change your password.',
  };
}
