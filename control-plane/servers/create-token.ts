import { toIso } from '../../kernel/clock.js';
import type { Actor } from '../actor.js';
import { PLANS } from '../plans/plans.js';
import { refuseOverQuota } from '../plans/quota.js';
import type { Transaction } from '../storage/transaction.js';
import type { ServerNeeds } from './needs.js';

/** Creates a token with which one server can join. Throws 402 if the plan has no free server. */
export async function createServerToken(
  { store, audit, credentials, ensureDefaultRules }: ServerNeeds,
  tx: Transaction,
  actor: Actor,
): Promise<{ id: string; token: string; expiresAtMs: number }> {
  const { plan, workspaceId, workspaceName } = actor;
  refuseOverQuota(plan, 'servers', await store.count(tx, workspaceId, PLANS[plan].servers + 1));
  const token = await credentials.createJoinToken(tx, actor);
  await ensureDefaultRules(tx, actor);
  await audit.record(tx, actor, {
    action: 'server.join_token_created',
    resource: { type: 'workspace', id: workspaceId, name: workspaceName },
    metadata: { join_token: token.id, expires_at: toIso(token.expiresAtMs) },
  });
  return token;
}
