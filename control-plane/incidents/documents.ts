export type IncidentStatus = 'firing' | 'resolved' | 'silenced';
export type IncidentSeverity = 'critical' | 'warning' | 'info';

/** What made the incident. `monitor`: votes. `certificate`: a monitor's certificate runs out. `location`: platform alert. */
export type IncidentKind = 'monitor' | 'certificate' | 'location';

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
    | 'superseded';
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

export interface IncidentDocument {
  _id: string;
  workspace_id: string;
  kind: IncidentKind;
  /** Unique among the unresolved: `monitor:mon_…`, `location:sin`. */
  subject: string;
  /** true until resolved, then absent: the partial unique index stands on it. */
  open?: true;
  monitor_id: string | null;
  monitor_name: string | null;
  resource: { type: string; id: string; name: string };
  status: IncidentStatus;
  severity: IncidentSeverity;
  message: string;
  /** Why it was resolved: recovered, manual, paused, deleted, superseded; null while it is not. */
  resolution: string | null;
  started_at_ms: number;
  resolved_at_ms: number | null;
  acknowledged_at_ms: number | null;
  acknowledged_by: string | null;
  silenced_at_ms: number | null;
  events: IncidentEvent[];
  decision: DecisionRecord | null;
  /** Votes at the recovery, once there was one. */
  recovery: DecisionRecord | null;
  /** Channels of the monitor at the time of opening; null: every channel of the workspace. */
  channels: string[] | null;
  runbook_url: string | null;
  updated_at_ms: number;
}
