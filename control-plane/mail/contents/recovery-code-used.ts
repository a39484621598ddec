import type { OutgoingMail } from '../mailer.js';
import { type Origin, originFacts } from './origin.js';
import { noticeExpiry } from './when.js';

interface RecoveryCodeUsed {
  to: string;
  /** How many codes are left. */
  left: number;
  origin: Origin;
  /** The page with the second factors of the account. */
  link: string;
}

export function recoveryCodeUsedMail({ to, left, origin, link }: RecoveryCodeUsed): OutgoingMail {
  return {
    ...{ to, kind: 'recovery_code_used', expiresAtMs: noticeExpiry(origin.atMs) },
    subject: 'Recovery code used',
    heading: 'Recovery code used',
    paragraphs: [
      `A recovery code of your Picket account was used as second factor. ${leftOf(left)}`,
      'If it was you, no action is needed. If not, somebody else knows your password and your recovery codes: change your password and review your second factors now.',
    ],
    facts: originFacts(origin),
    action: { label: 'Review second factors', url: link },
    why: 'You get this e-mail because it is about the security of your Picket account.',
  };
}

function leftOf(left: number): string {
  if (left === 0) return 'None is left: create new ones now.';
  return left === 1 ? 'One is left: create new ones soon.' : `${left} are left.`;
}
