import { toIso } from '../../../kernel/clock.js';
import { stateOf } from '../checks/status.js';
import { readingsOf, type SiteDocument } from '../documents.js';
import type { FoundVulnerability } from './documents.js';
import { compareVersions } from './versions.js';

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

/** A plugin with known vulnerabilities. */
export interface VulnerablePlugin {
  name: string;
  version: string;
  vulnerabilities: number;
  /** The first version without any of them; null if the feed names none. */
  fixedIn: string | null;
  /** What the licences of the records require to be shown with them. */
  notices: string[];
}

/** Returns the plugins of a site that have known vulnerabilities, of those that are listed; null while the check is unknown. */
export function vulnerablePluginsOf(site: SiteDocument, nowMs: number): VulnerablePlugin[] | null {
  const view = vulnerabilitiesView(site, nowMs);
  if (view === null) return null;
  const bySlug = new Map<string, Omit<FoundVulnerability, 'notices'>[]>();
  for (const one of view.found) bySlug.set(one.slug, [...(bySlug.get(one.slug) ?? []), one]);
  return [...bySlug.values()].flatMap((own) => {
    const [first] = own;
    if (first === undefined) return [];
    const fixes = own.flatMap(({ fixed_in }) => fixed_in ?? []).sort(compareVersions);
    return {
      name: first.plugin,
      version: first.version,
      vulnerabilities: own.length,
      fixedIn: fixes.length < own.length ? null : (fixes.at(-1) ?? null),
      notices: noticesOf(view.found.filter(({ slug }) => slug === first.slug)),
    };
  });
}

function noticesOf(found: readonly Pick<FoundVulnerability, 'notices'>[]): string[] {
  return [...new Set(found.flatMap(({ notices }) => notices.map(({ text }) => text)))];
}
