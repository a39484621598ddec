import type { OutgoingMail } from '../mailer.js';
import { minuteUtc } from './when.js';

interface ConfirmEmail {
  to: string;
  /** The page that confirms the address, with its token. */
  link: string;
  expiresAtMs: number;
}

/** For a new account. */
export function confirmEmailMail({ to, link, expiresAtMs }: ConfirmEmail): OutgoingMail {
  return {
    ...{ to, expiresAtMs, kind: 'confirm_email' },
    subject: 'Confirm your e-mail address',
    heading: 'Confirm your e-mail address',
    paragraphs: [
      'Welcome to Picket. Confirm that this address is yours, so that your workspace can send alerts to other people too.',
      `The link works once, until ${minuteUtc(expiresAtMs)}.`,
    ],
    action: { label: 'Confirm address', url: link },
    why: 'You get this e-mail because somebody created a Picket account with this address. If it was not you, ignore this e-mail: the address stays unconfirmed.',
  };
}

/** For a new address of an existing account, sent to the new address. */
export function confirmEmailChangeMail({ to, link, expiresAtMs }: ConfirmEmail): OutgoingMail {
  return {
    ...{ to, expiresAtMs, kind: 'confirm_email_change' },
    subject: 'Confirm your new e-mail address',
    heading: 'Confirm your new e-mail address',
    paragraphs: [
      'Confirm that this address is yours. From then on, you log in with it and get your e-mails from Picket here.',
      `The link works once, until ${minuteUtc(expiresAtMs)}. Until you use it, your account keeps its previous address.`,
    ],
    action: { label: 'Confirm new address', url: link },
    why: 'You get this e-mail because somebody entered this address as the new one of their Picket account. If it was not you, ignore this e-mail: nothing changes.',
  };
}
