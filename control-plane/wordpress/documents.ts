import type { CheckId } from './checks/catalogue.js';
import type { Comparison, Inventory } from './vulnerabilities/documents.js';

export const CHECK_STATUSES = ['passing', 'failing', 'unknown'] as const;
export type CheckStatus = (typeof CHECK_STATUSES)[number];

/** One measurement of a check, by the time at which the control plane received or made it. */
export interface Reading {
  status: CheckStatus;
  evidence: string;
  at_ms: number;
  /** Visitors cannot open the site any more: a fix that does this is undone. */
  locksOut?: true;
  /** What it was compared with is out of date after this. */
  until_ms?: number;
}

/** What is known of a check of a site. */
export interface CheckReadings {
  /** By the plugin. */
  inside: Reading | null;
  /** By the control plane, which sees what everybody sees. */
  outside: Reading | null;
  /** Whether the plugin has applied the fix and it is still there. */
  applied: boolean;
  /** Why the plugin cannot apply the fix on this site; empty if it can, or if there is no fix. */
  obstacle: string;
  /** Whether the configuration of the web server may do it instead. */
  pasteable: boolean;
  /** When a job last changed what is measured. Readings from before say nothing any more. */
  changed_at_ms: number | null;
}

const NO_READINGS: CheckReadings = {
  inside: null,
  outside: null,
  applied: false,
  obstacle: '',
  pasteable: true,
  changed_at_ms: null,
};

/** Measurements of a check that fail one after the other, although it passed before. */
export interface FailingMeasurements {
  /** Of the first one. */
  since_ms: number;
  /** When the last one was taken. */
  at_ms: number;
  /** Of the last one. */
  evidence: string;
  measurements: number;
  /** Whether one of them was seen from outside, as everybody sees it. */
  from_outside: boolean;
}

/** How a check has changed since the plugin was connected. */
export interface CheckWatch {
  /** The last measurement that passed; null: none has. */
  passed_at_ms: number | null;
  /** The last look from outside that passed; null or missing: none has. */
  passed_outside_at_ms?: number | null;
  /** null while the check passes, and while it has never passed. */
  failing: FailingMeasurements | null;
}

/** A check that passed and fails now, for longer than one measurement of the plugin. */
export interface CheckTrouble extends FailingMeasurements {
  check: CheckId;
  passed_at_ms: number;
}

/** What the plugin says about itself and the site. */
export interface AboutSite {
  plugin_version: string;
  wp_version: string;
  php_version: string;
  server: string;
  /** Where `xmlrpc.php` is; of the same host as the site. */
  site_url: string;
}

/** One document of `wp_sites`. */
export interface SiteDocument {
  _id: string;
  workspace_id: string;
  name: string;
  /** Of the home page, without a slash at the end. */
  url: string;
  /** The SHA-256 of the activation code; null when it was used, or ended with the rights of who created it. */
  code: { hash: string; expires_at_ms: number; made_by?: string | null } | null;
  /** The key of the signatures, sealed; null while no plugin is connected. */
  secret: string | null;
  connected_at_ms: number | null;
  /** The plugin has disconnected the site; null if it never did, or is connected again. */
  disconnected_at_ms: number | null;
  /** The last signed request of the plugin. */
  seen_at_ms: number | null;
  /** When the site at the URL last answered a nudge with its secret, which proves that it is the connected one. */
  proven_at_ms: number | null;
  about: AboutSite | null;
  readings: Partial<Record<CheckId, CheckReadings>>;
  /** Missing before the first measurement of a connection. */
  watches?: Partial<Record<CheckId, CheckWatch>>;
  /** What follows from `watches`, for alert rules; in the order of the checks. */
  troubles?: CheckTrouble[];
  /** The home page as the last look from outside has seen it; missing before the first one. */
  home?: Reading;
  /** Why fixes cannot be undone before plugins and theme are loaded; an empty `obstacle`: they can. Missing: not measured. */
  undo_before_plugins?: { obstacle: string; at_ms: number };
  /** The plugins that the site has last reported. */
  plugins?: Inventory;
  /** Which of them are vulnerable. */
  vulnerable?: Comparison;
  /** When the site is told next to fetch its jobs; null while no plugin is connected. */
  nudge_at_ms: number | null;
  /** How many nudges in a row had no answer, or did not make the site fetch its jobs. */
  nudges_failed: number;
  /** When the control plane looks at the site next; null while no plugin is connected. */
  look_at_ms: number | null;
  /** How its pages answered in the last look; missing before the first one. */
  pages?: SeenPages;
  /** When the last look began; missing before the first one. */
  looked_at_ms?: number;
  created_at_ms: number;
  updated_at_ms: number;
  /** Counts the changes of the connection, for `ETag`. */
  version: number;
}

export const JOB_STATUSES = ['queued', 'delivered', 'applied', 'verified', 'failed', 'rolled_back', 'expired'] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

/** Of the jobs that change an installed plugin, to which a person has agreed. */
export const PLUGIN_JOB_KINDS = ['update_plugin', 'deactivate_plugin', 'restore_plugin'] as const;
export type PluginJobKind = (typeof PLUGIN_JOB_KINDS)[number];

export const JOB_KINDS = ['fix', 'undo', ...PLUGIN_JOB_KINDS] as const;
export type JobKind = (typeof JOB_KINDS)[number];

/** How a page of a site answers a stranger. */
export interface SeenPage {
  /** `error`: it is an error page. `silent`: there was no answer. */
  state: 'answers' | 'error' | 'silent';
  /** In words, such as `answers with HTTP 500`. */
  evidence: string;
}

/** The pages that must go on answering after a change of a plugin. */
export const PAGES = ['home', 'login', 'feed'] as const;
export type SeenPages = Record<(typeof PAGES)[number], SeenPage>;

/** The plugin that a job changes, as the site reported it when the job was queued. */
export interface JobPlugin {
  slug: string;
  name: string;
  version: string;
  active: boolean;
  /** How the pages answered when they were last seen; null if they were not. */
  pages: SeenPages | null;
}

/** One document of `wp_jobs`: something that Picket Bridge is to do. It has a type, and never code, paths or contents of files. */
export interface JobDocument {
  _id: string;
  workspace_id: string;
  site_id: string;
  check: CheckId;
  kind: JobKind;
  status: JobStatus;
  /** Whether it can still change. A site has at most one open job of a check. */
  open: boolean;
  error: string | null;
  /** Of the kinds that change a plugin, and missing for the others. */
  plugin?: JobPlugin;
  /** What Picket Bridge said of what it has done; missing if it said nothing. */
  note?: string;
  created_at_ms: number;
  delivered_at_ms: number | null;
  applied_at_ms: number | null;
  ended_at_ms: number | null;
  /** The site has done it before plugins and theme were loaded, because it answered nothing else. Missing: no. */
  before_plugins?: boolean;
  /** An open job expires then. */
  expires_at_ms: number;
}

/** Returns what is known of a check of a site, also before anything is. */
export function readingsOf({ readings }: Pick<SiteDocument, 'readings'>, check: CheckId): CheckReadings {
  return { ...NO_READINGS, ...readings[check] };
}
