import type { AreaName, AreaStatus, AreaVerdict } from './areas/area.js';
import type { AreaStanding } from './check/score.js';

/** An area after the latest check. */
export interface AreaState {
  area: AreaName;
  verdict: AreaVerdict;
  /** What the area counts as in the score. */
  standing: AreaStanding;
  /** In how many checks it has failed since it last passed. */
  failed_checks: number;
}

/** Why an incident is open, or would be with an alert rule. */
export interface Trouble {
  /** When it began, or last got worse: another area failed, or the score fell again. */
  since_ms: number;
  /** The score before that; null if there was none. */
  from_score: number | null;
  score: number | null;
  areas: AreaName[];
}

/** What checks write. */
export interface DomainState {
  /** Empty before the first check. */
  areas: AreaState[];
  /** The latest known one. */
  score: number | null;
  checked_at_ms: number | null;
  trouble: Trouble | null;
}

/** One document of `email_domains`. */
export interface EmailDomainDocument extends DomainState {
  _id: string;
  workspace_id: string;
  /** In lower-case punycode. */
  name: string;
  dkim_selectors: string[];
  /** When the next check is due. */
  next_at_ms: number;
  /** When a person or key last asked for a check; null: never. */
  requested_at_ms: number | null;
  /** Counts checks: if two control planes check the domain at the same time, only one of them saves its result. */
  checks: number;
  created_at_ms: number;
  updated_at_ms: number;
  /** Counts changes by users, for `ETag`. */
  version: number;
}

/** One document of `email_domain_days`: the last check of a domain on one day (UTC). */
export interface DomainDayDocument {
  /** `<domain>/2026-01-31`. */
  _id: string;
  workspace_id: string;
  domain_id: string;
  date: string;
  score: number | null;
  statuses: { area: AreaName; status: AreaStatus }[];
  checked_at_ms: number;
  /** From the plan's retention of hourly values at the time of the check. */
  expires_at: Date;
}
