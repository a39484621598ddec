import type { ListStatus } from '../blacklist/blacklist.js';

export type IncidentStatus = 'firing' | 'resolved' | 'silenced';
export type IncidentSeverity = 'critical' | 'warning' | 'info';

/**
 * What made the incident. `monitor`: votes. `certificate`: a monitor's certificate runs out. `location`: platform alert.
 * `server`, `blacklist`: an alert rule.
 */
export type IncidentKind = 'monitor' | 'certificate' | 'location' | 'server' | 'blacklist';

/** One line of an incident's history. */
export interface IncidentEvent {
  at_ms: number;
  type:
    | 'opened'
    | 'acknowledged'
    | 'silenced'
    | 'unsilenced'
    | 'severity_changed'
    | 'resolved'
    | 'notification'
    | 'superseded'
    | 'widened';
  message: string;
  /** E-mail of the person, or `system`. */
  actor: string;
}

/** How one location voted and on what evidence. */
export interface VoteRecord {
  location: string;
  vote: 'up' | 'down' | 'unknown';
  /** Why it abstained: `stale`, `no_result`, `no_probe`, `quarantined`, `late`; null when it did not. */
  abstained: string | null;
  /** The location failed but its retries are not used up: valid, not counted as down. */
  retrying: boolean;
  /**
   * The newest check failed and its retries are still to come, but those of this earlier result were used up and
   * no good result came since: the location is down, not retrying.
   */
  held_from?: string;
  /**
   * Only this location fails although others disagree, and whether its own network works is being found out:
   * not counted as down where fewer than a majority may decide.
   */
  doubted?: boolean;
  result: {
    result_id: string;
    slot_ms?: number;
    received_at_ms?: number;
    checked_at_ms: number;
    up: boolean;
    attempt: number;
    response_time_ms: number;
    error: { code: string; message: string } | null;
  } | null;
}

/** Enough to replay the verdict with nothing else at hand. */
export interface DecisionRecord {
  rule: {
    version: number;
    confirmations: number | null;
    required_down_votes: number;
    retries: number;
    interval_seconds: number;
    vote_valid_ms: number;
    assigned_locations?: number;
  };
  /** What the verdict remembered before, and when it was asked; with rule and votes all that it depends on. */
  before?: {
    status: 'up' | 'down';
    recovering_since_ms: number | null;
    recovery_mark_ms: number | null;
    first_failed_at_ms: number | null;
  };
  evaluated_at_ms?: number;
  votes: VoteRecord[];
  /** `down` counts what the rule counts: not the retrying and the doubted, which stand beside it. */
  counts: { up: number; down: number; unknown: number; retrying?: number; doubted?: number };
  outcome: 'down' | 'up' | 'unchanged';
  reason: string;
  times: {
    first_failed_at_ms: number | null;
    confirmed_at_ms: number | null;
    opened_at_ms: number | null;
    recovered_at_ms: number | null;
  };
}

/** Why an alert rule made an incident of a server, or why that is over: enough to judge it again with nothing else. */
export interface RuleDecisionRecord {
  /** As it was then. Of several that see the same thing, the one with the highest severity. */
  rule: {
    id: string;
    name: string;
    version: number;
    type: 'metric' | 'server_offline' | 'disk_full';
    metric: string;
    operator: string | null;
    threshold: number | null;
    for_seconds: number | null;
    within_hours: number | null;
    severity: IncidentSeverity;
  };
  /** Further rules that see the same: one incident for all of them. */
  other_rules: { id: string; name: string }[];
  /** Those that made it so, or a part of them spread evenly; oldest first. */
  samples: { at_ms: number; value: number }[];
  /** What the rule was about, at the end of the samples; null for a server that is offline. */
  value: number | null;
  forecast: { full_at_ms: number; points_per_hour: number; observed_hours: number } | null;
  reason: string;
  times: {
    breaching_since_ms: number | null;
    evaluated_at_ms: number;
    opened_at_ms: number | null;
    recovered_at_ms: number | null;
  };
}

/** Why a listing on a blacklist made an incident, or why that is over. */
export interface ListingDecisionRecord {
  /** As it was then. Of several for the same monitor, the one with the highest severity. */
  rule: { id: string; name: string; version: number; type: 'blacklist_listed'; severity: IncidentSeverity };
  /** Further rules for the same monitor: one incident for all of them. */
  other_rules: { id: string; name: string }[];
  /** As the list had it when the incident was opened. */
  listing: {
    provider: string;
    provider_name: string;
    zone: string;
    target: string;
    /** Of a domain: those of its addresses that are listed. */
    addresses: string[];
    codes: string[];
    meanings: string[];
    policy: boolean;
    reason: string | null;
    delist_url: string | null;
    /** The two look-ups that it was believed on. */
    first: ListingLook;
    confirmed: ListingLook;
    /** Whether the list passed its own tests beside the second. */
    tested: boolean;
  };
  /** At the end: what the list answered then; null at the opening, and where it is no longer asked. */
  answer: { at_ms: number; status: ListStatus; codes: string[]; policy: boolean; reason: string | null } | null;
  reason: string;
  times: {
    listed_since_ms: number;
    evaluated_at_ms: number;
    opened_at_ms: number | null;
    recovered_at_ms: number | null;
  };
}

export interface ListingLook {
  at_ms: number;
  codes: string[];
  reason: string | null;
}

/** An unresolved incident that alert rules made, as they look through many of them: without its history. */
export interface RuleIncidentHead {
  subject: string;
  resource: { type: string; id: string; name: string };
  decision: { rule: { id: string; metric?: string }; other_rules: { id: string }[] } | null;
}

export type AnyDecision = DecisionRecord | RuleDecisionRecord | ListingDecisionRecord;

/** Whether votes of locations made it. */
export function isByVotes(decision: AnyDecision): decision is DecisionRecord {
  return 'votes' in decision;
}

/** Whether a rule made it of what a server reports, or no longer does. */
export function isOfServer(decision: AnyDecision): decision is RuleDecisionRecord {
  return 'samples' in decision;
}

/** Whether a rule made it of a listing. */
export function isOfListing(decision: AnyDecision): decision is ListingDecisionRecord {
  return 'listing' in decision;
}

export interface IncidentDocument {
  _id: string;
  workspace_id: string;
  kind: IncidentKind;
  /** Unique among the unresolved: `monitor:mon_…`, `location:sin`, `rule:rule_…:srv_…`, `server:srv_…:offline`, `blacklist:blm_…:spamcop`. */
  subject: string;
  /** true until resolved, then absent: the partial unique index stands on it. */
  open?: true;
  monitor_id: string | null;
  monitor_name: string | null;
  resource: { type: string; id: string; name: string };
  status: IncidentStatus;
  severity: IncidentSeverity;
  message: string;
  /** Why it was resolved: recovered, manual, paused, deleted, superseded, rule_changed, …; null while it is not. */
  resolution: string | null;
  started_at_ms: number;
  resolved_at_ms: number | null;
  acknowledged_at_ms: number | null;
  acknowledged_by: string | null;
  silenced_at_ms: number | null;
  events: IncidentEvent[];
  decision: AnyDecision | null;
  /** Votes or samples at the recovery, once there was one. */
  recovery: AnyDecision | null;
  /** Channels of the monitor or of its rules at the time of opening; null: every channel of the workspace. */
  channels: string[] | null;
  runbook_url: string | null;
  updated_at_ms: number;
}
