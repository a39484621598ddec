import { inLanguage } from '../catalogue.ts';
import { milliseconds } from '../format.ts';
import { sentences as de } from './de.ts';
import { sentences as en } from './en.ts';

const sentences = inLanguage({ en, de });

type Sentence = keyof typeof en;

/**
 * How errors are recognized, the first that matches: by what Node.js and nodemailer call them, and by the code of Picket.
 * The groups are the facts.
 */
const KINDS: readonly (readonly [RegExp, Sentence])[] = [
  [/^HTTP (?<said>\d+) \(a redirect, not followed\)/, 'redirect'],
  // Everything else is the receiver's own answer.
  [/^(?<said>HTTP \d.*)$/s, 'answer'],
  [/^no owner of the workspace has confirmed/, 'unconfirmed'],
  [/^created before an owner confirmed/, 'madeUnconfirmed'],
  [/^no mail server is configured/, 'noMailServer'],
  [/^disabled manually$/, 'byPerson'],
  [/^(?<said>refused for .+; not confirmed: .+)$/, 'answer'],
  [/^not confirmed: (?<said>.+)$/, 'notConfirmed'],
  [/^refused for (?<said>.+)$/, 'refusedFor'],
  [/^invalid_url: (?<said>.+)$/, 'url'],
  // What earlier versions stored names the address too.
  [/^blocked_target: (?:(?<where>\S+) points |.+: \S+ is )/, 'blocked'],
  [/^timeout: the mail server was busy/, 'mailServerBusy'],
  [/^timeout: the mail server took too long/, 'mailServerSlow'],
  [/^EAUTH\b/, 'mailLogin'],
  [/^EENVELOPE: (?:.*were rejected: )?(?<said>.+)$/, 'recipients'],
  [/ECONNREFUSED(?: (?<where>\S+))?/, 'refused'],
  [/(?:EHOSTUNREACH|ENETUNREACH)(?: (?<where>\S+))?/, 'unreachable'],
  [/(?:ENOTFOUND|EAI_AGAIN|ENODATA)(?: (?<where>\S+))?/, 'name'],
  [/^dns_failure:/, 'name'],
  [/(?:ETIMEDOUT (?<where>\S+:\d+)|UND_ERR_CONNECT_TIMEOUT)/, 'notAccepted'],
  [/^(?:timeout: )?no complete response within (?<time>\d+) ms/, 'slow'],
  [/^timeout:|ETIMEDOUT/, 'slow'],
  [/ECONNRESET|EPIPE|UND_ERR_SOCKET|socket hang up|^connection_reset:/, 'reset'],
  [/CERT_HAS_EXPIRED|certificate has expired/, 'expired'],
  [/ALTNAME_INVALID|HOSTNAME_MISMATCH/, 'otherName'],
  [/SELF_SIGNED|self-signed|UNABLE_TO_|CERT_/, 'untrusted'],
  [/WRONG_VERSION_NUMBER|wrong version number/i, 'noTls'],
  [/^tls:|ETLS|EPROTO|ERR_SSL/, 'tls'],
  [/^protocol:/, 'protocol'],
  [/^internal: (?<said>.+)$/, 'internal'],
];

/**
 * Returns why a message did not reach its receiver, as the end of a sentence without its full stop, in the language of the
 * person. What is not known is said as the API said it. Pure.
 */
export function deliveryErrorText(error: string): string {
  for (const [pattern, name] of KINDS) {
    const match = pattern.exec(error);
    if (match === null) continue;
    const { where = '', time, said = '' } = match.groups ?? {};
    return sentences[name]({ where, said, time: time === undefined ? '' : milliseconds(Number(time)) });
  }
  return error;
}

/** Returns whether nothing was sent because the owner's address is not confirmed. Pure. */
export function isUnconfirmed(error: string | null): boolean {
  return error?.startsWith('no owner of the workspace has confirmed') ?? false;
}
