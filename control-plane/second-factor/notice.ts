import { toIso } from '../../kernel/clock.js';
import type { OutgoingMail } from '../mail/mailer.js';

const KIND = 'second_factor_changed';
/** A notice that arrives days later would look like a new change. */
const VALID_MS = 86_400_000;

/** What the person gets a mail about. */
export type Notice =
  | { what: 'totp_added' | 'totp_removed' | 'recovery_codes_renewed' }
  | { what: 'passkey_added' | 'passkey_removed'; name: string }
  | { what: 'recovery_code_used'; left: number };

interface About {
  email: string;
  /** Of the request; null when the change did not come with one. */
  device: { userAgent: string | null; ip: string | null } | null;
  atMs: number;
}

/** Returns the mail about a change of second factors. It has no link, so nobody learns to click on one in such a mail. */
export function noticeMail(notice: Notice, { email, device, atMs }: About): OutgoingMail {
  const { heading, text } = wordsOf(notice);
  return {
    to: email,
    kind: KIND,
    subject: `Picket: ${heading}`,
    heading,
    paragraphs: [
      text,
      'If this was not you, change your password at once, end all other sessions, and check your second factors.',
    ],
    facts: [
      { label: 'Account', value: email },
      { label: 'Time', value: toIso(atMs) },
      ...(device === null
        ? []
        : [
            { label: 'Device', value: device.userAgent ?? 'unknown' },
            { label: 'Network address', value: device.ip ?? 'unknown' },
          ]),
    ],
    why: 'Picket sends this mail whenever the second factors of your account change. You cannot turn it off.',
    expiresAtMs: atMs + VALID_MS,
  };
}

function wordsOf(notice: Notice): { heading: string; text: string } {
  switch (notice.what) {
    case 'totp_added':
      return {
        heading: 'Authenticator app added',
        text: 'An authenticator app was added to your account. Signing in with the password now also needs a code.',
      };
    case 'totp_removed':
      return {
        heading: 'Authenticator app removed',
        text: 'The authenticator app was removed from your account. Its codes no longer work.',
      };
    case 'recovery_codes_renewed':
      return {
        heading: 'New recovery codes created',
        text: 'New recovery codes were created for your account. The previous ones no longer work.',
      };
    case 'passkey_added':
      return {
        heading: 'Passkey added',
        text: `The passkey "${notice.name}" was added to your account. It can sign in without the password.`,
      };
    case 'passkey_removed':
      return {
        heading: 'Passkey removed',
        text: `The passkey "${notice.name}" was removed from your account. It can no longer sign in.`,
      };
    case 'recovery_code_used':
      return {
        heading: 'Recovery code used',
        text: `Somebody used one of your recovery codes as second factor. ${leftOf(notice.left)}`,
      };
  }
}

function leftOf(left: number): string {
  if (left === 0) return 'None is left: create new ones now.';
  return left === 1 ? 'One is left: create new ones soon.' : `${left} are left.`;
}
