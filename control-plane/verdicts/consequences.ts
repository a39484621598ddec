import type { VoteRecord } from '../incidents/documents.js';
import type { MonitorDocument, OutageMemory } from '../monitors/documents.js';
import type { Severity, Verdict } from './verdict.js';

/** What a verdict does to the monitor's incident. */
export interface Consequences {
  /** There has to be an unresolved one: adopt it, or open it. */
  ensure: { silent: boolean; afterGrace: boolean } | null;
  resolve: boolean;
  severity: Severity | null;
  /** Maintenance is over and checks made since then fail. */
  unsilence: boolean;
  /** The new value of `resolve_grace_until_ms`; undefined: as it is. */
  graceUntilMs: null | undefined;
}

/** A verdict on a monitor as it was read, and what it does to the monitor's incident. */
export interface Judgement {
  monitor: MonitorDocument;
  verdict: Verdict;
  effects: Consequences;
}

const NOTHING: Consequences = {
  ensure: null,
  resolve: false,
  severity: null,
  unsilence: false,
  graceUntilMs: undefined,
};

/** The incident as the state remembers it, unless a pause or a new target may have ended it since. */
export function rememberedIncident(monitor: MonitorDocument): OutageMemory | null {
  const memory = monitor.state.incident ?? null;
  return memory !== null && memory.from_version === monitor.live_from_version ? memory : null;
}

/**
 * Pure. `isSilenced` says whether maintenance covers a check that was due then: a check that was due in a window
 * cannot make an incident fire, however late its result came.
 */
export function consequences(
  monitor: MonitorDocument,
  verdict: Verdict,
  isSilenced: (slotMs: number) => boolean,
  nowMs: number,
): Consequences {
  const graceMs = monitor.resolve_grace_until_ms;
  if (monitor.state.status === 'down' && verdict.next.status === 'up') {
    return { ...NOTHING, resolve: true, graceUntilMs: graceMs === null ? undefined : null };
  }
  if (verdict.next.status !== 'down' || verdict.situation !== 'failing') return NOTHING;
  const required = verdict.decision.rule.required_down_votes;
  const isLoud = verdict.votes.filter((vote) => countsAsDown(vote) && !isSilenced(slotOf(vote))).length >= required;
  const memory = rememberedIncident(monitor);
  if (memory === null) {
    if (graceMs !== null && nowMs < graceMs) return NOTHING;
    return {
      ...NOTHING,
      ensure: { silent: !isLoud, afterGrace: graceMs !== null },
      graceUntilMs: graceMs === null ? undefined : null,
    };
  }
  return {
    ...NOTHING,
    // It only rises: locations recover one after the other, and an outage of all of them stays one.
    severity: memory.severity === 'warning' && verdict.severity === 'critical' ? 'critical' : null,
    unsilence: memory.awaits_maintenance_end && isLoud,
  };
}

export function isNothing(what: Consequences): boolean {
  return (
    what.ensure === null &&
    !what.resolve &&
    what.severity === null &&
    !what.unsilence &&
    what.graceUntilMs === undefined
  );
}

function countsAsDown(vote: VoteRecord): boolean {
  return vote.vote === 'down' && !vote.retrying;
}

function slotOf(vote: VoteRecord): number {
  return vote.result?.slot_ms ?? vote.result?.checked_at_ms ?? 0;
}
