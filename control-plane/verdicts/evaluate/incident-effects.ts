import type { CoveringWindow } from '../../maintenance/maintenance.js';
import type { MonitorDocument, OutageIncident } from '../../monitors/documents.js';
import { isCounted, type VoteRecord } from '../decision-record.js';
import type { Severity } from '../rule/tally.js';
import type { Verdict } from '../rule/verdict.js';

/** What a verdict does to the incident of the monitor. */
export interface IncidentEffects {
  /** The monitor must have an unresolved incident: use the existing one, or open one. */
  ensure: { silencedBy: CoveringWindow | null; afterGrace: boolean } | null;
  resolve: boolean;
  severity: Severity | null;
  /** The maintenance has ended, and checks that were made since then fail. */
  unsilence: boolean;
  /** The new value of `resolve_grace_until_ms`; undefined leaves it unchanged. */
  graceUntilMs: null | undefined;
}

/** The verdict on a monitor as it was read, and its effects on the incident. */
export interface Evaluation {
  monitor: MonitorDocument;
  verdict: Verdict;
  effects: IncidentEffects;
}

const NO_EFFECTS: IncidentEffects = {
  ensure: null,
  resolve: false,
  severity: null,
  unsilence: false,
  graceUntilMs: undefined,
};

/** Returns the incident in the state, unless a pause or a new target may have resolved it since. */
export function knownIncident(monitor: MonitorDocument): OutageIncident | null {
  const incident = monitor.state.incident ?? null;
  return incident !== null && incident.from_version === monitor.live_from_version ? incident : null;
}

/**
 * Returns the effects of a verdict. Pure. `covering` returns the maintenance window that covers a slot: a check that was due
 * during maintenance cannot make an incident fire, even if its result arrives later.
 */
export function incidentEffects(
  monitor: MonitorDocument,
  verdict: Verdict,
  covering: (slotMs: number) => CoveringWindow | null,
  nowMs: number,
): IncidentEffects {
  const graceMs = monitor.resolve_grace_until_ms;
  if (monitor.state.status === 'down' && verdict.next.status === 'up') {
    return { ...NO_EFFECTS, resolve: true, graceUntilMs: graceMs === null ? undefined : null };
  }
  if (verdict.next.status !== 'down' || verdict.situation !== 'failing') return NO_EFFECTS;
  const required = verdict.decision.rule.required_down_votes;
  const windows = verdict.decision.votes.filter(countsAsDown).map((vote) => covering(slotOf(vote)));
  const isLoud = windows.filter((window) => window === null).length >= required;
  const incident = knownIncident(monitor);
  if (incident === null) {
    if (graceMs !== null && nowMs < graceMs) return NO_EFFECTS;
    return {
      ...NO_EFFECTS,
      ensure: { silencedBy: isLoud ? null : lastOf(windows), afterGrace: graceMs !== null },
      graceUntilMs: graceMs === null ? undefined : null,
    };
  }
  return {
    ...NO_EFFECTS,
    // The severity only rises: locations recover one after another, and a complete outage stays one.
    severity: incident.severity === 'warning' && verdict.severity === 'critical' ? 'critical' : null,
    unsilence: incident.awaits_maintenance_end && isLoud,
  };
}

/** Whether the effects change nothing. */
export function hasNoEffects(effects: IncidentEffects): boolean {
  return (
    effects.ensure === null &&
    !effects.resolve &&
    effects.severity === null &&
    !effects.unsilence &&
    effects.graceUntilMs === undefined
  );
}

/** Returns the window that ends last; null if there is none, so that nothing is silenced without one. */
function lastOf(windows: readonly (CoveringWindow | null)[]): CoveringWindow | null {
  return windows.reduce((last, one) => (one !== null && one.until_ms > (last?.until_ms ?? 0) ? one : last), null);
}

function countsAsDown(vote: VoteRecord): boolean {
  return isCounted(vote) && vote.counted_as === 'down';
}

function slotOf(vote: VoteRecord): number {
  return vote.result?.slot_ms ?? vote.result?.checked_at_ms ?? 0;
}
