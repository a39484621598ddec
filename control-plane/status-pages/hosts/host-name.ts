import { getDomain } from 'tldts';
import { readPublicDomain } from '../../../kernel/dns/public-domain.js';

const CHALLENGE_LABEL = '_picket-challenge';
/** A DNS name has 253 characters at most. This leaves room for the label of the TXT record. */
const NAME_CHARS_MAX = 253 - CHALLENGE_LABEL.length - 1;

/** Returns a host name in lower-case punycode, or what is wrong with it. `publicUrl` is where Picket itself is. */
export function readHostName(given: string, publicUrl: string): { name: string } | { problem: string } {
  const read = readPublicDomain(given.trim(), 'a host name');
  if ('problem' in read) return read;
  const { name } = read;
  if (name.includes('_')) return { problem: 'must be a host name of letters, digits and hyphens' };
  if (name.length > NAME_CHARS_MAX) return { problem: `must not be longer than ${NAME_CHARS_MAX} characters` };
  if (name === ownName(publicUrl)) return { problem: 'is the name of Picket itself' };
  return { name };
}

/**
 * Returns the name in a `Host` header in the form of `readHostName`; null if no status page can have it: an address, a name that is
 * local to a network, the name of Picket itself, or no name at all.
 */
export function hostNameOfRequest(header: string | null, publicUrl: string): string | null {
  // Node.js reads bytes of headers as Latin-1. A `%` would be decoded, and is in no name.
  const host = Buffer.from(header ?? '', 'latin1')
    .toString('utf8')
    .replace(/:\d*$/, '');
  if (host.includes('%') || host.toLowerCase() === ownName(publicUrl)) return null;
  const read = readHostName(host, publicUrl);
  return 'problem' in read ? null : read.name;
}

/** Returns the name that an alias must lead to; null if Picket has only an address. */
export function aliasTarget(publicUrl: string): string | null {
  const read = readPublicDomain(ownName(publicUrl));
  return 'problem' in read ? null : read.name;
}

/** Whether the name belongs to the same registered domain as Picket, so that whoever runs Picket may have made the alias. */
export function isOfSameDomain(name: string, publicUrl: string): boolean {
  const domain = getDomain(name);
  return domain !== null && domain === getDomain(ownName(publicUrl));
}

/** Returns the name of the TXT record that verifies a host name. */
export function challengeName(name: string): string {
  return `${CHALLENGE_LABEL}.${name}`;
}

/** Returns the value of that record. It is of one page and one name; `fingerprint` is of the installation's key. */
export function challengeValue(
  { fingerprint }: { fingerprint(value: string, purpose: string): string },
  pageId: string,
  name: string,
): string {
  return `picket-challenge=${fingerprint(`${pageId} ${name}`, 'status page host name')}`;
}

/** Returns the address of a page under its own host name. Whoever serves Picket on another port serves the page there. */
export function hostUrl(name: string, publicUrl: string): string {
  const { protocol, port } = new URL(publicUrl);
  return `${protocol}//${name}${port === '' ? '' : `:${port}`}`;
}

/** Whether it is the name under which Picket itself is reached. */
export function isOwnName(name: string, publicUrl: string): boolean {
  return name.toLowerCase() === ownName(publicUrl);
}

function ownName(publicUrl: string): string {
  return new URL(publicUrl).hostname.toLowerCase();
}
