import { readFileSync } from 'node:fs';
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';

/**
 * The two ways in which this probe speaks TLS, made once: building one reads some 300 authorities, and a shared one
 * saves a quarter of the cost of each check.
 */
export interface TlsContexts {
  /** For checks: everything from TLS 1.0 on, so that an old server is seen as it is and graded, not taken for down. */
  checking: SecureContext;
  /** Offers TLS 1.0 and 1.1 only: whoever takes it up still accepts them. */
  oldOnly: SecureContext;
}

/** Where the common systems keep their authorities; the first that can be read is taken. */
const SYSTEM_CA_PATHS = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/ssl/cert.pem',
] as const;

/** OpenSSL refuses TLS 1.0 and 1.1 and short keys above level 0; a monitor has to see them to grade them. */
const EVERY_CIPHER = 'DEFAULT@SECLEVEL=0';

/** Trusts Node's root store, the system's authorities and, where given, those of `extraCaPem`. */
export function createTlsContexts(extraCaPem: string | null): TlsContexts {
  const ca = [...rootCertificates, ...systemAuthorities(), ...(extraCaPem === null ? [] : [extraCaPem])];
  return {
    checking: createSecureContext({ ca, minVersion: 'TLSv1', ciphers: EVERY_CIPHER }),
    oldOnly: createSecureContext({ minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: EVERY_CIPHER }),
  };
}

function systemAuthorities(): string[] {
  for (const path of SYSTEM_CA_PATHS) {
    try {
      return [readFileSync(path, 'utf8')];
    } catch {
      // Not this kind of system: the next path, and at the end Node's own store alone.
    }
  }
  return [];
}
