import type { Clock } from '../../../kernel/clock.js';
import type { Random } from '../../../kernel/random.js';
import type { Actor } from '../../actor.js';
import type { AuditLog } from '../../audit/audit.js';
import { AppError, invalidField, notFound } from '../../errors.js';
import { requireVersion } from '../../http/etag.js';
import { requirePlanFeature } from '../../plans/quota.js';
import type { Transaction } from '../../storage/transaction.js';
import type { DomainDocument } from '../documents.js';
import type { ProviderStore } from '../provider/store.js';
import { domainName } from './domain-name.js';
import { type EndSessionsNeeds, endedSessions, endSessionsOutside } from './end-sessions.js';
import { type DomainStore, domainId } from './store.js';

export const DOMAINS_PER_WORKSPACE_MAX = 50;
const TOKEN_BYTES = 24;

export interface DomainNeeds extends Pick<EndSessionsNeeds, 'users' | 'sessions'> {
  domains: DomainStore;
  providers: ProviderStore;
  audit: AuditLog;
  clock: Clock;
  random: Random;
}

/** Adds a domain, which is not verified yet. Several workspaces can add the same one; only one can verify it. */
export async function addDomain(
  { domains, audit, clock, random }: DomainNeeds,
  tx: Transaction,
  actor: Actor,
  text: string,
): Promise<DomainDocument> {
  requirePlanFeature(actor.plan, 'singleSignOn', 'Domains for single sign-on');
  const domain = domainName(text);
  if (domain === null)
    throw invalidField('/domain', 'must be a domain such as example.com', 'format', { example: 'example.com' });
  const present = await domains.lockAndCount(tx, actor.workspaceId, DOMAINS_PER_WORKSPACE_MAX);
  if ((await domains.findIn(tx, actor.workspaceId, domain)) !== null) {
    throw new AppError('conflict', 'This workspace has this domain already.');
  }
  if (present >= DOMAINS_PER_WORKSPACE_MAX) {
    throw new AppError('conflict', `A workspace can have at most ${DOMAINS_PER_WORKSPACE_MAX} domains.`);
  }
  const document: DomainDocument = {
    _id: domainId(actor.workspaceId, domain),
    workspace_id: actor.workspaceId,
    domain,
    token: random.bytes(TOKEN_BYTES).toString('base64url'),
    verified_at_ms: null,
    checked_at_ms: null,
    created_at_ms: clock.now(),
    version: 1,
  };
  await domains.insert(tx, document);
  await audit.record(tx, actor, domainEvent(document.domain, 'added'));
  return document;
}

/** Removes a domain. People with addresses of it can no longer log in through the provider, and its sessions of them end. */
export async function removeDomain(
  needs: DomainNeeds,
  tx: Transaction,
  actor: Actor,
  { domain, ifVersion }: { domain: string; ifVersion: number | null },
): Promise<void> {
  const { domains, providers, audit } = needs;
  const document = await domains.findIn(tx, actor.workspaceId, domainName(domain) ?? '');
  if (document === null) throw notFound('domain');
  requireVersion(ifVersion, document.version);
  await domains.lockQuota(tx, actor.workspaceId);
  const policy = await providers.policyIn(tx, actor.workspaceId);
  const isLast = document.verified_at_ms !== null && (await domains.countVerified(tx, actor.workspaceId)) === 1;
  if (policy?.enforced === true && isLast) {
    throw new AppError('conflict', 'Single sign-on is enforced, and without this domain nobody could use it.');
  }
  await domains.remove(tx, actor.workspaceId, document.domain);
  const ended = document.verified_at_ms === null ? 0 : await endSessionsOutside(needs, tx, actor.workspaceId);
  await audit.record(tx, actor, domainEvent(document.domain, 'removed', ended));
}

/** Returns the audit entry of a change of a domain, which has ended so many sessions. */
export function domainEvent(
  domain: string,
  change: 'added' | 'verified' | 'unverified' | 'removed',
  sessionsEnded = 0,
) {
  return {
    action: 'integration.updated' as const,
    resource: { type: 'single_sign_on_domain', id: domain, name: domain },
    metadata: { domain, change, ...endedSessions(sessionsEnded) },
  };
}
