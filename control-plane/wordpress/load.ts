import type { Actor } from '../actor.js';
import { notFound } from '../errors.js';
import type { Transaction } from '../storage/transaction.js';
import type { SiteDocument } from './documents.js';
import type { SiteStore } from './store.js';

/** Returns the site. Throws 404 if it does not exist. */
export async function loadSite(
  sites: Pick<SiteStore, 'find'>,
  actor: Pick<Actor, 'workspaceId'>,
  id: string,
  tx?: Transaction,
): Promise<SiteDocument> {
  const site = await sites.find(actor.workspaceId, id, tx);
  if (site === null) throw notFound('site');
  return site;
}

/** Returns a site as the audit log names it. */
export function siteResource({ _id, name }: Pick<SiteDocument, '_id' | 'name'>) {
  return { type: 'site', id: _id, name };
}
