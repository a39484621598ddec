import type { OutgoingMail } from '../mailer.js';
import { type Origin, originFacts } from './origin.js';
import { noticeExpiry } from './when.js';

interface CodeRepeated {
  to: string;
  origin: Origin;
  /** The page with the second factors of the account. */
  link: string;
}

export function codeRepeatedMail({ to, origin, link }: CodeRepeated): OutgoingMail {
  return {
    ...{ to, kind: 'code_repeated', expiresAtMs: noticeExpiry(origin.atMs) },
    subject: 'Code of your authenticator app used twice',
    heading: 'Code used twice',
    paragraphs: [
      'Somebody sent a code of your authenticator app that had been used already. Picket refused it.',
      'If you sent the same code twice, no action is needed. If not, somebody else saw the code, and probably knows your password: change your password and review your second factors now.',
    ],
    facts: originFacts(origin),
    action: { label: 'Review second factors', url: link },
    why: 'You get this e-mail because it is about the security of your Picket account.',
  };
}
