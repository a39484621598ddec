import { toIso } from '../../../kernel/clock.js';
import { stateOf } from '../checks/status.js';
import { readingsOf, type SiteDocument } from '../documents.js';

/** Returns the vulnerabilities of a site's plugins as the API shows them; null while the check is unknown. */
export function vulnerabilitiesView(site: SiteDocument, nowMs: number) {
  const { vulnerable } = site;
  const feed = vulnerable?.feed ?? null;
  const { status } = stateOf(readingsOf(site, 'vulnerable-plugins'), nowMs);
  if (vulnerable === undefined || feed === null || status === 'unknown') return null;
  return {
    ...{ sources: [...feed.sources], as_of: toIso(feed.as_of_ms), total: vulnerable.total },
    found: vulnerable.found.map(({ notices, ...one }) => ({
      ...one,
      notices: notices.map((notice) => ({ ...notice })),
    })),
  };
}
