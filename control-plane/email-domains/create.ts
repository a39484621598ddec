import { readPublicDomain } from '../../kernel/dns/public-domain.js';
import type { Actor } from '../actor.js';
import { AppError, invalidField } from '../errors.js';
import { PLANS } from '../plans/plans.js';
import { refuseOverQuota } from '../plans/quota.js';
import type { Transaction } from '../storage/transaction.js';
import type { EmailDomainDocument } from './documents.js';
import type { EmailDomainNeeds } from './needs.js';
import { canonicalSelectors } from './selectors.js';

/**
 * Creates a domain, due at once. Throws 422 if the name is not a public domain, 409 if the workspace has it already, and 402
 * beyond the plan.
 */
export async function createEmailDomain(
  needs: EmailDomainNeeds,
  tx: Transaction,
  actor: Actor,
  input: { name: string; dkim_selectors?: string[] },
): Promise<EmailDomainDocument> {
  const { store, audit, ids, clock } = needs;
  const read = readPublicDomain(input.name.trim());
  if ('problem' in read) throw invalidField('/name', read.problem, 'public_target');
  const { plan, workspaceId } = actor;
  // The lock also makes sure that two concurrent requests do not both create the domain.
  const present = await store.lockAndCount(tx, workspaceId, PLANS[plan].emailDomains + 1);
  const known = await store.idOfName(tx, workspaceId, read.name);
  if (known !== null) throw new AppError('conflict', `${read.name} is an e-mail domain already: ${known}.`);
  refuseOverQuota(plan, 'emailDomains', present);
  const nowMs = clock.now();
  const domain: EmailDomainDocument = {
    _id: ids.next('eml'),
    workspace_id: workspaceId,
    name: read.name,
    dkim_selectors: canonicalSelectors(input.dkim_selectors ?? []),
    next_at_ms: nowMs,
    requested_at_ms: null,
    areas: [],
    score: null,
    checked_at_ms: null,
    trouble: null,
    checks: 0,
    created_at_ms: nowMs,
    updated_at_ms: nowMs,
    version: 1,
  };
  await store.insert(tx, domain);
  await needs.ensureDefaultRule(tx, actor);
  await audit.record(tx, actor, {
    action: 'email_domain.created',
    resource: { type: 'email_domain', id: domain._id, name: domain.name },
    metadata: { dkim_selectors: domain.dkim_selectors },
  });
  return domain;
}
