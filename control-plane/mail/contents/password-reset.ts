import type { OutgoingMail } from '../mailer.js';
import { type Origin, originFacts } from './origin.js';
import { minuteUtc } from './when.js';

interface PasswordReset {
  to: string;
  /** The page that sets a new password, with its token. */
  link: string;
  expiresAtMs: number;
  origin: Origin;
}

export function passwordResetMail({ to, link, expiresAtMs, origin }: PasswordReset): OutgoingMail {
  return {
    ...{ to, expiresAtMs, kind: 'password_reset' },
    subject: 'Reset your password',
    heading: 'Reset your password',
    paragraphs: [
      'Somebody asked for a new password for your Picket account. If it was you, choose one now.',
      `The link works once, until ${minuteUtc(expiresAtMs)}. All sessions of the account end when you use it.`,
    ],
    facts: originFacts(origin),
    action: { label: 'Choose new password', url: link },
    why: 'You get this e-mail because somebody entered your address on the page for forgotten passwords. If it was not you, ignore this e-mail: your password stays the same.',
  };
}
