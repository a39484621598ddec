import type { VersionRange } from './versions.js';

export const FEED_SOURCES = ['wordfence', 'wpvulnerability'] as const;
export type FeedSource = (typeof FEED_SOURCES)[number];

/** A copyright notice that the licence of a record requires to be shown with it. */
export interface Notice {
  text: string;
  license_url: string | null;
}

/** What a feed says of one plugin in one record. */
export interface Vulnerability {
  /** Of the feed; several records may have the same. */
  vulnerability_id: string;
  /** The folder of the plugin on wordpress.org, in lower case. */
  slug: string;
  title: string;
  /** null: what the feed says of the versions cannot be read, so any version may be affected. */
  ranges: VersionRange[] | null;
  patched_versions: string[];
  cve: string | null;
  /** The rating of the feed, such as `High`. */
  rating: string | null;
  url: string | null;
  source: FeedSource;
  notices: Notice[];
}

/** One document of `wp_vulnerabilities`. */
export interface VulnerabilityDocument extends Vulnerability {
  _id: string;
  generation: string;
  /** Of the lease of the refresh that wrote it. */
  fence: number;
}

/** The one document of `wp_vulnerability_feed`. */
export interface FeedDocument {
  _id: 'plugins';
  /** Of the lease of the last refresh that began. An earlier owner of the lease may not end its refresh any more. */
  fence: number;
  /** Of the records that count; null before the first refresh that succeeded. */
  generation: string | null;
  /** The SHA-256 of the setting that the records came from. */
  setting_hash: string;
  records: number;
  sources: FeedSource[];
  /** Of when the records are: when the download began, or the file was last changed. */
  as_of_ms: number;
  /** When the last refresh that succeeded ended. */
  refreshed_at_ms: number | null;
  next_at_ms: number;
  /** The SHA-256 of the setting with which the last refresh failed; missing if it did not. */
  failed_hash?: string;
  /** Why the last refresh failed; null if it did not. */
  problem: string | null;
  /** The generation with which all sites have been compared. */
  compared_generation: string | null;
}

/** A plugin as a site reports it. */
export interface InstalledPlugin {
  slug: string;
  name: string;
  version: string;
  active: boolean;
}

/** The plugins of a site. `complete` is false if it has more than it can report. */
export interface Inventory {
  at_ms: number;
  complete: boolean;
  plugins: InstalledPlugin[];
}

/** A known vulnerability of a plugin of a site. */
export interface FoundVulnerability {
  plugin: string;
  slug: string;
  version: string;
  active: boolean;
  id: string;
  title: string;
  /** The first later version without it; null if the feed names none. */
  fixed_in: string | null;
  cve: string | null;
  rating: string | null;
  url: string | null;
  source: FeedSource;
  notices: Notice[];
}

/** What a comparison has found, with the feed that it was made with. */
export interface Comparison {
  generation: string | null;
  /**
   * Until when the comparisons so far would take if they were `COMPARE_PERIOD_MS` apart; missing if it was not compared with records
   * of the feed.
   */
  paid_until_ms?: number;
  feed: { sources: FeedSource[]; as_of_ms: number } | null;
  found: FoundVulnerability[];
  /** Also those that are not in `found`. */
  total: number;
}
