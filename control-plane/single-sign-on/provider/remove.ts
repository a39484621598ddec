import type { Actor } from '../../actor.js';
import type { AuditLog } from '../../audit/audit.js';
import { requireVersion } from '../../http/etag.js';
import type { ReferenceLock } from '../../references/lock.js';
import type { Sessions } from '../../sessions/sessions.js';
import type { Transaction } from '../../storage/transaction.js';
import { endedSessions } from '../domains/end-sessions.js';
import type { IdentitiesStore } from '../sign-in/identities-store.js';
import { noProvider } from './no-provider.js';
import { resourceOf } from './secret.js';
import { type ProviderStore, providerLockId } from './store.js';

/**
 * Removes the provider, its links with members, the sessions that it opened, and the requirement to use it. The domains stay
 * verified.
 */
export async function removeProvider(
  needs: {
    providers: ProviderStore;
    providerLock: ReferenceLock;
    identities: IdentitiesStore;
    sessions: Pick<Sessions, 'endOfProvider'>;
    audit: AuditLog;
  },
  tx: Transaction,
  actor: Actor,
  ifVersion: number | null,
): Promise<void> {
  const { providers, providerLock, identities, sessions, audit } = needs;
  // Log-ins that end at the same time get no session that would stay.
  await providerLock.remove(tx, [providerLockId(actor.workspaceId)]);
  const provider = await providers.findIn(tx, actor.workspaceId);
  if (provider === null) throw noProvider();
  requireVersion(ifVersion, provider.version);
  await providers.remove(tx, actor.workspaceId);
  await providers.setPolicy(tx, actor.workspaceId, null);
  await identities.removeAll(tx, actor.workspaceId);
  const ended = endedSessions(await sessions.endOfProvider(tx, actor.workspaceId));
  const metadata = { issuer: provider.issuer, client_id: provider.client_id, ...ended };
  await audit.record(tx, actor, { action: 'integration.disconnected', resource: resourceOf(provider), metadata });
}
