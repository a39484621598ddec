import type { OutgoingMail } from '../mailer.js';
import { type Origin, originFacts } from './origin.js';
import { noticeExpiry } from './when.js';

/** A notice after a change or a reset. `link` leads to the page that resets a password. */
export function passwordChangedMail(input: { to: string; link: string; origin: Origin }): OutgoingMail {
  const { to, link, origin } = input;
  return {
    ...{ to, kind: 'password_changed', expiresAtMs: noticeExpiry(origin.atMs) },
    subject: 'Your password was changed',
    heading: 'Your password was changed',
    paragraphs: [
      'Your Picket account has a new password. All other sessions of the account have ended.',
      'If it was you, no action is needed. If not, reset the password now.',
    ],
    facts: originFacts(origin),
    action: { label: 'Reset password', url: link },
    why: 'You get this e-mail because it is about the security of your Picket account.',
  };
}
