import { foreignText } from '../foreign-text.js';
import type { OutgoingMail } from '../mailer.js';
import { type Origin, originFacts } from './origin.js';
import { noticeExpiry } from './when.js';

/** What was changed. `passkey` is the name that the person gave it. */
export type SecondFactorChange =
  | { type: 'totp_enabled' | 'totp_disabled' | 'recovery_codes_renewed' }
  | { type: 'passkey_added' | 'passkey_removed'; passkey: string };

interface SecondFactorChanged {
  to: string;
  change: SecondFactorChange;
  origin: Origin;
  /** The page with the second factors of the account. */
  link: string;
}

const TEXTS: Record<SecondFactorChange['type'], { title: string; sentence: string }> = {
  totp_enabled: {
    title: 'Authenticator app added',
    sentence: 'Your Picket account now asks for a code of your authenticator app at log-in.',
  },
  totp_disabled: {
    title: 'Authenticator app removed',
    sentence: 'Your Picket account does not ask for a code of your authenticator app any more.',
  },
  recovery_codes_renewed: {
    title: 'New recovery codes',
    sentence: 'Your Picket account has new recovery codes. The previous ones do not work any more.',
  },
  passkey_added: { title: 'Passkey added', sentence: 'You can now log in to your Picket account with a new passkey.' },
  passkey_removed: {
    title: 'Passkey removed',
    sentence: 'A passkey of your Picket account was removed. It does not work for logging in any more.',
  },
};

export function secondFactorChangedMail({ to, change, origin, link }: SecondFactorChanged): OutgoingMail {
  const { title, sentence } = TEXTS[change.type];
  const passkey = 'passkey' in change ? [{ label: 'Passkey', value: foreignText(change.passkey) }] : [];
  return {
    ...{ to, kind: 'second_factor_changed', expiresAtMs: noticeExpiry(origin.atMs) },
    subject: title,
    heading: title,
    paragraphs: [
      sentence,
      'If it was you, no action is needed. If not, somebody else has access to your account: change your password and review your second factors now.',
    ],
    facts: [...passkey, ...originFacts(origin)],
    action: { label: 'Review second factors', url: link },
    why: 'You get this e-mail because it is about the security of your Picket account.',
  };
}
