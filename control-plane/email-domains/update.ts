import type { Actor } from '../actor.js';
import { AppError } from '../errors.js';
import type { Transaction } from '../storage/transaction.js';
import type { EmailDomainDocument } from './documents.js';
import { loadDomain } from './load.js';
import type { EmailDomainNeeds } from './needs.js';
import { REQUEST_PAUSE_MS } from './request-check.js';
import { canonicalSelectors } from './selectors.js';

/** Updates the selectors of a domain, and makes it due, but not within a minute of its latest check. A request that changes nothing writes nothing. */
export async function updateEmailDomain(
  { store, audit, clock }: EmailDomainNeeds,
  tx: Transaction,
  actor: Actor,
  request: { id: string; patch: { dkim_selectors?: string[] }; ifVersion: number | null },
): Promise<EmailDomainDocument> {
  const domain = await loadDomain(store, tx, actor, request);
  const selectors = canonicalSelectors(request.patch.dkim_selectors ?? domain.dkim_selectors);
  if (selectors.join() === domain.dkim_selectors.join()) return domain;
  const nowMs = clock.now();
  const earliestMs = Math.max(nowMs, (domain.checked_at_ms ?? 0) + REQUEST_PAUSE_MS);
  const changed = await store.change(tx, domain, {
    dkim_selectors: selectors,
    next_at_ms: Math.min(domain.next_at_ms, earliestMs),
    updated_at_ms: nowMs,
  });
  // A concurrent change normally causes a write conflict and a retry of the transaction, so this is not expected.
  if (changed === null) {
    throw new AppError('conflict', 'The e-mail domain was changed by another request at the same time.');
  }
  await audit.record(tx, actor, {
    action: 'email_domain.updated',
    resource: { type: 'email_domain', id: changed._id, name: changed.name },
    metadata: { changes: { dkim_selectors: { from: domain.dkim_selectors, to: selectors } } },
  });
  return changed;
}
