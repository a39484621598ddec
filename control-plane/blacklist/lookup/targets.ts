import { isIP } from 'node:net';
import { readPublicDomain } from '../../../kernel/dns/public-domain.js';
import { canonicalAddress } from '../../../kernel/guard/networks.js';
import { canonicalHost, createTargetGuard } from '../../../kernel/guard/target-guard.js';
import { type AppError, type FieldErrorCode, invalidField } from '../../errors.js';
import type { Target } from '../results.js';

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
  const read = readPublicDomain(given, 'an IP address or a domain');
  if ('problem' in read) throw refuse(read.problem);
  return { type: 'domain', name: read.name };
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
