// x509's container needs it before it is loaded.
import 'reflect-metadata';
import { webcrypto, X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import * as x509 from '@peculiar/x509';
import type { Random } from '../../../kernel/random.js';

/** Every control plane's certificate has this name, whatever host it runs on: nodes check the chain against it. */
export const SERVER_NAME = 'picket-control-plane';

const DAY_MS = 86_400_000;
const AUTHORITY_VALID_MS = 20 * 365 * DAY_MS;
/** What a server certificate is good for; `renewAtMs` is a third of it before the end. */
export const SERVER_CERTIFICATE_VALID_MS = 90 * DAY_MS;
/** A node whose clock is behind must not take a new certificate for one of the future. */
const BACKDATED_MS = 2 * DAY_MS;
const SERIAL_BYTES = 16;
const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256' } as const;
const SIGNING = { name: 'ECDSA', hash: 'SHA-256' } as const;

/** A certificate with its private key, both PEM. */
export interface CertificateAndKey {
  certificate: string;
  key: string;
}

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

/** A certificate for `SERVER_NAME` and the hosts, of this authority, with a key made for it alone. */
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

/** SHA-256 of the last certificate of a PEM chain, lower-case hex: what nodes pin. */
export function fingerprintOfLast(chain: string): string {
  const last = chain.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g)?.at(-1);
  if (last === undefined) throw new Error('there is no certificate in it');
  return new X509Certificate(last).fingerprint256.replaceAll(':', '').toLowerCase();
}

/** Positive and at most 20 bytes, as RFC 5280 asks. */
function serial(random: Random): string {
  return `01${random.bytes(SERIAL_BYTES).toString('hex')}`;
}

async function privateKeyPem(key: webcrypto.CryptoKey): Promise<string> {
  const der = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', key));
  return x509.PemConverter.encode(der, 'PRIVATE KEY');
}

function importPrivateKey(pem: string): Promise<webcrypto.CryptoKey> {
  const [der] = x509.PemConverter.decode(pem);
  if (der === undefined) throw new Error('the key of the certificate authority is unreadable');
  return webcrypto.subtle.importKey('pkcs8', der, ALGORITHM, false, ['sign']);
}
