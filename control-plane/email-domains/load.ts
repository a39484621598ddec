import type { Actor } from '../actor.js';
import { notFound } from '../errors.js';
import { requireVersion } from '../http/etag.js';
import type { Transaction } from '../storage/transaction.js';
import type { EmailDomainDocument } from './documents.js';
import type { EmailDomainStore } from './store.js';

/** Returns the domain. Throws 404 if it does not exist, and 412 if its version is not the one that the client has. */
export async function loadDomain(
  store: Pick<EmailDomainStore, 'find'>,
  tx: Transaction,
  actor: Actor,
  request: { id: string; ifVersion: number | null },
): Promise<EmailDomainDocument> {
  const domain = await store.find(actor.workspaceId, request.id, tx);
  if (domain === null) throw notFound('e-mail domain');
  requireVersion(request.ifVersion, domain.version);
  return domain;
}
