import type { UptimeSummary } from '../../monitors/documents.js';
import { NOTHING_OBSERVED, type ObservedTime, uptimeWindow } from './uptime.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
export const WINDOWS_MS = { day: DAY_MS, week: 7 * DAY_MS, month: 30 * DAY_MS } as const;
type WindowName = keyof typeof WINDOWS_MS;

/** The oldest hours of a window, whose sums are kept separately so that they can be subtracted as the window moves. */
const EDGE_HOURS = 3;
/** Sums older than this are read from history again, for each monitor at its own minute of the hour. */
const REBASE_AFTER_MS = HOUR_MS;

/** Observed time from the start of a window, as it was at `hour_ms`, up to the horizon of the head. */
interface WindowSum extends ObservedTime {
  /** The first hours of the window, oldest first. */
  edges: ObservedTime[];
}

/**
 * Makes uptime cheap to compute: the sum of a window is read once an hour. New observations are added, and what
 * leaves the window is subtracted in proportion to the time that has passed.
 */
export interface UptimeSums extends Record<WindowName, WindowSum> {
  /** A full hour. A window of length D began at `hour_ms - D` when the sums were computed. */
  hour_ms: number;
}

/**
 * Returns the sums of all windows. `hours` has the hour slots up to `hourMs` by start; `rest` is the observed time
 * from `hourMs` to the horizon of the head.
 */
export function sumsOf(hours: ReadonlyMap<number, ObservedTime>, hourMs: number, rest: ObservedTime): UptimeSums {
  const windowSum = (windowMs: number): WindowSum => {
    const sum: WindowSum = { ...rest, edges: [] };
    for (const [startMs, slot] of hours) {
      if (startMs < hourMs - windowMs || startMs >= hourMs) continue;
      sum.observed_ms += slot.observed_ms;
      sum.up_ms += slot.up_ms;
      sum.left_out_ms += slot.left_out_ms;
    }
    for (let edge = 0; edge < EDGE_HOURS; edge++) {
      const slot = hours.get(hourMs - windowMs + edge * HOUR_MS);
      const { observed_ms, up_ms, left_out_ms } = slot ?? NOTHING_OBSERVED;
      sum.edges.push({ observed_ms, up_ms, left_out_ms });
    }
    return sum;
  };
  return {
    hour_ms: hourMs,
    day: windowSum(WINDOWS_MS.day),
    week: windowSum(WINDOWS_MS.week),
    month: windowSum(WINDOWS_MS.month),
  };
}

/** Whether the sums must be read again. `spread` in [0, 1) differs by monitor, so that not all are due at once. */
export function sumsAreDue(sums: UptimeSums | null, nowMs: number, spread: number): boolean {
  return sums === null || nowMs - sums.hour_ms >= REBASE_AFTER_MS + spread * HOUR_MS;
}

/** Returns the sums with observed time added; null stays null. */
export function addToSums(sums: UptimeSums | null, time: ObservedTime): UptimeSums | null {
  if (sums === null || time.observed_ms + time.left_out_ms === 0) return sums;
  const added = (sum: WindowSum): WindowSum => ({
    observed_ms: sum.observed_ms + time.observed_ms,
    up_ms: sum.up_ms + time.up_ms,
    left_out_ms: sum.left_out_ms + time.left_out_ms,
    edges: sum.edges,
  });
  return { hour_ms: sums.hour_ms, day: added(sums.day), week: added(sums.week), month: added(sums.month) };
}

/** Returns the uptime of all windows. `tail` is the observed time from the horizon of the head to `nowMs`. */
export function summaryOf(sums: UptimeSums, tail: ObservedTime, nowMs: number): UptimeSummary {
  const elapsedMs = Math.max(0, nowMs - sums.hour_ms);
  const window = (name: WindowName) => {
    const sum = sums[name];
    let observed_ms = sum.observed_ms + tail.observed_ms;
    let up_ms = sum.up_ms + tail.up_ms;
    let left_out_ms = sum.left_out_ms + tail.left_out_ms;
    for (const [index, edge] of sum.edges.entries()) {
      const passed = Math.min(1, Math.max(0, elapsedMs / HOUR_MS - index));
      observed_ms -= edge.observed_ms * passed;
      up_ms -= edge.up_ms * passed;
      left_out_ms -= edge.left_out_ms * passed;
    }
    const edge = sum.edges[Math.floor(elapsedMs / HOUR_MS)] ?? NOTHING_OBSERVED;
    const leaving = {
      observed: edge.observed_ms / HOUR_MS,
      up: edge.up_ms / HOUR_MS,
      left_out: edge.left_out_ms / HOUR_MS,
    };
    const time = { observed_ms, up_ms: Math.min(up_ms, observed_ms), left_out_ms };
    return { ...uptimeWindow(time, WINDOWS_MS[name]), sums: { ...time, leaving } };
  };
  return { computed_at_ms: nowMs, day: window('day'), week: window('week'), month: window('month') };
}

/** Returns sums that an earlier version may have stored, which left out nothing. */
export function storedSums(sums: UptimeSums | null): UptimeSums | null {
  if (sums === null) return null;
  const whole = (sum: WindowSum): WindowSum => ({
    ...NOTHING_OBSERVED,
    ...sum,
    edges: sum.edges.map((edge) => ({ ...NOTHING_OBSERVED, ...edge })),
  });
  return { hour_ms: sums.hour_ms, day: whole(sums.day), week: whole(sums.week), month: whole(sums.month) };
}
