import type { Clock } from '../../kernel/clock.js';
import type { Transaction } from '../storage/transaction.js';
import type { CheckId } from './checks/catalogue.js';
import { watchAfter } from './checks/watch.js';
import type { SiteDocument } from './documents.js';
import type { SiteStore } from './store.js';
import type { CheckListener } from './wordpress.js';

export interface NoteNeeds {
  sites: Pick<SiteStore, 'saveWatched'>;
  listener: CheckListener;
  clock: Pick<Clock, 'now'>;
}

/** Saves how the measured checks have changed, and applies the alert rules to them. `site` is its saved state. */
export async function noteMeasured(
  { sites, listener, clock }: NoteNeeds,
  tx: Transaction,
  site: SiteDocument,
  measured: readonly CheckId[],
): Promise<void> {
  if (measured.length === 0) return;
  const saved = await sites.saveWatched(tx, site, watchAfter(site, measured, clock.now()));
  if (saved === null) return;
  const hasOrHad = [site, saved].some(({ troubles = [] }) => troubles.length > 0);
  if (hasOrHad) await listener.changed(tx, saved);
}
