import { addToSums, type UptimeSums } from '../uptime/sums.js';
import {
  type ObservedSegment,
  observedSegments,
  observedTime,
  type SpeechRule,
  speaksUntil,
  type UptimeRule,
  type VoidSpans,
} from '../uptime/uptime.js';
import { addResult, bySlot, emptySlot, type HistorySlot, type RolledResult } from './packed-slots.js';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;

/**
 * How far behind the newest written minute a result may lie and still be merged without reading history again:
 * retries of slow checks and batches read twice fall within it.
 */
export const KEEP_MS = 180_000;

/** What the roll-up remembers of one monitor between two runs. */
export interface RollupHead {
  /** Minutes before this are written. */
  through_ms: number;
  /** `recent` holds every result with a slot from here on, and what each location still said at this time. */
  horizon_ms: number;
  recent: RolledResult[];
  /** null when they are to be read from history again. */
  sums: UptimeSums | null;
}

/** Minutes of one hour that have to be written. */
export interface HourWrite {
  hour_ms: number;
  /** By start of the minute. Minutes without anything are left out; null: what was written of it is to go. */
  minutes: Map<number, HistorySlot | null>;
  /** What each location said when the hour began; null when that is written already and unchanged. */
  opening: RolledResult[] | null;
  /** Every minute of the hour is in `minutes`: what else the document holds is to go. */
  whole: boolean;
  /** No minute of the hour is still to come, so its hour slot can be written. */
  complete: boolean;
}

export interface Absorbed {
  head: RollupHead;
  hours: HourWrite[];
}

/**
 * Merges new results into a head and rolls it forward to `targetMs`, a full minute. null when one of them lies
 * before the horizon: then its hour has to be rolled up from raw results again.
 */
export function absorb(
  head: RollupHead,
  incoming: readonly RolledResult[],
  rule: UptimeRule,
  targetMs: number,
): Absorbed | null {
  const fresh = unknownTo(head.recent, incoming);
  let dirtyMs = Math.min(head.through_ms, firstVoidFrom(rule.voids, head.horizon_ms));
  for (const result of fresh) {
    if (result.slot_ms < head.horizon_ms) return null;
    dirtyMs = Math.min(dirtyMs, floorTo(result.slot_ms, MINUTE_MS));
  }
  const recent = fresh.length === 0 ? head.recent : [...head.recent, ...fresh].sort(bySlot);
  const throughMs = Math.max(head.through_ms, targetMs);
  const segments = observedSegments(recent, rule, head.horizon_ms, throughMs);
  const slots: Map<number, HistorySlot | null> = slotsOf(recent, segments, MINUTE_MS, dirtyMs, throughMs);
  for (let minuteMs = dirtyMs; minuteMs < head.through_ms; minuteMs += MINUTE_MS) {
    if (!slots.has(minuteMs)) slots.set(minuteMs, null);
  }
  const horizonMs = Math.max(head.horizon_ms, throughMs - KEEP_MS);
  return {
    head: {
      through_ms: throughMs,
      horizon_ms: horizonMs,
      recent: stillNeeded(recent, rule, horizonMs),
      sums: addToSums(head.sums, observedTime(segments, head.horizon_ms, horizonMs)),
    },
    hours: hourWrites(slots, recent, rule, dirtyMs, throughMs),
  };
}

/**
 * The minute in which the earliest span begins that begins at `fromMs`, a full minute, or later. A span begins before
 * anybody knows of it, so that minutes which were written meanwhile are to be written again. Infinity without one.
 */
function firstVoidFrom(voids: VoidSpans, fromMs: number): number {
  let firstMs = Number.POSITIVE_INFINITY;
  for (const spans of voids.values()) {
    for (let index = spans.length - 1; index >= 0; index--) {
      const beginMs = spans[index]?.from_ms ?? 0;
      if (beginMs < fromMs) break;
      firstMs = Math.min(firstMs, floorTo(beginMs, MINUTE_MS));
    }
  }
  return firstMs;
}

/** Rolls one hour up from all its results and what was said when it began. */
export function rollHour(
  opening: readonly RolledResult[],
  results: readonly RolledResult[],
  rule: UptimeRule,
  hourMs: number,
  throughMs: number,
): HourWrite {
  const endMs = Math.min(hourMs + HOUR_MS, throughMs);
  const all = [...opening, ...results];
  const segments = observedSegments(all, rule, hourMs, endMs);
  return {
    hour_ms: hourMs,
    minutes: slotsOf(all, segments, MINUTE_MS, hourMs, endMs),
    opening: [...opening],
    whole: true,
    complete: hourMs + HOUR_MS <= throughMs,
  };
}

/** Slots of `slotMs` each within [fromMs, toMs), by their start; only those with a check or observed time. */
export function slotsOf(
  results: readonly RolledResult[],
  segments: readonly ObservedSegment[],
  slotMs: number,
  fromMs: number,
  toMs: number,
): Map<number, HistorySlot> {
  const slots = new Map<number, HistorySlot>();
  const slotAt = (startMs: number): HistorySlot => {
    let slot = slots.get(startMs);
    if (slot === undefined) {
      slot = emptySlot();
      slots.set(startMs, slot);
    }
    return slot;
  };
  for (const segment of segments) {
    const endMs = Math.min(segment.to_ms, toMs);
    for (let startMs = floorTo(Math.max(segment.from_ms, fromMs), slotMs); startMs < endMs; startMs += slotMs) {
      const length = Math.min(startMs + slotMs, endMs) - Math.max(startMs, segment.from_ms, fromMs);
      const slot = slotAt(startMs);
      slot.observed_ms += length;
      if (segment.up) slot.up_ms += length;
    }
  }
  for (const result of results) {
    if (result.slot_ms < fromMs || result.slot_ms >= toMs) continue;
    addResult(slotAt(floorTo(result.slot_ms, slotMs)), result);
  }
  return slots;
}

/**
 * What has to be carried past `atMs`: each location's last word before it, as long as it still speaks, and every
 * result from then on.
 */
export function stillNeeded(results: readonly RolledResult[], rule: SpeechRule, atMs: number): RolledResult[] {
  const last = new Map<string, RolledResult>();
  const later: RolledResult[] = [];
  for (const result of results) {
    if (result.slot_ms >= atMs) later.push(result);
    else last.set(result.location, result);
  }
  const speaking = [...last.values()].filter((result) => speaksUntil(result, rule) > atMs);
  return [...speaking.sort(bySlot), ...later];
}

export function floorTo(ms: number, stepMs: number): number {
  return ms - (ms % stepMs);
}

/** Those of `incoming` that are not in `known` yet, each once. */
function unknownTo(known: readonly RolledResult[], incoming: readonly RolledResult[]): RolledResult[] {
  if (incoming.length === 0) return [];
  const seen = new Set(known.map(nameOf));
  return incoming.filter((result) => {
    const name = nameOf(result);
    if (seen.has(name)) return false;
    seen.add(name);
    return true;
  });
}

function nameOf(result: RolledResult): string {
  return `${result.slot_ms}/${result.location}/${result.attempt}`;
}

function hourWrites(
  slots: ReadonlyMap<number, HistorySlot | null>,
  recent: readonly RolledResult[],
  rule: SpeechRule,
  fromMs: number,
  toMs: number,
): HourWrite[] {
  const hours = new Map<number, HourWrite>();
  const hourAt = (hourMs: number): HourWrite => {
    let hour = hours.get(hourMs);
    if (hour === undefined) {
      hour = {
        hour_ms: hourMs,
        minutes: new Map(),
        // An hour that began before `fromMs` has its opening already: nothing before `fromMs` has changed.
        opening: hourMs >= fromMs ? stillNeeded(before(recent, hourMs), rule, hourMs) : null,
        whole: hourMs >= fromMs,
        complete: hourMs + HOUR_MS <= toMs,
      };
      hours.set(hourMs, hour);
    }
    return hour;
  };
  for (const [startMs, slot] of slots) hourAt(floorTo(startMs, HOUR_MS)).minutes.set(startMs, slot);
  // Who speaks when an hour begins is noted even if nothing can be told of it yet: a late result may decide it.
  for (let hourMs = floorTo(fromMs + HOUR_MS - 1, HOUR_MS); hourMs < toMs; hourMs += HOUR_MS) {
    if (before(recent, hourMs).some((result) => speaksUntil(result, rule) > hourMs)) hourAt(hourMs);
  }
  const finished = lastFinished(fromMs, toMs, hours);
  if (finished !== null) hours.set(finished.hour_ms, finished);
  return [...hours.values()];
}

/** The hour in which `fromMs` lies may end without one more minute to write: its hour slot is still due. */
function lastFinished(fromMs: number, toMs: number, hours: ReadonlyMap<number, HourWrite>): HourWrite | null {
  const hourMs = floorTo(fromMs, HOUR_MS);
  if (hourMs === fromMs || hourMs + HOUR_MS > toMs || hours.has(hourMs)) return null;
  return { hour_ms: hourMs, minutes: new Map(), opening: null, whole: false, complete: true };
}

function before(results: readonly RolledResult[], atMs: number): RolledResult[] {
  return results.filter((result) => result.slot_ms < atMs);
}
