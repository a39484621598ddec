// @peculiar/x509 needs this import first.
import 'reflect-metadata';
import { webcrypto, X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import * as x509 from '@peculiar/x509';
import type { Random } from '../../../kernel/random.js';
import { SERVER_NAME } from '../../../proto/handshake.js';

const DAY_MS = 86_400_000;
const AUTHORITY_VALID_MS = 20 * 365 * DAY_MS;
/** Validity of a server certificate. It is renewed when a third of this is left. */
export const SERVER_CERTIFICATE_VALID_MS = 90 * DAY_MS;
/** A node whose clock is late must not refuse a new certificate as not yet valid. */
const BACKDATED_MS = 2 * DAY_MS;
const SERIAL_BYTES = 16;
const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256' } as const;
const SIGNING = { name: 'ECDSA', hash: 'SHA-256' } as const;

/** A certificate with its private key, both PEM. */
export interface CertificateAndKey {
  certificate: string;
  key: string;
}

/** Creates a self-signed certificate authority. */
export async function makeAuthority(nowMs: number, random: Random): Promise<CertificateAndKey> {
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned(
    {
      serialNumber: serial(random),
      name: 'CN=Picket node authority',
      notBefore: new Date(nowMs - BACKDATED_MS),
      notAfter: new Date(nowMs + AUTHORITY_VALID_MS),
      signingAlgorithm: SIGNING,
      keys,
      extensions: [
        new x509.BasicConstraintsExtension(true, 0, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
        await x509.SubjectKeyIdentifierExtension.create(keys.publicKey, false, webcrypto),
      ],
    },
    webcrypto,
  );
  return { certificate: certificate.toString('pem'), key: await privateKeyPem(keys.privateKey) };
}

/** Issues a certificate for `SERVER_NAME` and the hosts, with a new key. */
export async function issueServerCertificate(
  authority: CertificateAndKey,
  hosts: readonly string[],
  nowMs: number,
  random: Random,
): Promise<CertificateAndKey> {
  const issuer = new x509.X509Certificate(authority.certificate);
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const names = new Set([SERVER_NAME, ...hosts]);
  const certificate = await x509.X509CertificateGenerator.create(
    {
      serialNumber: serial(random),
      subject: `CN=${SERVER_NAME}`,
      issuer: issuer.subject,
      notBefore: new Date(nowMs - BACKDATED_MS),
      notAfter: new Date(nowMs + SERVER_CERTIFICATE_VALID_MS),
      signingAlgorithm: SIGNING,
      publicKey: keys.publicKey,
      signingKey: await importPrivateKey(authority.key),
      extensions: [
        new x509.BasicConstraintsExtension(false, undefined, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
        new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
        new x509.SubjectAlternativeNameExtension(
          [...names].map((name) => ({ type: isIP(name) === 0 ? ('dns' as const) : ('ip' as const), value: name })),
        ),
        await x509.SubjectKeyIdentifierExtension.create(keys.publicKey, false, webcrypto),
        await x509.AuthorityKeyIdentifierExtension.create(issuer, false, webcrypto),
      ],
    },
    webcrypto,
  );
  return { certificate: certificate.toString('pem'), key: await privateKeyPem(keys.privateKey) };
}

/** Returns the SHA-256 of the last certificate of a PEM chain in lower-case hexadecimal. Nodes pin it. */
export function fingerprintOfLast(chain: string): string {
  const last = chain.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g)?.at(-1);
  if (last === undefined) throw new Error('the file contains no certificate');
  return new X509Certificate(last).fingerprint256.replaceAll(':', '').toLowerCase();
}

/** Returns a random serial number, positive and at most 20 bytes as RFC 5280 requires. */
function serial(random: Random): string {
  return `01${random.bytes(SERIAL_BYTES).toString('hex')}`;
}

async function privateKeyPem(key: webcrypto.CryptoKey): Promise<string> {
  const der = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', key));
  return x509.PemConverter.encode(der, 'PRIVATE KEY');
}

function importPrivateKey(pem: string): Promise<webcrypto.CryptoKey> {
  const [der] = x509.PemConverter.decode(pem);
  if (der === undefined) throw new Error('the key of the certificate authority is invalid');
  return webcrypto.subtle.importKey('pkcs8', der, ALGORITHM, false, ['sign']);
}
