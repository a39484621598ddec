import type { Actor } from '../actor.js';
import { AppError } from '../errors.js';
import type { Transaction } from '../storage/transaction.js';
import type { EmailDomainDocument } from './documents.js';
import { loadDomain } from './load.js';
import type { EmailDomainNeeds } from './needs.js';

/** Checks of one domain that somebody asks for are at least this far apart, because the servers of others answer them. */
export const REQUEST_PAUSE_MS = 60_000;

/** Makes a domain due at once. Throws 429 if somebody requested that within the last minute. */
export async function requestCheck(
  { store, audit, clock }: EmailDomainNeeds,
  tx: Transaction,
  actor: Actor,
  id: string,
): Promise<EmailDomainDocument> {
  const domain = await loadDomain(store, tx, actor, { id, ifVersion: null });
  const nowMs = clock.now();
  const due = await store.requestCheck(tx, domain, nowMs, nowMs - REQUEST_PAUSE_MS);
  if (due === null) {
    const waitMs = (domain.requested_at_ms ?? nowMs) + REQUEST_PAUSE_MS - nowMs;
    throw new AppError('rate_limited', 'A check of the domain was requested within the last minute.', {
      headers: { 'Retry-After': String(Math.max(1, Math.ceil(waitMs / 1_000))) },
    });
  }
  await audit.record(tx, actor, {
    action: 'email_domain.check_requested',
    resource: { type: 'email_domain', id: domain._id, name: domain.name },
    metadata: {},
  });
  return due;
}
