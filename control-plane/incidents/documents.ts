export type IncidentStatus = 'firing' | 'resolved' | 'silenced';
export type IncidentSeverity = 'critical' | 'warning' | 'info';

/** An event in the history of an incident. */
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

/**
 * Why an incident was opened or why it recovered, with everything that is needed to evaluate the decision again. Each
 * kind of incident adds its own fields.
 */
export interface IncidentDecision {
  reason: string;
  times: { opened_at_ms: number | null; recovered_at_ms: number | null };
}

export interface IncidentDocument {
  _id: string;
  workspace_id: string;
  /** One of the kinds that slices declare: `monitor`, `server`. */
  kind: string;
  /**
   * Unique among unresolved incidents of the workspace: `monitor:mon_…`, `location:sin`, `rule:rule_…:srv_…`,
   * `server:srv_…:offline`, `blacklist:blm_…:spamcop`.
   */
  subject: string;
  /** true until the incident is resolved, then absent. The partial unique index depends on it. */
  open?: true;
  monitor_id: string | null;
  monitor_name: string | null;
  resource: { type: string; id: string; name: string };
  status: IncidentStatus;
  severity: IncidentSeverity;
  message: string;
  /** Why it was resolved: recovered, manual, paused, deleted, superseded, rule_changed, …; null while unresolved. */
  resolution: string | null;
  started_at_ms: number;
  resolved_at_ms: number | null;
  acknowledged_at_ms: number | null;
  acknowledged_by: string | null;
  silenced_at_ms: number | null;
  events: IncidentEvent[];
  decision: IncidentDecision | null;
  /** The decision that it recovered; null before a recovery. */
  recovery: IncidentDecision | null;
  /** Channels of the monitor or of the rules when the incident opened; null means every channel of the workspace. */
  channels: string[] | null;
  runbook_url: string | null;
  updated_at_ms: number;
}
