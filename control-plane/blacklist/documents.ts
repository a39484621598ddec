import type { CheckFigures, ListResult, NotAsked, Said, TargetType } from './blacklist.js';

export const FREQUENCIES = ['hourly', 'daily', 'weekly'] as const;
export type Frequency = (typeof FREQUENCIES)[number];

/** A list that lists the target, as two look-ups in agreement found it while the list passed its own tests. */
export interface Listing extends Said {
  /** Id and name of the list, and its zone without any key. What it said is of the newest check that saw it. */
  provider: string;
  provider_name: string;
  zone: string;
  /** Of a domain: those of its addresses that are listed. */
  addresses: string[];
  listed_since_ms: number;
  /** The newest check in which the list said so; it may have been silent since. */
  seen_at_ms: number;
  /** What it was believed on. */
  evidence: ListingEvidence;
}

/** Two look-ups, and the test of the list beside the second. */
export interface ListingEvidence {
  first: { at_ms: number; codes: string[]; reason: string | null };
  confirmed: { at_ms: number; codes: string[]; reason: string | null };
  /** Whether the list passed its own tests beside the second one; else nothing was found out about it. */
  tested: boolean;
}

export interface CheckSummary extends CheckFigures {
  check_id: string;
  checked_at_ms: number;
}

/** One document of `blacklist_monitors`. */
export interface BlacklistMonitorDocument {
  _id: string;
  workspace_id: string;
  /** See `Target`. */
  target: string;
  type: TargetType;
  frequency: Frequency;
  /** When it is checked next. */
  next_at_ms: number;
  /** What is known to list it. A list that does not answer, or fails its tests, changes nothing here. */
  listings: Listing[];
  /** The newest check; null before the first. */
  last: CheckSummary | null;
  results: ListResult[];
  not_asked: NotAsked[];
  /** Counts checks: of two control planes that check it at once, one writes. */
  checks: number;
  created_at_ms: number;
  updated_at_ms: number;
  /** Counts changes by people, for `ETag`. */
  version: number;
}

/**
 * - `listed`, `delisted`: two look-ups agree.
 * - `dropped`: the list is no longer in the catalogue, or can no longer be asked for this target.
 */
export type ListingChangeKind = 'listed' | 'delisted' | 'dropped';

export interface ListingChange extends Said {
  kind: ListingChangeKind;
  provider: string;
  provider_name: string;
}

/** One document of `blacklist_checks`: what a check of a monitor found, and what changed by it. */
export interface CheckDocument extends CheckFigures {
  _id: string;
  workspace_id: string;
  monitor_id: string;
  checked_at_ms: number;
  results: ListResult[];
  changes: ListingChange[];
  /** From the plan's retention of hours at the time of the check. */
  expires_at: Date;
}
