import { toIso } from '../../kernel/clock.js';
import type { OutgoingMail } from '../mail/mailer.js';
import type { SessionDocument } from './documents.js';

/** A day later the person has probably seen it elsewhere, or it is too late. */
const WANTED_MS = 86_400_000;

/** Returns the mail that warns a person of a sign-in from a device that they have not used before. */
export function newDeviceMail(
  to: string,
  device: string,
  session: Pick<SessionDocument, 'ip' | 'created_at_ms'>,
  publicUrl: string,
): OutgoingMail {
  return {
    ...{ to, kind: 'new_device', subject: 'New sign-in to Picket', heading: 'New sign-in' },
    paragraphs: [
      'Somebody signed in to your account from a device or network that you have not used before.',
      'If it was you, there is nothing to do. If not, change your password at once and end all other sessions.',
    ],
    facts: [
      { label: 'Device', value: device },
      { label: 'Address', value: session.ip ?? 'unknown' },
      { label: 'Time', value: toIso(session.created_at_ms) },
    ],
    action: { label: 'Open Picket', url: `${publicUrl.replace(/\/+$/, '')}/` },
    why: 'You get this mail because it is about the security of your account.',
    expiresAtMs: session.created_at_ms + WANTED_MS,
  };
}
