import type { Actor } from '../actor.js';
import { notFound } from '../errors.js';
import { requireVersion } from '../http/etag.js';
import type { Transaction } from '../storage/transaction.js';
import { loadSite, siteResource } from './load.js';
import type { SiteNeeds } from './needs.js';

/** Deletes a site with its jobs. What its plugin has changed on the site stays until the plugin is deactivated there. */
export async function removeSite(
  { sites, jobs, listener, audit }: SiteNeeds,
  tx: Transaction,
  actor: Actor,
  request: { id: string; ifVersion: number | null },
): Promise<void> {
  const site = await loadSite(sites, actor, request.id, tx);
  requireVersion(request.ifVersion, site.version);
  if (!(await sites.remove(tx, actor.workspaceId, site._id))) throw notFound('site');
  await jobs.removeOf(tx, actor.workspaceId, site._id);
  await listener.ended(tx, actor, site, 'deleted');
  await audit.record(tx, actor, { action: 'site.deleted', resource: siteResource(site), metadata: { url: site.url } });
}
