import { type CoverageLimits, coversUntil } from '../uptime/covering.js';
import { observedSegments, type UptimeRule } from '../uptime/uptime.js';
import type { HistorySlot } from './history-slot.js';
import { carriedResults } from './merge-results.js';
import type { RolledResult } from './rolled-result.js';
import { floorTo, HOUR_MS, MINUTE_MS, slotsOf } from './slots.js';

/** The minutes of one hour that must be written. */
export interface HourWrite {
  hour_ms: number;
  /** By start of the minute. Empty minutes are left out; null removes a minute that was written earlier. */
  minutes: Map<number, HistorySlot | null>;
  /** The results that covered their locations when the hour began; null when they are stored and did not change. */
  opening: RolledResult[] | null;
  /** `minutes` has every minute of the hour: other minutes in the document are removed. */
  whole: boolean;
  /** No minute of the hour is missing, so its hour slot can be written. */
  complete: boolean;
}

/** Returns the write of one hour, from all its results and those that covered its beginning. */
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

/** Returns the writes of the hours that [fromMs, toMs) touches, from the minutes that changed. */
export function hourWrites(
  minutes: ReadonlyMap<number, HistorySlot | null>,
  recent: readonly RolledResult[],
  limits: CoverageLimits,
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
        // The opening of an hour that began before `fromMs` is stored, and nothing before `fromMs` has changed.
        opening: hourMs >= fromMs ? carriedResults(before(recent, hourMs), limits, hourMs) : null,
        whole: hourMs >= fromMs,
        complete: hourMs + HOUR_MS <= toMs,
      };
      hours.set(hourMs, hour);
    }
    return hour;
  };
  for (const [startMs, slot] of minutes) hourAt(floorTo(startMs, HOUR_MS)).minutes.set(startMs, slot);
  // The opening of an hour is stored even if the hour has no slot: a late result may need it.
  for (let hourMs = floorTo(fromMs + HOUR_MS - 1, HOUR_MS); hourMs < toMs; hourMs += HOUR_MS) {
    if (before(recent, hourMs).some((result) => coversUntil(result, limits) > hourMs)) hourAt(hourMs);
  }
  const finished = lastFinished(fromMs, toMs, hours);
  if (finished !== null) hours.set(finished.hour_ms, finished);
  return [...hours.values()];
}

/** The hour that contains `fromMs` may end without another minute to write. Its hour slot must be written anyway. */
function lastFinished(fromMs: number, toMs: number, hours: ReadonlyMap<number, HourWrite>): HourWrite | null {
  const hourMs = floorTo(fromMs, HOUR_MS);
  if (hourMs === fromMs || hourMs + HOUR_MS > toMs || hours.has(hourMs)) return null;
  return { hour_ms: hourMs, minutes: new Map(), opening: null, whole: false, complete: true };
}

function before(results: readonly RolledResult[], atMs: number): RolledResult[] {
  return results.filter((result) => result.slot_ms < atMs);
}
