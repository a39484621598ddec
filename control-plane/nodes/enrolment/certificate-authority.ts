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

/** The chain that a control plane presents (its own certificate first) and the key to it, PEM. */
export interface ServerIdentity {
  chain: string;
  key: string;
}

/** What the gRPC server presents and what join tokens name. */
export interface CertificateAuthority {
  /** SHA-256 of the certificate that nodes pin, lower-case hex. The same on every control plane. */
  readonly fingerprint: string;
  identity(): ServerIdentity;
  /** Called at once and with each renewal, so that new connections get the newest certificate. */
  onIdentity(listener: (identity: ServerIdentity) => void): () => void;
  close(): void;
}

interface Dependencies {
  store: AuthorityStore;
  secretBox: SecretBox;
  clock: Clock;
  random: Random;
  logger: Logger;
  /** Host names and addresses under which nodes reach this control plane, besides its fixed name. */
  hosts: readonly string[];
}

const RENEWAL_LOOK_MS = 6 * 3_600_000;
const RENEW_BEFORE_END_MS = SERVER_CERTIFICATE_VALID_MS / 3;

/**
 * The embedded authority: made once, by whichever control plane is first on an empty database. Its key is opened
 * only to sign, and every control plane signs a certificate for itself at start.
 */
export async function openCertificateAuthority(dependencies: Dependencies): Promise<CertificateAuthority> {
  const { store, secretBox, clock, random, logger } = dependencies;
  const stored = (await store.find()) ?? (await store.insertOrRead(await freshAuthority(dependencies)));
  const issue = async (): Promise<ServerIdentity> => {
    const authority: CertificateAndKey = { certificate: stored.certificate, key: secretBox.open(stored.sealed_key) };
    const server = await issueServerCertificate(authority, dependencies.hosts, clock.now(), random);
    return { chain: `${server.certificate.trim()}\n${stored.certificate.trim()}\n`, key: server.key };
  };
  let identity = await issue();
  const listeners = new Set<(identity: ServerIdentity) => void>();
  let renewing = false;
  const renewal: Timer = clock.every(RENEWAL_LOOK_MS, () => {
    const endMs = Date.parse(new X509Certificate(identity.chain).validTo);
    if (renewing || endMs - clock.now() > RENEW_BEFORE_END_MS) return;
    renewing = true;
    issue()
      .then(
        (renewed) => {
          identity = renewed;
          for (const listener of listeners) listener(renewed);
        },
        (error: unknown) => logger.error({ err: error }, 'the server certificate could not be renewed; trying again'),
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

async function freshAuthority({ clock, random, secretBox }: Dependencies) {
  const { certificate, key } = await makeAuthority(clock.now(), random);
  return { _id: 'nodes' as const, certificate, sealed_key: secretBox.seal(key), created_at_ms: clock.now() };
}

/** An operator's own certificate (`PICKET_TLS_CERT`, `PICKET_TLS_KEY`) in place of the embedded authority. */
export function givenCertificate(identity: ServerIdentity): CertificateAuthority {
  const leaf = new X509Certificate(identity.chain);
  if (!leaf.checkPrivateKey(createPrivateKey(identity.key))) throw new Error('the key is not that of the certificate');
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
