import type { Hold } from '../dependencies/dependencies.js';

export type IncidentStatus = 'firing' | 'resolved' | 'silenced';
export type IncidentSeverity = 'critical' | 'warning' | 'info';

/** An event in the history of an incident. */
export interface IncidentEvent {
  at_ms: number;
  type:
    | 'opened'
    | 'acknowledged'
    | 'silenced'
    | 'held'
    | 'unsilenced'
    | 'severity_changed'
    | 'resolved'
    | 'notification'
    | 'superseded'
    | 'widened'
    | 'commented'
    | 'channel_removed';
  message: string;
  /** E-mail of the person, or `system`. */
  actor: string;
  /** Of `silenced` and `held`: when the silence ends by itself; null or missing: it does not. */
  until_ms?: number | null;
  /** Missing without one. */
  link?: UsedLink;
}

/**
 * Why an incident was opened or why it recovered, with everything that is needed to evaluate the decision again. Each
 * kind of incident adds its own fields.
 */
export interface IncidentDecision {
  reason: string;
  times: { opened_at_ms: number | null; recovered_at_ms: number | null };
  /** Why nobody was notified, although it was decided; missing unless a monitor that it depends on was the reason. */
  silent?: SilentRecord;
}

/** The last reason why an incident was silent because of a monitor that it depends on. */
export type SilentRecord = Pick<Hold, 'state' | 'monitor_id' | 'monitor_name' | 'incident_id'> & {
  /** A sentence. */
  reason: string;
  decided_at_ms: number;
};

/** What depends on the monitor of an outage, and is silent because of it. */
export interface IncidentDependents {
  /** How many monitors and servers depend on it, directly or not. */
  total: number;
  /** How many of them have an incident that is silent. */
  down: number;
  /** Names of the first of these, in the order in which they failed. */
  names: string[];
}

/** The link in a notification with which somebody changed an incident. */
export interface UsedLink {
  channel_id: string;
  channel_name: string;
  /** Address of the only person whom the notification went to; null if others got it too. */
  person: string | null;
}

/** The maintenance window that silences an incident. */
export interface IncidentMaintenance {
  id: string;
  name: string;
  /** When it ends, as planned when this was last compared with it. */
  until_ms: number;
  /** What lets the incident fire: new checks that fail, of which those due in the window do not count, or the end alone. */
  fires: 'with_checks' | 'at_end';
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
  /** Missing unless it was acknowledged with one. */
  acknowledged_link?: UsedLink;
  silenced_at_ms: number | null;
  /** When the silence ends by itself; null or missing: when the incident is resolved, or with the maintenance window. */
  silenced_until_ms?: number | null;
  /** The maintenance window that silences it; null when it no longer does; missing: none did. */
  maintenance?: IncidentMaintenance | null;
  /** What it can be a consequence of: the outage of a monitor that its resource depends on. Missing: of none. */
  follows_parents?: true;
  /** The monitor because of which it is silent, or was until it was resolved; null when it no longer is; missing: it never was. */
  dependency?: Hold | null;
  /** Missing unless something depends on its monitor. */
  dependents?: IncidentDependents;
  /** Who silenced it; null when that silence has ended. Missing: nobody did, or it was before this field existed. */
  silenced_by?: string | null;
  /** Channels with a link that silenced it, each with the last time. */
  silence_links?: { channel_id: string; at_ms: number }[];
  /** The newest ones. What decides something later has a field of its own, because many changes push it out. */
  events: IncidentEvent[];
  /** Number of comments; missing without any. */
  comments?: number;
  decision: IncidentDecision | null;
  /** The decision that it recovered; null before a recovery. */
  recovery: IncidentDecision | null;
  /** Channels of the monitor or of the rules when the incident opened; null means every channel of the workspace. */
  channels: string[] | null;
  runbook_url: string | null;
  updated_at_ms: number;
}
