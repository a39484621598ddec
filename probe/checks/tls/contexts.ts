import { readFileSync } from 'node:fs';
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';

/**
 * The two TLS contexts of this probe. They are created once, because creating one reads about 300 certificate
 * authorities; a shared context saves a quarter of the cost of each check.
 */
export interface TlsContexts {
  /** For checks. Accepts TLS 1.0 and later, so that a server with old TLS is up and gets a low grade. */
  checking: SecureContext;
  /** Offers only TLS 1.0 and 1.1. A server that completes the handshake still supports them. */
  oldOnly: SecureContext;
}

/** The files with certificate authorities on common systems. The first readable one is used. */
const SYSTEM_CA_PATHS = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/ssl/cert.pem',
] as const;

/** Above security level 0 OpenSSL refuses TLS 1.0, TLS 1.1 and short keys, which checks accept to grade them. */
const EVERY_CIPHER = 'DEFAULT@SECLEVEL=0';

/** Returns contexts that trust the root store of Node, the authorities of the system and those of `extraCaPem`. */
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
      // The file does not exist on this system. Without any of them, only the root store of Node is used.
    }
  }
  return [];
}
