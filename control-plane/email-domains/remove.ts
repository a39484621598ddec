import type { Actor } from '../actor.js';
import { notFound } from '../errors.js';
import type { Transaction } from '../storage/transaction.js';
import { loadDomain } from './load.js';
import type { EmailDomainNeeds } from './needs.js';

/** Deletes a domain and resolves its incident. Its history is deleted after the transaction. */
export async function removeEmailDomain(
  { store, days, listener, audit, logger }: EmailDomainNeeds,
  tx: Transaction,
  actor: Actor,
  request: { id: string; ifVersion: number | null },
): Promise<void> {
  const domain = await loadDomain(store, tx, actor, request);
  if (!(await store.remove(tx, actor.workspaceId, domain._id))) throw notFound('e-mail domain');
  await listener.deleted(tx, actor, domain);
  await audit.record(tx, actor, {
    action: 'email_domain.deleted',
    resource: { type: 'email_domain', id: domain._id, name: domain.name },
    metadata: {},
  });
  const history = { workspaceId: actor.workspaceId, domainId: domain._id };
  tx.afterCommit(() => {
    days.removeOf(history).catch((error: unknown) => {
      logger.warn(
        { err: error, ...history },
        'deleting the history of an e-mail domain failed; it stays until it expires',
      );
    });
  });
}
