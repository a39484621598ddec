import type { Clock } from '../../../kernel/clock.js';
import type { Random } from '../../../kernel/random.js';
import type { Actor } from '../../actor.js';
import type { AuditLog } from '../../audit/audit.js';
import { invalidField } from '../../errors.js';
import type { Transaction } from '../../storage/transaction.js';
import type { LocationStore } from '../locations/store.js';
import type { AgentTokenMaker } from '../nodes.js';
import type { NodeStore } from '../store.js';
import { hashSecret, joinTokenText, newJoinSecret } from './credentials.js';

export const JOIN_TOKEN_VALID_MS = 24 * 3_600_000;

export interface JoinToken {
  /** The only time that it is seen. */
  token: string;
  expiresAtMs: number;
}

interface Dependencies {
  store: NodeStore;
  clock: Clock;
  random: Random;
  /** SHA-256 of the certificate authority that nodes shall pin. */
  fingerprint: string;
  /** `host:port`, or several with commas between, that nodes dial. */
  address: string;
}

/** Makes a token with which one probe may join the location within 24 h. */
export async function createProbeToken(
  dependencies: Dependencies & { locations: LocationStore; audit: AuditLog },
  tx: Transaction,
  actor: Actor,
  location: string,
): Promise<JoinToken> {
  const { locations, audit } = dependencies;
  const known = await locations.find(tx, location);
  if (known === null) throw invalidField('/location', 'must be the code of a check location');
  const made = await insertToken(dependencies, tx, actor, { kind: 'probe', location });
  await audit.record(tx, actor, {
    action: 'probe.join_token_created',
    resource: { type: 'location', id: location, name: known.city },
    metadata: { expires_at_ms: made.expiresAtMs },
  });
  return made;
}

/** Makes a token with which one server may join the workspace within 24 h. */
export function createAgentToken(dependencies: Dependencies, tx: Transaction, by: AgentTokenMaker): Promise<JoinToken> {
  return insertToken(dependencies, tx, by, { kind: 'agent' });
}

async function insertToken(
  { store, clock, random, fingerprint, address }: Dependencies,
  tx: Transaction,
  by: AgentTokenMaker,
  what: { kind: 'probe'; location: string } | { kind: 'agent' },
): Promise<JoinToken> {
  const secret = newJoinSecret(random);
  const expiresAtMs = clock.now() + JOIN_TOKEN_VALID_MS;
  await store.insertToken(tx, {
    _id: hashSecret(secret),
    ...what,
    workspace: { id: by.workspaceId, name: by.workspaceName, plan: by.plan },
    created_by: by.email,
    created_at_ms: clock.now(),
    expires_at: new Date(expiresAtMs),
    used_at_ms: null,
    node_id: null,
  });
  return { token: joinTokenText({ secret, fingerprint, address }), expiresAtMs };
}
