import type { OutgoingMail } from '../mailer.js';
import { type Origin, originFacts } from './origin.js';
import { noticeExpiry } from './when.js';

/** A notice to the previous address. */
export function emailChangedMail(input: { to: string; newEmail: string; origin: Origin }): OutgoingMail {
  const { to, newEmail, origin } = input;
  return {
    ...{ to, kind: 'email_changed', expiresAtMs: noticeExpiry(origin.atMs) },
    subject: 'Your e-mail address was changed',
    heading: 'Your e-mail address was changed',
    paragraphs: ['Your Picket account has a new e-mail address. This address does not work for logging in any more.'],
    facts: [{ label: 'New address', value: newEmail }, ...originFacts(origin)],
    why: 'You get this e-mail because this was the address of your Picket account. If you did not change it, somebody else has access to your account: contact the owner of your workspace or the operator of this Picket at once.',
  };
}
