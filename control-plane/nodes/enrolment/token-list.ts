import { type Clock, toIso } from '../../../kernel/clock.js';
import type { MemberAccess } from '../../accounts/member-access.js';
import { AppError, notFound } from '../../errors.js';
import { ROLE_RIGHTS, rightOfScope } from '../../roles.js';
import type { Transaction } from '../../storage/transaction.js';
import type { JoinTokenDocument, ListedToken } from '../documents.js';
import type { JoinTokenView } from '../join-token.js';
import type { NodeStore, TokenOwner } from '../store.js';

/** The right that whoever creates a token for a server, or for a probe, must have and keep. */
const MAKER_RIGHT = { agent: rightOfScope('servers:write'), probe: 'manage' } as const;

/** Returns a token as lists show it. Pure. */
export function joinTokenView(token: ListedToken, nowMs: number): JoinTokenView {
  const { token_id: id, used_at_ms: usedAtMs, node_id: used_by, created_by, maker_id = null } = token;
  const isExpired = token.expires_at.getTime() <= nowMs;
  return {
    id,
    status: usedAtMs !== null ? 'used' : isExpired ? 'expired' : 'open',
    created_by: { id: maker_id, email: created_by },
    created_at: toIso(token.created_at_ms),
    expires_at: toIso(token.expires_at.getTime()),
    used_at: usedAtMs === null ? null : toIso(usedAtMs),
    used_by,
  };
}

/** Revokes a token that no node has used. Throws 404 for an unknown one and 409 for a used one. */
export async function revokeJoinToken(
  store: Pick<NodeStore, 'removeToken' | 'isUsedToken'>,
  tx: Transaction,
  owner: TokenOwner,
  id: string,
): Promise<JoinTokenDocument> {
  const removed = await store.removeToken(tx, owner, id);
  if (removed !== null) return removed;
  if (!(await store.isUsedToken(tx, owner, id))) throw notFound('join token');
  throw new AppError(
    'conflict',
    `The token has been used. Remove the ${owner.kind === 'agent' ? 'server' : 'probe'} instead.`,
  );
}

/** Returns the function that removes the tokens of a member who may not create them any more. */
export function createEndJoinTokens(store: Pick<NodeStore, 'removeTokensOf'>): MemberAccess['end'] {
  return (tx, { workspaceId, userId, role }) => {
    const lost = (['agent', 'probe'] as const).filter((kind) => role === null || !ROLE_RIGHTS[role][MAKER_RIGHT[kind]]);
    return store.removeTokensOf(tx, { workspaceId, userId }, lost);
  };
}

/** Reads and revokes the join tokens for servers. */
export interface AgentTokens {
  /** Returns a page of the tokens of a workspace, newest first. */
  page(workspaceId: string, request: Parameters<NodeStore['pageOfTokens']>[1]): Promise<ListedToken[]>;
  view(token: ListedToken): JoinTokenView;
  revoke(tx: Transaction, workspaceId: string, id: string): Promise<JoinTokenDocument>;
}

export function createAgentTokens({ store, clock }: { store: NodeStore; clock: Clock }): AgentTokens {
  return {
    page: (workspaceId, request) => store.pageOfTokens({ kind: 'agent', workspaceId }, request),
    view: (token) => joinTokenView(token, clock.now()),
    revoke: (tx, workspaceId, id) => revokeJoinToken(store, tx, { kind: 'agent', workspaceId }, id),
  };
}
