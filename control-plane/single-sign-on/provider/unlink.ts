import type { Actor } from '../../actor.js';
import type { AuditLog } from '../../audit/audit.js';
import { notFound } from '../../errors.js';
import type { Transaction } from '../../storage/transaction.js';
import type { IdentitiesStore } from '../sign-in/identities-store.js';
import { resourceOf } from './secret.js';
import type { ProviderStore } from './store.js';

/**
 * Forgets which subject of the provider a member is, so that another subject with the same address can be linked at
 * the next log-in.
 */
export async function unlink(
  needs: { providers: ProviderStore; identities: IdentitiesStore; audit: AuditLog },
  tx: Transaction,
  actor: Actor,
  userId: string,
): Promise<void> {
  const provider = await needs.providers.findIn(tx, actor.workspaceId);
  const removed = await needs.identities.removeOfUser(tx, actor.workspaceId, userId);
  if (provider === null || removed === 0) throw notFound('link');
  const metadata = { unlinked_user: userId };
  await needs.audit.record(tx, actor, { action: 'integration.updated', resource: resourceOf(provider), metadata });
}
