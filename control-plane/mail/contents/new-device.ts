import type { OutgoingMail } from '../mailer.js';
import { type Origin, originFacts } from './origin.js';
import { noticeExpiry } from './when.js';

interface NewDevice {
  to: string;
  origin: Origin;
  /** How the person logged in. */
  method: 'password' | 'passkey' | 'single_sign_on' | 'header';
  /** The page with the sessions of the account. */
  link: string;
}

const METHODS: Record<NewDevice['method'], string> = {
  password: 'password',
  passkey: 'passkey',
  single_sign_on: 'single sign-on',
  header: 'proxy of your company',
};

export function newDeviceMail({ to, origin, method, link }: NewDevice): OutgoingMail {
  return {
    ...{ to, kind: 'new_device', expiresAtMs: noticeExpiry(origin.atMs) },
    subject: 'New log-in to your account',
    heading: 'New log-in to your account',
    paragraphs: [
      'Somebody logged in to your Picket account with a device or network that your account has not been used with before.',
      'If it was you, no action is needed. If not, end the session and change your password now.',
    ],
    facts: [...originFacts(origin), { label: 'Logged in with', value: METHODS[method] }],
    action: { label: 'Review sessions', url: link },
    why: 'You get this e-mail because it is about the security of your Picket account.',
  };
}
