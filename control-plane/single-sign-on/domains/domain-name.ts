import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';

const DOMAIN_CHARS_MAX = 240;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const RECORD_LABEL = '_picket-verification';

/** Returns a domain in lower case and punycode; null when it is not the domain of an e-mail address. */
export function domainName(text: string): string | null {
  const domain = domainToASCII(text.trim().toLowerCase());
  const labels = domain.split('.');
  // Room is left for the label of the TXT record: a DNS name has at most 253 characters.
  if (domain.length > DOMAIN_CHARS_MAX || labels.length < 2 || isIP(domain) !== 0) return null;
  return labels.every((label) => LABEL.test(label)) && !/^\d+$/.test(labels.at(-1) ?? '') ? domain : null;
}

/** Returns the name of the TXT record that verifies a domain. */
export function verificationName(domain: string): string {
  return `${RECORD_LABEL}.${domain}`;
}

/** Returns the value of the TXT record with this token. */
export function verificationValue(token: string): string {
  return `picket-verification=${token}`;
}
