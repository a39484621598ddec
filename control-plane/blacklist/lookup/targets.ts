import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import { getPublicSuffix } from 'tldts';
import { canonicalAddress } from '../../../kernel/guard/networks.js';
import { canonicalHost, createTargetGuard } from '../../../kernel/guard/target-guard.js';
import { type AppError, type FieldErrorCode, invalidField } from '../../errors.js';
import type { Target } from '../results.js';

const NAME_CHARS_MAX = 253;
const LABEL_CHARS_MAX = 63;
/** Names that are local to each network (RFC 6761, 6762, 7686, 8375, and ICANN for `internal`). */
const LOCAL_NAME = /(^|\.)(localhost|local|internal|home\.arpa|onion)$/;
const LABEL = /^[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?$/;

/** Parses a target. Throws 422 unless it is a public address or a registrable domain. Pure. */
export function readTarget(text: string): Target {
  const given = text.trim();
  if (isIP(given) !== 0 && !given.includes('%')) return readAddress(given);
  return readDomain(given);
}

function readAddress(given: string): Target {
  const refusal = privateRefusal(given);
  if (refusal !== null) throw refuse(`must not be a private or reserved address: ${refusal}`, 'private_address');
  return { type: 'ip', name: canonicalAddress(given) ?? given };
}

/** Returns why an address is not checked; null for a public one. Ignores PICKET_ALLOW_PRIVATE_TARGETS: no list has private ones. */
export function privateRefusal(address: string): string | null {
  return createTargetGuard({ allowPrivate: false }).refusal(address);
}

function readDomain(given: string): Target {
  const wrong = notation(given);
  if (wrong !== null) throw refuse(wrong);
  const name = domainToASCII(given.replace(/\.$/, '')).toLowerCase();
  if (name === '') throw refuse('must be an IP address or a domain name');
  if (LOCAL_NAME.test(name)) throw refuse('must be a public domain: this name is local to each network');
  if (name.length > NAME_CHARS_MAX) throw refuse(`must not be longer than ${NAME_CHARS_MAX} characters`);
  const labels = name.split('.');
  if (labels.some((label) => label.length > LABEL_CHARS_MAX)) {
    throw refuse(`must not have a part longer than ${LABEL_CHARS_MAX} characters between its dots`);
  }
  if (!labels.every((label) => LABEL.test(label))) {
    throw refuse('must be an IP address or a domain name of letters, digits and hyphens');
  }
  if (labels.length < 2) throw refuse('must be an IP address or a domain with at least two parts, such as example.com');
  if (name === getPublicSuffix(name)) throw refuse(`must be a domain below ${name}, which is a public suffix`);
  return { type: 'domain', name };
}

/** Returns what is wrong with the notation of a text that is not an address or a domain; null if it may be one. */
function notation(given: string): string | null {
  if (given === '') return 'must not be empty';
  if (given.includes('://')) return 'must be an IP address or a domain, not a URL';
  if (given.includes('@')) return 'must be an IP address or a domain, not an e-mail address';
  if (/^[0-9a-f.:]+\/\d{1,3}$/i.test(given)) return 'must be a single address, not a network';
  if (/[/?#\\]/.test(given)) return 'must be an IP address or a domain, not a URL';
  if (given.startsWith('[')) return 'must be an IP address without brackets or a port';
  if (given.includes('%')) return 'must be an IP address without a zone';
  if (/^[^:]+:\d{1,5}$/.test(given)) return 'must be an IP address or a domain without a port';
  if (given.includes(':')) return 'must be an IP address or a domain name';
  if (/[\s\p{Cc}]/u.test(given)) return 'must not contain spaces or control characters';
  const host = canonicalHost(given);
  // 2130706433, 0x7f.1 and similar forms, which browsers accept as an address; 1.2.3.256, which they do not.
  const isNumeric = /^(0x[0-9a-f]*|\d+)\.?$/i.test(given.split('.').filter(Boolean).at(-1) ?? '');
  if (isNumeric || (host !== null && isIP(host) !== 0)) return 'must be an IPv4 address with four decimal numbers';
  return null;
}

function refuse(message: string, code: FieldErrorCode = 'public_target'): AppError {
  return invalidField('/target', message, code);
}
