import type { Actor } from '../actor.js';
import { AppError } from '../errors.js';
import { PLANS } from '../plans/plans.js';
import { refuseOverQuota } from '../plans/quota.js';
import type { Transaction } from '../storage/transaction.js';
import { readSiteUrl } from './address.js';
import type { SiteDocument } from './documents.js';
import { siteResource } from './load.js';
import type { SiteNeeds } from './needs.js';
import { CODE_VALID_MS, codeHash, newCode } from './protocol/code.js';

/** A site with an activation code, which is shown only now. */
export interface SiteWithCode {
  site: SiteDocument;
  code: string;
}

/** Creates a site that waits for its plugin. Throws 422 for a bad address, 409 for a known one, and 402 beyond the plan. */
export async function createSite(
  needs: SiteNeeds,
  tx: Transaction,
  actor: Actor,
  input: { name: string; url: string },
): Promise<SiteWithCode> {
  const { sites, audit, ids, clock, random } = needs;
  const url = readSiteUrl(input.url, needs.guard);
  const { plan, workspaceId } = actor;
  // The lock also makes sure that two concurrent requests do not both create a site of the address.
  await sites.lockQuota(tx, workspaceId);
  const known = await sites.idOfUrl(tx, workspaceId, url);
  if (known !== null) throw new AppError('conflict', `${url} is already a site: ${known}.`);
  refuseOverQuota(plan, 'sites', await sites.count(tx, workspaceId, PLANS[plan].sites + 1));
  const nowMs = clock.now();
  const code = newCode(random);
  const site: SiteDocument = {
    ...{ _id: ids.next('site'), workspace_id: workspaceId, name: input.name, url },
    code: { hash: codeHash(code) ?? '', expires_at_ms: nowMs + CODE_VALID_MS, made_by: actor.userId },
    ...{ secret: null, connected_at_ms: null, disconnected_at_ms: null, seen_at_ms: null, proven_at_ms: null },
    ...{ about: null, readings: {}, nudge_at_ms: null, nudges_failed: 0, look_at_ms: null },
    ...{ created_at_ms: nowMs, updated_at_ms: nowMs, version: 1 },
  };
  await sites.insert(tx, site);
  await needs.ensureDefaultRule(tx, actor);
  await audit.record(tx, actor, { action: 'site.created', resource: siteResource(site), metadata: { url } });
  return { site, code };
}
