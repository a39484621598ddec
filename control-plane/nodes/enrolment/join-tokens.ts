import { type Clock, toIso } from '../../../kernel/clock.js';
import type { Random } from '../../../kernel/random.js';
import type { Actor } from '../../actor.js';
import type { AuditLog } from '../../audit/audit.js';
import { invalidField } from '../../errors.js';
import type { Ids } from '../../storage/ids.js';
import type { Transaction } from '../../storage/transaction.js';
import type { LocationStore } from '../locations/store.js';
import type { AgentTokenMaker } from '../nodes.js';
import type { NodeStore } from '../store.js';
import { hashSecret, joinTokenText, newJoinSecret } from './credentials.js';

const JOIN_TOKEN_VALID_MS = 24 * 3_600_000;

export interface JoinToken {
  id: string;
  /** The token, which is not stored. */
  token: string;
  expiresAtMs: number;
}

interface TokenNeeds {
  store: NodeStore;
  ids: Ids;
  clock: Clock;
  random: Random;
  /** SHA-256 of the certificate that nodes pin. */
  fingerprint: string;
  /** `host:port` that nodes connect to, or several separated by commas. */
  address: string;
}

/** Creates a token for one probe of the location, valid for 24 h. */
export async function createProbeToken(
  needs: TokenNeeds & { locations: LocationStore; audit: AuditLog },
  tx: Transaction,
  actor: Actor,
  location: string,
): Promise<JoinToken> {
  const { locations, audit } = needs;
  const known = await locations.find(tx, location);
  if (known === null) throw invalidField('/location', 'must be the code of a check location');
  const token = await insertToken(needs, tx, actor, { kind: 'probe', location });
  await audit.record(tx, actor, {
    action: 'probe.join_token_created',
    resource: { type: 'location', id: location, name: known.city },
    metadata: { join_token: token.id, expires_at: toIso(token.expiresAtMs) },
  });
  return token;
}

/** Creates a token for one server of the workspace, valid for 24 h. */
export function createAgentToken(needs: TokenNeeds, tx: Transaction, by: AgentTokenMaker): Promise<JoinToken> {
  return insertToken(needs, tx, by, { kind: 'agent' });
}

async function insertToken(
  { store, ids, clock, random, fingerprint, address }: TokenNeeds,
  tx: Transaction,
  by: AgentTokenMaker,
  what: { kind: 'probe'; location: string } | { kind: 'agent' },
): Promise<JoinToken> {
  const secret = newJoinSecret(random);
  const id = ids.next('jtk');
  const expiresAtMs = clock.now() + JOIN_TOKEN_VALID_MS;
  await store.insertToken(tx, {
    _id: hashSecret(secret),
    token_id: id,
    ...what,
    workspace: { id: by.workspaceId, name: by.workspaceName, plan: by.plan },
    created_by: by.email,
    maker_id: by.userId,
    created_at_ms: clock.now(),
    expires_at: new Date(expiresAtMs),
    used_at_ms: null,
    node_id: null,
  });
  return { id, token: joinTokenText({ secret, fingerprint, address }), expiresAtMs };
}
