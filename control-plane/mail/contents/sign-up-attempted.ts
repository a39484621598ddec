import type { OutgoingMail } from '../mailer.js';
import { type Origin, originFacts } from './origin.js';
import { noticeExpiry } from './when.js';

/** For the owner of an address that somebody tried to sign up with. `link` leads to the page that resets a password. */
export function signUpAttemptedMail(input: { to: string; link: string; origin: Origin }): OutgoingMail {
  const { to, link, origin } = input;
  return {
    ...{ to, kind: 'sign_up_attempted', expiresAtMs: noticeExpiry(origin.atMs) },
    subject: 'You already have a Picket account',
    heading: 'You already have a Picket account',
    paragraphs: [
      'Somebody tried to create an account with your address. No account was created, because you already have one.',
      'If it was you, log in with your password, or reset it if you do not remember it.',
    ],
    facts: originFacts(origin),
    action: { label: 'Reset password', url: link },
    why: 'You get this e-mail because it is the address of your Picket account. If it was not you, ignore this e-mail: nothing has changed.',
  };
}
