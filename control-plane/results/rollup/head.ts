import type { QuarantineSpans } from '../results.js';
import { addToSums, type UptimeSums } from '../uptime/sums.js';
import { observedSegments, observedTime, type UptimeRule } from '../uptime/uptime.js';
import type { HistorySlot } from './history-slot.js';
import { type HourWrite, hourWrites } from './hours.js';
import { carriedResults, newResults } from './merge-results.js';
import { bySlot, type RolledResult } from './rolled-result.js';
import { floorTo, MINUTE_MS, slotsOf } from './slots.js';

/**
 * A result this much older than the newest written minute can still be merged without reading history again. Retries
 * of slow checks, and batches that are read twice, are within this time.
 */
export const KEEP_MS = 180_000;

/** What the roll-up remembers of one monitor between two passes. */
export interface RollupHead {
  /** Minutes before this are written. */
  through_ms: number;
  /** `recent` has every result with a slot from here on, and the results that covered their locations at this time. */
  horizon_ms: number;
  recent: RolledResult[];
  /** null when they must be read from history again. */
  sums: UptimeSums | null;
}

interface MergedHead {
  head: RollupHead;
  hours: HourWrite[];
}

/**
 * Merges new results into a head and moves it forward to `targetMs`, a full minute. Returns null when a result is from
 * before the horizon: its hour must be rolled up from raw results again.
 */
export function mergeIntoHead(
  head: RollupHead,
  incoming: readonly RolledResult[],
  rule: UptimeRule,
  targetMs: number,
): MergedHead | null {
  const fresh = newResults(head.recent, incoming);
  let dirtyMs = Math.min(head.through_ms, firstQuarantineChange(rule.quarantines, head.horizon_ms));
  for (const result of fresh) {
    if (result.slot_ms < head.horizon_ms) return null;
    dirtyMs = Math.min(dirtyMs, floorTo(result.slot_ms, MINUTE_MS));
  }
  const recent = fresh.length === 0 ? head.recent : [...head.recent, ...fresh].sort(bySlot);
  const throughMs = Math.max(head.through_ms, targetMs);
  const segments = observedSegments(recent, rule, head.horizon_ms, throughMs);
  const minutes: Map<number, HistorySlot | null> = slotsOf(recent, segments, MINUTE_MS, dirtyMs, throughMs);
  for (let minuteMs = dirtyMs; minuteMs < head.through_ms; minuteMs += MINUTE_MS) {
    if (!minutes.has(minuteMs)) minutes.set(minuteMs, null);
  }
  const horizonMs = Math.max(head.horizon_ms, throughMs - KEEP_MS);
  return {
    head: {
      through_ms: throughMs,
      horizon_ms: horizonMs,
      recent: carriedResults(recent, rule, horizonMs),
      sums: addToSums(head.sums, observedTime(segments, head.horizon_ms, horizonMs)),
    },
    hours: hourWrites(minutes, recent, rule, dirtyMs, throughMs),
  };
}

/**
 * Returns the minute of the earliest quarantine that begins or ends at `fromMs`, a full minute, or later; Infinity
 * without one. A quarantine begins before it is detected, and ends one of other locations that would then be more than
 * a minority, so minutes that were written since then must be written again.
 */
function firstQuarantineChange(quarantines: QuarantineSpans, fromMs: number): number {
  let firstMs = Number.POSITIVE_INFINITY;
  for (const spans of quarantines.values()) {
    for (let index = spans.length - 1; index >= 0; index--) {
      const { from_ms: startMs = 0, to_ms: endMs = null } = spans[index] ?? {};
      if (endMs !== null && endMs < fromMs) break;
      for (const changeMs of [startMs, endMs ?? 0]) {
        if (changeMs >= fromMs) firstMs = Math.min(firstMs, floorTo(changeMs, MINUTE_MS));
      }
    }
  }
  return firstMs;
}
