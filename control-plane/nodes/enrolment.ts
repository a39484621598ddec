import type { Clock } from '../../kernel/clock.js';
import type { Random } from '../../kernel/random.js';
import { type Actor, systemActor } from '../actor.js';
import type { AuditLog } from '../audit/audit.js';
import { invalidField } from '../errors.js';
import type { Ids } from '../storage/ids.js';
import type { RunTransaction, Transaction } from '../storage/transaction.js';
import { hashSecret, joinTokenText, newCredential, newJoinSecret } from './credentials.js';
import type { NodeDocument } from './documents.js';
import type { LocationStore } from './locations-store.js';
import type { NodeStore } from './store.js';

export const JOIN_TOKEN_VALID_MS = 24 * 3_600_000;
const VERSION_CHARS_MAX = 64;
const HOSTNAME_CHARS_MAX = 255;

export interface JoinToken {
  /** The only time that it is seen. */
  token: string;
  expiresAtMs: number;
}

interface TokenDependencies {
  store: NodeStore;
  locations: LocationStore;
  audit: AuditLog;
  clock: Clock;
  random: Random;
  /** SHA-256 of the certificate authority that nodes shall pin. */
  fingerprint: string;
  /** `host:port`, or several with commas between, that nodes dial. */
  address: string;
}

/** Makes a token with which one probe may join the location within 24 h. */
export async function createJoinToken(
  dependencies: TokenDependencies,
  tx: Transaction,
  actor: Actor,
  location: string,
): Promise<JoinToken> {
  const { store, locations, audit, clock, random, fingerprint, address } = dependencies;
  const known = await locations.find(tx, location);
  if (known === null) throw invalidField('/location', 'must be the code of a check location');
  const secret = newJoinSecret(random);
  const expiresAtMs = clock.now() + JOIN_TOKEN_VALID_MS;
  await store.insertToken(tx, {
    _id: hashSecret(secret),
    kind: 'probe',
    location,
    workspace: { id: actor.workspaceId, name: actor.workspaceName, plan: actor.plan },
    created_by: actor.email,
    created_at_ms: clock.now(),
    expires_at: new Date(expiresAtMs),
    used_at_ms: null,
    node_id: null,
  });
  await audit.record(tx, actor, {
    action: 'probe.join_token_created',
    resource: { type: 'location', id: location, name: known.city },
    metadata: { expires_at_ms: expiresAtMs },
  });
  return { token: joinTokenText({ secret, fingerprint, address }), expiresAtMs };
}

export type Authentication =
  | { kind: 'accepted'; node: NodeDocument }
  | { kind: 'revoked'; node: NodeDocument }
  | { kind: 'unknown' };

export interface Enrolment {
  /** null when the token is unknown, used or too old: the three are not told apart. */
  enrol(request: {
    secret: string;
    version: string;
    hostname: string;
  }): Promise<{ node: NodeDocument; credential: string } | null>;
  /** Whose credential it is. The first use of a rotated one voids the one before it. */
  authenticate(credential: string): Promise<Authentication>;
  /** A new credential in place of the caller's; null when that one is no longer valid. */
  rotate(credential: string): Promise<string | null>;
}

interface EnrolmentDependencies {
  store: NodeStore;
  audit: AuditLog;
  runTransaction: RunTransaction;
  ids: Ids;
  clock: Clock;
  random: Random;
}

export function createEnrolment(dependencies: EnrolmentDependencies): Enrolment {
  const { store, clock, random } = dependencies;
  async function authenticate(credential: string): Promise<Authentication> {
    const hash = hashSecret(credential);
    const node = await store.findByCredential(hash);
    if (node === null) return { kind: 'unknown' };
    if (node.revoked_at_ms !== null) return { kind: 'revoked', node };
    if (node.credential_hash === hash && node.previous_credential_hash !== null)
      await store.forgetPrevious(node._id, hash);
    return { kind: 'accepted', node };
  }
  return {
    enrol: (request) => enrol(dependencies, request),
    authenticate,
    async rotate(credential) {
      const caller = await authenticate(credential);
      if (caller.kind !== 'accepted') return null;
      const fresh = newCredential(random);
      const written = await store.rotate(caller.node._id, hashSecret(credential), hashSecret(fresh), clock.now());
      return written ? fresh : null;
    },
  };
}

/** The token is used up, the node made and the audit entry written in one transaction: all or nothing. */
function enrol(
  { store, audit, runTransaction, ids, clock, random }: EnrolmentDependencies,
  request: { secret: string; version: string; hostname: string },
): Promise<{ node: NodeDocument; credential: string } | null> {
  const id = ids.next('prb');
  const credential = newCredential(random);
  return runTransaction(async (tx) => {
    const token = await store.consumeToken(tx, hashSecret(request.secret), id, clock.now());
    if (token === null) return null;
    const node: NodeDocument = {
      _id: id,
      kind: 'probe',
      location: token.location,
      version: printable(request.version, VERSION_CHARS_MAX),
      hostname: printable(request.hostname, HOSTNAME_CHARS_MAX),
      credential_hash: hashSecret(credential),
      previous_credential_hash: null,
      credential_issued_at_ms: clock.now(),
      enrolled_at_ms: clock.now(),
      document_version: 1,
      drained_at_ms: null,
      revoked_at_ms: null,
    };
    await store.insertNode(tx, node);
    await audit.record(tx, systemActor(token.workspace, id), {
      action: 'probe.enrolled',
      resource: { type: 'probe', id, name: node.hostname },
      metadata: { location: node.location, version: node.version, token_made_by: token.created_by },
    });
    return { node, credential };
  });
}

/** What a node says of itself, cut to a length and freed of control characters: it is shown to operators. */
export function printable(text: string, charsMax: number): string {
  return text.replace(/\p{C}/gu, '').slice(0, charsMax);
}
