import type { UptimeWindow } from '../../monitors/documents.js';
import { requiredDownVotes } from './quorum.js';

/**
 * A final result as history reads it. It speaks for its location from its slot for `covers_ms`, or until that
 * location's next result. From the slot, not from the start of the check: slots touch one another exactly, so that
 * neither a late start nor the retries of a failing check tear a hole that nobody observed.
 */
export interface SpokenResult {
  location: string;
  slot_ms: number;
  attempt: number;
  covers_ms: number;
  up: boolean;
}

export interface UptimeRule {
  /** Number of locations assigned to the monitor. */
  assigned: number;
  confirmations: number | null;
  /** When the monitor was paused, ascending. Nothing that was seen before a pause speaks after it. */
  pauses_ms: readonly number[];
  voids: VoidSpans;
}

/** A stretch in which a location was quarantined, as far as uptime is concerned; `to_ms` null: it still is. */
export interface VoidSpan {
  from_ms: number;
  to_ms: number | null;
}

/**
 * By location, in order. What a location said before a span falls silent when it begins, and what it says within
 * never speaks: its votes were void. It speaks again with its first check after the span. So its time is nobody's
 * observation, neither up nor down, and the others decide among themselves.
 */
export type VoidSpans = ReadonlyMap<string, readonly VoidSpan[]>;

/** A stretch of time in which the monitor was observed, from `from_ms` up to `to_ms`. */
export interface ObservedSegment {
  from_ms: number;
  to_ms: number;
  up: boolean;
}

export interface ObservedTime {
  observed_ms: number;
  up_ms: number;
}

/** Probes stop within 2 s of a pause; what they still check in between must not speak through it. */
const PAUSE_SETTLE_MS = 5_000;

/**
 * What the speaking locations say together at one instant, by the rule of the verdict; null when nobody can tell:
 * none speaks, or all that speak say down but are too few to decide.
 */
export function observedState(up: number, down: number, rule: UptimeRule): 'up' | 'down' | null {
  if (down >= requiredDownVotes(rule.assigned, up + down, rule.confirmations)) return 'down';
  return up > 0 ? 'up' : null;
}

/** The observed stretches within [fromMs, toMs), in order. `results` are in order of (slot, attempt). */
export function observedSegments(
  results: readonly SpokenResult[],
  rule: UptimeRule,
  fromMs: number,
  toMs: number,
): ObservedSegment[] {
  const changes = speechChanges(results, rule, fromMs, toMs);
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
  return segments;
}

/** How much of [fromMs, toMs) was observed, and in how much of it the monitor was up. */
export function observedTime(segments: readonly ObservedSegment[], fromMs: number, toMs: number): ObservedTime {
  let observed_ms = 0;
  let up_ms = 0;
  for (const segment of segments) {
    const length = Math.min(segment.to_ms, toMs) - Math.max(segment.from_ms, fromMs);
    if (length <= 0) continue;
    observed_ms += length;
    if (segment.up) up_ms += length;
  }
  return { observed_ms, up_ms };
}

/**
 * Percent of the observed time, to 4 decimals, and how much of the whole window was observed: a monitor that is one
 * hour old has a coverage of 4.1667 % of 24 h. Any time down shows, however short: only no time down is 100.
 */
export function uptimeWindow(time: ObservedTime, windowMs: number): UptimeWindow {
  return { uptime: percentUp(time), coverage: Math.min(100, decimals4((time.observed_ms / windowMs) * 100)) };
}

export function percentUp({ observed_ms, up_ms }: ObservedTime): number | null {
  if (observed_ms <= 0) return null;
  if (up_ms >= observed_ms) return 100;
  return Math.min(99.9999, decimals4((up_ms / observed_ms) * 100));
}

/** When a result of this slot stops speaking because the monitor is paused; the pause that follows it, or has just begun. */
export function pauseAfter(pausesMs: readonly number[], slotMs: number): number {
  for (const pauseMs of pausesMs) {
    if (slotMs < pauseMs + PAUSE_SETTLE_MS) return pauseMs;
  }
  return Number.POSITIVE_INFINITY;
}

/** What decides how long a result speaks, beside its location's next one. */
export type SpeechRule = Pick<UptimeRule, 'pauses_ms' | 'voids'>;

/** When a result falls silent if its location says nothing more; at its slot or before it where it never speaks. */
export function speaksUntil(result: SpokenResult, rule: SpeechRule): number {
  const coveredMs = Math.min(result.slot_ms + result.covers_ms, pauseAfter(rule.pauses_ms, result.slot_ms));
  const spans = rule.voids.get(result.location);
  return spans === undefined ? coveredMs : Math.min(coveredMs, voidAfter(spans, result.slot_ms));
}

/** When the span begins that holds the slot or is the next after it. Most results are newer than every span. */
function voidAfter(spans: readonly VoidSpan[], slotMs: number): number {
  let beginMs = Number.POSITIVE_INFINITY;
  for (let index = spans.length - 1; index >= 0; index--) {
    const span = spans[index];
    if (span === undefined || (span.to_ms !== null && span.to_ms <= slotMs)) break;
    beginMs = span.from_ms;
  }
  return beginMs;
}

interface SpeechChange {
  at_ms: number;
  by: 1 | -1;
  up: boolean;
}

function speechChanges(
  results: readonly SpokenResult[],
  rule: SpeechRule,
  fromMs: number,
  toMs: number,
): SpeechChange[] {
  const changes: SpeechChange[] = [];
  const nextSlotMs = new Map<string, number>();
  for (let index = results.length - 1; index >= 0; index--) {
    const result = results[index];
    if (result === undefined) continue;
    const nextMs = nextSlotMs.get(result.location) ?? Number.POSITIVE_INFINITY;
    nextSlotMs.set(result.location, result.slot_ms);
    const beginMs = Math.max(fromMs, result.slot_ms);
    const endMs = Math.min(toMs, nextMs, speaksUntil(result, rule));
    if (endMs <= beginMs) continue;
    changes.push({ at_ms: beginMs, by: 1, up: result.up }, { at_ms: endMs, by: -1, up: result.up });
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
