import { platformActor } from '../../actor.js';
import { AppError } from '../../errors.js';
import type { Transaction } from '../../storage/transaction.js';
import { CHECK_IDS } from '../checks/catalogue.js';
import { readingsOf, type SiteDocument } from '../documents.js';
import { siteResource } from '../load.js';
import type { SiteNeeds } from '../needs.js';

/**
 * Ends the connection of a site whose plugin is deactivated and has taken back what it had changed. So nothing that was
 * measured before says anything about the site any more.
 */
export async function disconnectSite(
  { sites, listener, audit, clock }: SiteNeeds,
  tx: Transaction,
  site: SiteDocument,
): Promise<void> {
  const nowMs = clock.now();
  const readings: SiteDocument['readings'] = {};
  for (const check of CHECK_IDS) {
    readings[check] = { ...readingsOf(site, check), applied: false, obstacle: '', changed_at_ms: nowMs };
  }
  const changed = await sites.change(tx, site, {
    readings,
    // What is measured after the next connection is compared with nothing from before.
    ...{ watches: {}, troubles: [] },
    ...{ secret: null, disconnected_at_ms: nowMs, nudge_at_ms: null, look_at_ms: null, updated_at_ms: nowMs },
  });
  if (changed === null) throw new AppError('conflict', 'The site was changed by another request at the same time.');
  const actor = platformActor(site.workspace_id);
  await listener.ended(tx, actor, changed, 'disconnected');
  await audit.record(tx, actor, {
    action: 'site.disconnected',
    resource: siteResource(site),
  });
}
