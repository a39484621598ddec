import type { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { checkServerIdentity } from 'node:tls';
import { quoted } from '../format.js';

const NAMES_SHOWN_MAX = 3;
/** Node puts a name with a quote, a comma or a control character in quotes, and escapes its commas. No host has such a name. */
const QUOTE = '"';

/**
 * The names that a certificate is for. OpenSSL accepts certificates of 100 KB from a server, which have up to 50,000
 * names. Everything here takes time proportional to their number.
 */
export interface CertificateNames {
  /** The first names in quotes, for a message: `"a.example", "b.example" and others`. */
  shown: string;
  /** Returns whether the certificate is for this host name or address. */
  include(host: string): boolean;
}

export function namesOf(x509: X509Certificate): CertificateNames {
  const names = (x509.subjectAltName ?? x509.subject ?? '').split(/, |\n/);
  const first = names.slice(0, NAMES_SHOWN_MAX).map((name) => quoted(name.replace(/^(DNS:|IP Address:|CN=)/, '')));
  return {
    shown: first.join(', ') + (names.length > NAMES_SHOWN_MAX ? ' and others' : ''),
    // Addresses are compared by OpenSSL, because the comparison of some Node releases (22.23.3) fails for IPv6.
    include: (host) => (isIP(host) === 0 ? includesName(x509, names, host) : x509.checkIP(host) !== undefined),
  };
}

/**
 * Node compares the names, because OpenSSL refuses `a_b.example.com` for `*.example.com`, which browsers accept. If one
 * name is in quotes, Node searches the rest of the text for the next quote after each name, so it gets only host names.
 */
function includesName(x509: X509Certificate, names: readonly string[], host: string): boolean {
  const dnsNames = names.filter((name) => name.startsWith('DNS:'));
  const hostNames = dnsNames.filter((name) => !name.includes(QUOTE));
  // The subject counts only in a certificate without any DNS name.
  if (hostNames.length === 0 && dnsNames.length > 0) return false;
  return checkServerIdentity(host, { ...x509.toLegacyObject(), subjectaltname: hostNames.join(', ') }) === undefined;
}
