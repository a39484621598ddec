import { cut } from '../../cut.js';
import { EVIDENCE_CHARS_MAX, type Judgement } from '../checks/judgement.js';
import type {
  Comparison,
  FeedDocument,
  FeedSource,
  FoundVulnerability,
  InstalledPlugin,
  Inventory,
  Vulnerability,
} from './documents.js';
import { FEED_VALID_MS, FOUND_MAX } from './limits.js';
import { compareVersions, includesVersion, isVersion } from './versions.js';

export type ComparedFeed = Pick<FeedDocument, 'generation' | 'sources' | 'as_of_ms'>;

const SOURCE_NAMES: Readonly<Record<FeedSource, string>> = {
  wordfence: 'Wordfence Intelligence',
  wpvulnerability: 'WPVulnerability',
};
const PLUGINS_NAMED_MAX = 3;
const NAME_CHARS_MAX = 50;

/** Returns when a feed is too old to say anything. */
export function feedValidUntilMs({ as_of_ms }: Pick<ComparedFeed, 'as_of_ms'>): number {
  return as_of_ms + FEED_VALID_MS;
}

/** Returns what a check says without a feed that may be used; null if `feed` may be. */
export function whyNotCompared(isConfigured: boolean, feed: ComparedFeed | null, nowMs: number): string | null {
  if (!isConfigured) return 'this Picket has no feed of vulnerable plugins';
  if (feed === null || feed.generation === null) return 'the feed of vulnerable plugins was not read yet';
  return nowMs > feedValidUntilMs(feed) ? STALE : null;
}

export const STALE = 'the feed of vulnerable plugins is older than 7 days';

/** Returns the vulnerabilities that plugins have, and those plugins that cannot be compared. Pure. */
export function compare(
  plugins: readonly InstalledPlugin[],
  records: readonly Vulnerability[],
): { found: FoundVulnerability[]; uncompared: InstalledPlugin[] } {
  const found = new Map<string, FoundVulnerability>();
  const uncompared = new Set<InstalledPlugin>();
  const recordsOf = bySlug(records);
  for (const plugin of plugins) {
    for (const record of recordsOf.get(plugin.slug) ?? []) {
      const affected = isAffected(plugin.version, record);
      if (affected === null) uncompared.add(plugin);
      // A feed may have a record twice.
      if (affected === true) found.set(`${plugin.slug}/${record.vulnerability_id}`, foundOf(plugin, record));
    }
  }
  return { found: [...found.values()], uncompared: [...uncompared] };
}

function bySlug(records: readonly Vulnerability[]): Map<string, Vulnerability[]> {
  const groups = new Map<string, Vulnerability[]>();
  for (const record of records) {
    const group = groups.get(record.slug);
    if (group === undefined) groups.set(record.slug, [record]);
    else group.push(record);
  }
  return groups;
}

/** Returns whether a version is affected; null: that cannot be said. */
function isAffected(version: string, { ranges }: Vulnerability): boolean | null {
  if (ranges === null) return null;
  if (ranges.some(({ from, to }) => from === null && to === null)) return true;
  if (!isVersion(version)) return null;
  return ranges.some((range) => includesVersion(range, version));
}

function foundOf({ name, slug, version, active }: InstalledPlugin, record: Vulnerability): FoundVulnerability {
  const { vulnerability_id, title, patched_versions, cve, rating, url, source, notices } = record;
  const later = patched_versions
    .filter((patched) => isVersion(patched) && (!isVersion(version) || compareVersions(patched, version) > 0))
    .sort(compareVersions);
  return {
    ...{ plugin: name, slug, version, active, id: vulnerability_id, title },
    ...{ fixed_in: later[0] ?? null, cve, rating, url, source, notices },
  };
}

/** Returns what a comparison means for the check. Pure. */
export function judgePlugins(
  { complete, plugins }: Inventory,
  { found, uncompared }: ReturnType<typeof compare>,
  feed: ComparedFeed,
): Judgement {
  const names = feed.sources.map((source) => SOURCE_NAMES[source]).join(' and ');
  const of = `(${names} of ${new Date(feed.as_of_ms).toISOString().slice(0, 10)})`;
  const judged = (status: Judgement['status'], text: string): Judgement => ({
    status,
    evidence: `${cut(text, EVIDENCE_CHARS_MAX - of.length - 1)} ${of}`,
  });
  if (found.length > 0) return judged('failing', vulnerable(found));
  if (uncompared.length > 0) {
    const named = uncompared.slice(0, PLUGINS_NAMED_MAX).map(({ name }) => cut(name, NAME_CHARS_MAX));
    return judged('unknown', `it cannot be said whether these are vulnerable: ${named.join(', ')}`);
  }
  if (plugins.length === 0) return judged('unknown', 'the site has reported no plugin');
  if (!complete) return judged('unknown', `the site has more plugins than the ${plugins.length} that it can report`);
  return judged('passing', `none of ${plugins.length} plugins has a known vulnerability`);
}

/** Returns the plugins with the version that ends all of their vulnerabilities. */
function vulnerable(found: readonly FoundVulnerability[]): string {
  const plugins = [...new Set(found.map(({ slug }) => slug))].map((slug) => {
    const own = found.filter((one) => one.slug === slug);
    const [{ plugin, version }] = own as [FoundVulnerability, ...FoundVulnerability[]];
    const fixes = own.flatMap(({ fixed_in }) => fixed_in ?? []).sort(compareVersions);
    const fix = fixes.length < own.length ? 'no fixed version is known' : `fixed in ${fixes.at(-1)}`;
    return `${cut(plugin, NAME_CHARS_MAX)} ${version}: ${fix}`;
  });
  const others = plugins.length - PLUGINS_NAMED_MAX;
  return plugins.slice(0, PLUGINS_NAMED_MAX).join('; ') + (others > 0 ? `; and ${others} more` : '');
}

/** Returns what is stored of a comparison. */
export function comparisonOf(
  found: readonly FoundVulnerability[],
  feed: ComparedFeed,
  paidUntilMs: number,
): Comparison {
  const { generation, sources, as_of_ms } = feed;
  return {
    generation,
    paid_until_ms: paidUntilMs,
    feed: { sources, as_of_ms },
    found: found.slice(0, FOUND_MAX),
    total: found.length,
  };
}
