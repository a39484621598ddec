import type { UptimeWindow } from '../../monitors/documents.js';
import { type CoverageLimits, type CoveringResult, coversUntil } from './covering.js';
import { markLeftOut } from './left-out.js';
import { requiredDownVotes } from './quorum.js';

/** What turns the results of locations into the state of a monitor. */
export interface UptimeRule extends CoverageLimits {
  /** Number of locations of the monitor. */
  assigned: number;
  confirmations: number | null;
  /** Returns the times in [fromMs, toMs) that planned maintenance leaves out of uptime, in order and without overlap. */
  leftOut(fromMs: number, toMs: number): readonly { from_ms: number; to_ms: number }[];
}

/** A time in which the monitor was observed, from `from_ms` up to `to_ms`. */
export interface ObservedSegment {
  from_ms: number;
  to_ms: number;
  up: boolean;
  /** Planned maintenance leaves it out: it counts neither as up nor as down. */
  left_out?: true;
}

export interface ObservedTime {
  /** What counts in uptime. */
  observed_ms: number;
  up_ms: number;
  /** What was observed as well, and does not count because of planned maintenance. */
  left_out_ms: number;
}

export const NOTHING_OBSERVED: ObservedTime = { observed_ms: 0, up_ms: 0, left_out_ms: 0 };

/**
 * Returns the state of a monitor from the number of locations that are up and down, by the same rule as the verdict.
 * null when it is not observed: no location counts, or all of them are down but too few to decide.
 */
function observedState(up: number, down: number, rule: UptimeRule): 'up' | 'down' | null {
  if (down >= requiredDownVotes(rule.assigned, up + down, rule.confirmations)) return 'down';
  return up > 0 ? 'up' : null;
}

/** Returns the observed times within [fromMs, toMs), in order. `results` are in order of slot and attempt. */
export function observedSegments(
  results: readonly CoveringResult[],
  rule: UptimeRule,
  fromMs: number,
  toMs: number,
): ObservedSegment[] {
  const changes = coverageChanges(results, rule, fromMs, toMs);
  const segments: ObservedSegment[] = [];
  let up = 0;
  let down = 0;
  let sinceMs = fromMs;
  for (const change of changes) {
    if (change.at_ms > sinceMs) {
      addSegment(segments, sinceMs, change.at_ms, observedState(up, down, rule));
      sinceMs = change.at_ms;
    }
    if (change.up) up += change.by;
    else down += change.by;
  }
  return markLeftOut(segments, rule.leftOut(fromMs, toMs));
}

/** Returns how much of [fromMs, toMs) was observed, how much of it the monitor was up, and what is left out. */
export function observedTime(segments: readonly ObservedSegment[], fromMs: number, toMs: number): ObservedTime {
  const time = { ...NOTHING_OBSERVED };
  for (const segment of segments) {
    const length = Math.min(segment.to_ms, toMs) - Math.max(segment.from_ms, fromMs);
    if (length > 0) addObserved(time, segment, length);
  }
  return time;
}

/** Adds a part of a segment to an observed time. */
export function addObserved(time: ObservedTime, segment: ObservedSegment, length: number): void {
  if (segment.left_out) {
    time.left_out_ms += length;
    return;
  }
  time.observed_ms += length;
  if (segment.up) time.up_ms += length;
}

/**
 * Returns the uptime as a percentage of the observed time with 4 decimals, and which percentage of the whole window
 * was observed: a monitor that is one hour old has a coverage of 4.1667 % of 24 h. Maintenance that is left out was observed.
 */
export function uptimeWindow(time: ObservedTime, windowMs: number): UptimeWindow {
  const { observed_ms, left_out_ms } = time;
  const coverage = Math.min(100, decimals4(((observed_ms + left_out_ms) / windowMs) * 100));
  return { uptime: percentUp(time), coverage, left_out_ms };
}

/**
 * Returns the uptime in percent, rounded down to 4 decimals; null without observed time. It is 100 only without any
 * downtime, however short.
 */
export function percentUp({ observed_ms, up_ms }: Pick<ObservedTime, 'observed_ms' | 'up_ms'>): number | null {
  if (observed_ms <= 0) return null;
  if (up_ms >= observed_ms) return 100;
  return Math.min(999_999, Math.floor((up_ms * 1_000_000) / observed_ms)) / 10_000;
}

/** A location starts (`by` 1) or stops (-1) counting as up or down. */
interface CoverageChange {
  at_ms: number;
  by: 1 | -1;
  up: boolean;
}

function coverageChanges(
  results: readonly CoveringResult[],
  limits: CoverageLimits,
  fromMs: number,
  toMs: number,
): CoverageChange[] {
  const changes: CoverageChange[] = [];
  const nextSlotMs = new Map<string, number>();
  for (let index = results.length - 1; index >= 0; index--) {
    const result = results[index];
    if (result === undefined) continue;
    const nextMs = nextSlotMs.get(result.location) ?? Number.POSITIVE_INFINITY;
    nextSlotMs.set(result.location, result.slot_ms);
    const startMs = Math.max(fromMs, result.slot_ms);
    const endMs = Math.min(toMs, nextMs, coversUntil(result, limits));
    if (endMs <= startMs) continue;
    changes.push({ at_ms: startMs, by: 1, up: result.up }, { at_ms: endMs, by: -1, up: result.up });
  }
  return changes.sort((a, b) => a.at_ms - b.at_ms);
}

function addSegment(segments: ObservedSegment[], fromMs: number, toMs: number, state: 'up' | 'down' | null): void {
  if (state === null) return;
  const last = segments.at(-1);
  const up = state === 'up';
  if (last !== undefined && last.to_ms === fromMs && last.up === up) last.to_ms = toMs;
  else segments.push({ from_ms: fromMs, to_ms: toMs, up });
}

function decimals4(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
