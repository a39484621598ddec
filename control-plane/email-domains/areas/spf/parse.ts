import { isIP } from 'node:net';
import { RECORD_CHARS_MAX } from '../record-texts.js';

export const SPF_VERSION = /^v=spf1(?= |$)/i;

type Qualifier = '+' | '-' | '~' | '?';

/** A mechanism of an SPF record (RFC 7208, section 5). */
export interface SpfTerm {
  qualifier: Qualifier;
  mechanism: 'all' | 'include' | 'a' | 'mx' | 'ptr' | 'ip4' | 'ip6' | 'exists';
  /** The name after the colon; null without one. */
  domain: string | null;
}

export interface SpfRecord {
  terms: SpfTerm[];
  redirect: string | null;
  /** The terms that are not valid; a receiver then ignores the whole record. */
  invalid: string[];
}

const MECHANISM = /^([+\-~?]?)([a-z][a-z0-9]*)(.*)$/i;
const MODIFIER = /^([a-z][a-z0-9._-]*)=(.*)$/i;
const HOSTS = new Set(['a', 'mx', 'ptr', 'include', 'exists']);
const NEEDS_DOMAIN = new Set(['include', 'exists']);

/** Reads an SPF record strictly. Takes time in proportion to its length, which is limited. Pure. */
export function parseSpf(text: string): SpfRecord {
  const record: SpfRecord = { terms: [], redirect: null, invalid: [] };
  if (text.length > RECORD_CHARS_MAX) {
    record.invalid.push(`the record is longer than ${RECORD_CHARS_MAX.toLocaleString('en-US')} characters`);
    return record;
  }
  for (const word of text.replace(SPF_VERSION, '').split(' ')) {
    if (word === '') continue;
    const [, name = '', value = ''] = MODIFIER.exec(word) ?? [];
    if (name === '') {
      const term = readTerm(word);
      if (term === null) record.invalid.push(word);
      else record.terms.push(term);
    } else if (name.toLowerCase() === 'redirect') {
      if (record.redirect !== null || value === '') record.invalid.push(word);
      else record.redirect = value;
    }
    // Other modifiers, such as exp=, change no result.
  }
  return record;
}

function readTerm(word: string): SpfTerm | null {
  const [, sign = '', name = '', rest = ''] = MECHANISM.exec(word) ?? [];
  const mechanism = name.toLowerCase();
  const qualifier = (sign === '' ? '+' : sign) as Qualifier;
  if (mechanism === 'all') return rest === '' ? { qualifier, mechanism, domain: null } : null;
  if (mechanism === 'ip4' || mechanism === 'ip6') {
    return isNetwork(rest, mechanism === 'ip4' ? 4 : 6) ? { qualifier, mechanism, domain: null } : null;
  }
  if (!HOSTS.has(mechanism)) return null;
  const [, colon, domain = ''] = /^(?:(:)([^/]*))?(?:\/\d{1,2})?(?:\/\/\d{1,3})?$/.exec(rest) ?? [null];
  if (colon === null) return null;
  if (colon === ':' ? domain === '' : NEEDS_DOMAIN.has(mechanism)) return null;
  return { qualifier, mechanism: mechanism as SpfTerm['mechanism'], domain: domain === '' ? null : domain };
}

function isNetwork(rest: string, family: 4 | 6): boolean {
  const [, address = '', bits] = /^:([^/]+)(?:\/(\d{1,3}))?$/.exec(rest) ?? [];
  return isIP(address) === family && (bits === undefined || Number(bits) <= (family === 4 ? 32 : 128));
}
