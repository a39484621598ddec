import 'reflect-metadata';
import { createHash, webcrypto } from 'node:crypto';
import type { Socket } from 'node:net';
import { createServer, type TlsOptions } from 'node:tls';
import * as x509 from '@peculiar/x509';
import { type Answering, serveTarget, type Target } from './targets.js';

const DAY_MS = 86_400_000;
/** RFC 5280, section 4.2.1.6. */
const SUBJECT_ALT_NAME = '2.5.29.17';
const EC = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

/** A certificate authority of a test. A checker trusts it if it gets its `pem` as `extraCaPem`. */
export interface TestAuthority {
  pem: string;
  issue(options?: CertificateOptions): Promise<IssuedCertificate>;
}

export interface IssuedCertificate {
  cert: string;
  key: string;
  /** SHA-256 of the DER form, lower-case hex. */
  fingerprint: string;
  notAfterMs: number;
}

export interface CertificateOptions {
  /** The names in the certificate. Defaults to `localhost` and the loopback addresses. */
  names?: string[];
  /** The subjectAltName extension in DER, in place of `names`. */
  subjectAltName?: Uint8Array;
  subject?: string;
  notBeforeDays?: number;
  notAfterDays?: number;
  /** The bits of an RSA key. Defaults to an EC P-256 key. */
  rsaBits?: number;
  /** Signed by its own key. */
  selfSigned?: boolean;
}

export async function createAuthority(): Promise<TestAuthority> {
  x509.cryptoProvider.set(webcrypto);
  const keys = await webcrypto.subtle.generateKey(EC, true, ['sign', 'verify']);
  const name = 'CN=Picket test authority';
  const authority = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: '01',
    name,
    notBefore: new Date(Date.now() - 400 * DAY_MS),
    notAfter: new Date(Date.now() + 400 * DAY_MS),
    signingAlgorithm: EC,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(true, 1, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
    ],
  });
  let serial = 1;
  return {
    pem: authority.toString('pem'),
    async issue(options = {}) {
      serial += 1;
      const own = await leafKeys(options.rsaBits);
      const selfSigned = options.selfSigned === true;
      const subject = options.subject ?? 'CN=localhost, O=Picket test';
      const notAfter = new Date(Date.now() + (options.notAfterDays ?? 90) * DAY_MS);
      const names = options.names ?? ['localhost', '127.0.0.1', '::1'];
      const certificate = await x509.X509CertificateGenerator.create({
        serialNumber: serial.toString(16).padStart(4, '0'),
        subject,
        issuer: selfSigned ? subject : name,
        notBefore: new Date(Date.now() + (options.notBeforeDays ?? -100) * DAY_MS),
        notAfter,
        publicKey: own.publicKey,
        signingKey: selfSigned ? own.privateKey : keys.privateKey,
        signingAlgorithm: selfSigned && options.rsaBits !== undefined ? rsa(options.rsaBits) : EC,
        extensions: [
          options.subjectAltName === undefined
            ? new x509.SubjectAlternativeNameExtension(
                names.map((value) => ({ type: /^[\d.]+$|:/.test(value) ? ('ip' as const) : ('dns' as const), value })),
              )
            : new x509.Extension(SUBJECT_ALT_NAME, false, options.subjectAltName),
        ],
      });
      const key = await webcrypto.subtle.exportKey('pkcs8', own.privateKey);
      return {
        cert: certificate.toString('pem'),
        key: x509.PemConverter.encode(key, 'PRIVATE KEY'),
        fingerprint: createHash('sha256').update(Buffer.from(certificate.rawData)).digest('hex'),
        notAfterMs: Math.floor(notAfter.getTime() / 1000) * 1000,
      };
    },
  };
}

function rsa(bits: number) {
  return { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256', modulusLength: bits, publicExponent: new Uint8Array([1, 0, 1]) };
}

function leafKeys(rsaBits: number | undefined): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(rsaBits === undefined ? EC : rsa(rsaBits), true, ['sign', 'verify']);
}

/** A target that speaks TLS. `options` may narrow versions and ciphers. */
export async function startTlsTarget(
  certificate: IssuedCertificate,
  answer: Answering,
  options: TlsOptions & { address?: string } = {},
): Promise<Target> {
  const { address = '127.0.0.1', ...tls } = options;
  const create = (onSocket: (socket: Socket) => void) => {
    const server = createServer({ cert: certificate.cert, key: certificate.key, ...tls }, onSocket);
    // Some tests expect a refused handshake.
    server.on('tlsClientError', () => undefined);
    return server;
  };
  return serveTarget(create, 'https', answer, address);
}
