import type { Actor } from '../../actor.js';
import type { AuditLog } from '../../audit/audit.js';
import { notFound } from '../../errors.js';
import type { Sessions } from '../../sessions/sessions.js';
import type { Transaction } from '../../storage/transaction.js';
import { endedSessions } from '../domains/end-sessions.js';
import type { IdentitiesStore } from '../sign-in/identities-store.js';
import { resourceOf } from './secret.js';
import type { ProviderStore } from './store.js';

/**
 * Forgets which subject of the provider a member is, so that another subject with the same address can be linked at
 * the next log-in. Ends the sessions that the provider opened for the member.
 */
export async function unlink(
  needs: {
    providers: ProviderStore;
    identities: IdentitiesStore;
    sessions: Pick<Sessions, 'endOfProvider'>;
    audit: AuditLog;
  },
  tx: Transaction,
  actor: Actor,
  userId: string,
): Promise<void> {
  const provider = await needs.providers.findIn(tx, actor.workspaceId);
  const removed = await needs.identities.removeOfUser(tx, actor.workspaceId, userId);
  if (provider === null || removed === 0) throw notFound('link');
  const ended = endedSessions(await needs.sessions.endOfProvider(tx, actor.workspaceId, [userId]));
  const metadata = { unlinked_user: userId, ...ended };
  await needs.audit.record(tx, actor, { action: 'integration.updated', resource: resourceOf(provider), metadata });
}
