import { CHECKS, type CheckId } from './checks/catalogue.js';
import { type CheckCounts, scoreOf } from './checks/status.js';
import type { JobStore } from './jobs/store.js';
import { summaryOf } from './site-summary.js';
import type { SiteStore } from './store.js';
import { vulnerablePluginsOf } from './vulnerabilities/view.js';

/** A WordPress site in few words, for reports. */
interface HardenedSite extends CheckCounts {
  id: string;
  name: string;
  url: string;
  status: 'connected' | 'silent' | 'disconnected';
  score: number;
  /** The last request of the plugin. */
  seenMs: number | null;
  /** The names of the checks that fail. */
  improve: string[];
  /** Fixes that were verified in the period. */
  fixes: number;
  /** Of the plugins with a known vulnerability; null while that is not known. */
  vulnerable: ReturnType<typeof vulnerablePluginsOf>;
}

/** Returns the function that reads the sites of a workspace that were connected once, the newest first. */
export function createReadSites({ sites, siteJobs }: { sites: Pick<SiteStore, 'list'>; siteJobs: JobStore }) {
  return async (
    workspaceId: string,
    { fromMs, toMs, nowMs }: { fromMs: number; toMs: number; nowMs: number },
    rowsMax: number,
  ): Promise<HardenedSite[]> => {
    const fixes = await siteJobs.verifiedFixes(workspaceId, fromMs, toMs);
    return (await sites.list(workspaceId, null, rowsMax)).flatMap((site) => {
      const { status, score, failingChecks, ...counts } = summaryOf(site, nowMs);
      if (status === 'waiting' || score === null) return [];
      return {
        id: site._id,
        name: site.name,
        url: site.url,
        status,
        score,
        ...counts,
        seenMs: site.seen_at_ms,
        improve: failingChecks.map(nameOf),
        fixes: fixes.get(site._id) ?? 0,
        vulnerable: vulnerablePluginsOf(site, nowMs),
      };
    });
  };
}

/** Returns the score of several sites together, as the hardening centre shows it; null without sites. Pure. */
export function scoreOfSites(sites: readonly CheckCounts[]): number | null {
  const sum = (of: keyof CheckCounts) => sites.reduce((total, site) => total + site[of], 0);
  return scoreOf({ passing: sum('passing'), failing: sum('failing'), unknown: sum('unknown') });
}

function nameOf(check: CheckId): string {
  return CHECKS.find(({ id }) => id === check)?.name ?? check;
}
