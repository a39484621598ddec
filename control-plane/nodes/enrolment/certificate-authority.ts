import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { Clock, Timer } from '../../../kernel/clock.js';
import type { Logger } from '../../../kernel/logger.js';
import type { Random } from '../../../kernel/random.js';
import type { SecretBox } from '../../storage/secret-box.js';
import type { AuthorityStore } from './authority-store.js';
import {
  type CertificateAndKey,
  fingerprintOfLast,
  issueServerCertificate,
  makeAuthority,
  SERVER_CERTIFICATE_VALID_MS,
} from './certificates.js';

/** The certificate chain of a control plane, its own certificate first, and the key. Both are PEM. */
export interface ServerIdentity {
  chain: string;
  key: string;
}

/** Issues the certificate of the gRPC server. Join tokens contain its fingerprint. */
export interface CertificateAuthority {
  /** SHA-256 of the certificate that nodes pin, in lower-case hexadecimal. It is the same on every control plane. */
  readonly fingerprint: string;
  identity(): ServerIdentity;
  /**
   * Calls the listener now and at each renewal, so that new connections get the newest certificate. Returns a function
   * that removes it.
   */
  onIdentity(listener: (identity: ServerIdentity) => void): () => void;
  close(): void;
}

interface AuthorityNeeds {
  store: AuthorityStore;
  secretBox: SecretBox;
  clock: Clock;
  random: Random;
  logger: Logger;
  /** Host names and addresses of this control plane, in addition to its fixed name. */
  hosts: readonly string[];
}

const KEY_SEAL = { purpose: 'certificate_authority', id: 'nodes' } as const;
const RENEWAL_CHECK_MS = 6 * 3_600_000;
const RENEW_BEFORE_END_MS = SERVER_CERTIFICATE_VALID_MS / 3;

/**
 * Opens the embedded authority. The first control plane on an empty database creates it. Its key is decrypted only to
 * sign. Every control plane issues a certificate for itself at start.
 */
export async function openCertificateAuthority(needs: AuthorityNeeds): Promise<CertificateAuthority> {
  const { store, secretBox, clock, random, logger } = needs;
  const stored = (await store.find()) ?? (await store.insertOrRead(await freshAuthority(needs)));
  const issue = async (): Promise<ServerIdentity> => {
    const authority: CertificateAndKey = {
      certificate: stored.certificate,
      key: secretBox.open(stored.sealed_key, KEY_SEAL),
    };
    const server = await issueServerCertificate(authority, needs.hosts, clock.now(), random);
    return { chain: `${server.certificate.trim()}\n${stored.certificate.trim()}\n`, key: server.key };
  };
  let identity = await issue();
  const listeners = new Set<(identity: ServerIdentity) => void>();
  let renewing = false;
  const renewal: Timer = clock.every(RENEWAL_CHECK_MS, () => {
    const endMs = Date.parse(new X509Certificate(identity.chain).validTo);
    if (renewing || endMs - clock.now() > RENEW_BEFORE_END_MS) return;
    renewing = true;
    issue()
      .then(
        (renewed) => {
          identity = renewed;
          for (const listener of listeners) listener(renewed);
        },
        (error: unknown) => logger.error({ err: error }, 'renewing the server certificate failed, retrying in 6 h'),
      )
      .finally(() => {
        renewing = false;
      });
  });
  return {
    fingerprint: fingerprintOfLast(stored.certificate),
    identity: () => identity,
    onIdentity(listener) {
      listeners.add(listener);
      listener(identity);
      return () => void listeners.delete(listener);
    },
    close: () => renewal.cancel(),
  };
}

async function freshAuthority({ clock, random, secretBox }: AuthorityNeeds) {
  const { certificate, key } = await makeAuthority(clock.now(), random);
  return { _id: KEY_SEAL.id, certificate, sealed_key: secretBox.seal(key, KEY_SEAL), created_at_ms: clock.now() };
}

/** Returns an authority for the operator's own certificate (`PICKET_TLS_CERT`, `PICKET_TLS_KEY`). */
export function givenCertificate(identity: ServerIdentity): CertificateAuthority {
  const leaf = new X509Certificate(identity.chain);
  if (!leaf.checkPrivateKey(createPrivateKey(identity.key)))
    throw new Error('the key does not belong to the certificate');
  return {
    fingerprint: fingerprintOfLast(identity.chain),
    identity: () => identity,
    onIdentity(listener) {
      listener(identity);
      return () => {};
    },
    close: () => {},
  };
}
