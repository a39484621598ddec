import type { X509Certificate } from 'node:crypto';
import { printable } from '../format.js';
import type { CertificateFindings } from './certificate-grade.js';
import { namesOf } from './certificate-names.js';

const NAME_CHARACTERS_MAX = 300;

/** The content of a certificate. It is cached, because reading it costs as much as the rest of the work for a check. */
export interface CertificateFacts {
  fingerprint: string;
  issuer: string;
  subject: string;
  notBeforeMs: number;
  notAfterMs: number;
  key: CertificateFindings['key'];
  nameMatches: boolean;
  names: string;
  hstsSeconds: number | null;
}

export function readFacts(x509: X509Certificate, fingerprint: string, host: string): CertificateFacts {
  const names = namesOf(x509);
  return {
    fingerprint,
    issuer: oneLine(x509.issuer),
    subject: oneLine(x509.subject),
    notBeforeMs: Date.parse(x509.validFrom),
    notAfterMs: Date.parse(x509.validTo),
    key: keyOf(x509),
    nameMatches: names.include(host),
    names: names.shown,
    hstsSeconds: null,
  };
}

/** Returns a distinguished name as `CN=a, O=b`. Node returns each part of it on a line of its own. */
function oneLine(name: string | undefined): string {
  return printable((name ?? '').split('\n').join(', ').slice(0, NAME_CHARACTERS_MAX));
}

const CURVE_BITS: Readonly<Record<string, number>> = {
  secp192r1: 192,
  prime192v1: 192,
  secp224r1: 224,
  prime256v1: 256,
  secp256k1: 256,
  secp384r1: 384,
  secp521r1: 521,
};

function keyOf(x509: X509Certificate): CertificateFindings['key'] {
  try {
    const { asymmetricKeyType: type, asymmetricKeyDetails: details } = x509.publicKey;
    if (type === 'rsa' || type === 'rsa-pss') return { type: 'rsa', bits: details?.modulusLength ?? 0 };
    const curve = details?.namedCurve ?? '';
    // The names of rare curves contain the number of bits, as in brainpoolP384r1.
    if (type === 'ec') return { type: 'ec', bits: CURVE_BITS[curve] ?? Number(/\d{3}/.exec(curve)?.[0] ?? 0) };
  } catch {
    // OpenSSL does not support this type of key. The verification of the chain reports that, if it matters.
  }
  return { type: 'other', bits: 0 };
}
