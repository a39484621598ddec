// The container of @peculiar/x509 needs it at import.
import 'reflect-metadata';
import { createHash, webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const DAY_MS = 86_400_000;

/** A certificate authority with one server certificate, as a control plane has. */
export interface TestAuthority {
  authorityPem: string;
  /** SHA-256 of the authority's certificate, hex. */
  fingerprint: string;
  /** Leaf and authority. */
  chainPem: string;
  keyPem: string;
}

export async function testAuthority(serverName = 'picket-control-plane'): Promise<TestAuthority> {
  const authorityKeys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const serverKeys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const validity = { notBefore: new Date(Date.now() - DAY_MS), notAfter: new Date(Date.now() + 30 * DAY_MS) };
  const authority = await x509.X509CertificateGenerator.createSelfSigned(
    {
      serialNumber: '01',
      name: 'CN=Test Authority',
      ...validity,
      signingAlgorithm: ALGORITHM,
      keys: authorityKeys,
      extensions: [
        new x509.BasicConstraintsExtension(true, undefined, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
      ],
    },
    webcrypto,
  );
  const leaf = await x509.X509CertificateGenerator.create(
    {
      serialNumber: '02',
      subject: `CN=${serverName}`,
      issuer: authority.subject,
      ...validity,
      signingAlgorithm: ALGORITHM,
      publicKey: serverKeys.publicKey,
      signingKey: authorityKeys.privateKey,
      extensions: [new x509.SubjectAlternativeNameExtension([{ type: 'dns', value: serverName }])],
    },
    webcrypto,
  );
  const key = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', serverKeys.privateKey)).toString('base64');
  return {
    authorityPem: authority.toString('pem'),
    fingerprint: createHash('sha256').update(Buffer.from(authority.rawData)).digest('hex'),
    chainPem: `${leaf.toString('pem')}\n${authority.toString('pem')}\n`,
    keyPem: `-----BEGIN PRIVATE KEY-----\n${key.match(/.{1,64}/g)?.join('\n')}\n-----END PRIVATE KEY-----\n`,
  };
}
