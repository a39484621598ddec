import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import { getPublicSuffix } from 'tldts';
import { canonicalHost } from '../guard/target-guard.js';

const NAME_CHARS_MAX = 253;
const LABEL_CHARS_MAX = 63;
/** What is read at all: punycode takes time in proportion to the square of the length. A name that is written in Unicode is shorter. */
const GIVEN_CHARS_MAX = 1_000;
/** Names that are local to each network (RFC 6761, 6762, 7686, 8375, and ICANN for `internal`). */
const LOCAL_NAME = /(^|\.)(localhost|local|internal|home\.arpa|onion)$/;
const LABEL = /^[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?$/;

/**
 * Reads the name of a domain that somebody can register, or of one below it. Returns it in lower-case punycode, or what is wrong
 * with it. `what` is what a caller accepts, for the messages. Pure.
 */
export function readPublicDomain(given: string, what = 'a domain'): { name: string } | { problem: string } {
  if (given === '') return { problem: 'must not be empty' };
  if (given.length > GIVEN_CHARS_MAX) return { problem: `must not be longer than ${NAME_CHARS_MAX} characters` };
  if (/[\s\p{Cc}]/u.test(given)) return { problem: 'must not contain spaces or control characters' };
  if (given.includes('@')) return { problem: `must be ${what}, not an e-mail address` };
  if (/[/?#\\]/.test(given)) return { problem: `must be ${what}, not a URL` };
  const host = isIP(given) !== 0 ? given : canonicalHost(given);
  if (host !== null && isIP(host) !== 0) return { problem: `must be ${what}, not an address` };
  const name = domainToASCII(given.replace(/\.$/, '')).toLowerCase();
  if (name === '') return { problem: `must be ${what} name` };
  if (LOCAL_NAME.test(name)) return { problem: 'must be a public domain: this name is local to each network' };
  if (name.length > NAME_CHARS_MAX) return { problem: `must not be longer than ${NAME_CHARS_MAX} characters` };
  const labels = name.split('.');
  if (labels.some((label) => label.length > LABEL_CHARS_MAX)) {
    return { problem: `must not have a part longer than ${LABEL_CHARS_MAX} characters between its dots` };
  }
  if (!labels.every((label) => LABEL.test(label))) {
    return { problem: `must be ${what} name of letters, digits and hyphens` };
  }
  if (labels.length < 2) return { problem: `must be ${what} with at least two parts, such as example.com` };
  if (name === getPublicSuffix(name)) return { problem: `must be a domain below ${name}, which is a public suffix` };
  return { name };
}
