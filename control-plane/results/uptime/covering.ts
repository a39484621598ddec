import type { QuarantineSpan, QuarantineSpans } from '../results.js';

/**
 * A final result as history reads it. It covers its location from its slot for `covers_ms`, or until the next result
 * of the location. The time counts from the slot and not from the start of the check: slots have no gaps between
 * them, so neither a late start nor the retries of a failing check leave time that is not observed.
 */
export interface CoveringResult {
  location: string;
  slot_ms: number;
  attempt: number;
  covers_ms: number;
  up: boolean;
}

/** What limits how long a result covers its location, apart from the next result. */
export interface CoverageLimits {
  /** When the monitor was paused, ascending. No result from before a pause counts after it. */
  pauses_ms: readonly number[];
  quarantines: QuarantineSpans;
}

/** Probes stop within 2 s of a pause. Results of checks that they still make must not count during the pause. */
const PAUSE_SETTLE_MS = 5_000;

/**
 * Returns when a result stops covering its location if no other result follows. The time is the slot or earlier for a
 * result that never counts.
 */
export function coversUntil(result: CoveringResult, limits: CoverageLimits): number {
  const coveredMs = Math.min(result.slot_ms + result.covers_ms, pauseAfter(limits.pauses_ms, result.slot_ms));
  const spans = limits.quarantines.get(result.location);
  return spans === undefined ? coveredMs : Math.min(coveredMs, quarantineAfter(spans, result.slot_ms));
}

/** Returns the first pause after the slot, or a pause that began just before it; Infinity without one. */
function pauseAfter(pausesMs: readonly number[], slotMs: number): number {
  for (const pauseMs of pausesMs) {
    if (slotMs < pauseMs + PAUSE_SETTLE_MS) return pauseMs;
  }
  return Number.POSITIVE_INFINITY;
}

/** Returns the start of the span that contains the slot or follows it. Most results are newer than every span. */
function quarantineAfter(spans: readonly QuarantineSpan[], slotMs: number): number {
  let startMs = Number.POSITIVE_INFINITY;
  for (let index = spans.length - 1; index >= 0; index--) {
    const span = spans[index];
    if (span === undefined || (span.to_ms !== null && span.to_ms <= slotMs)) break;
    startMs = span.from_ms;
  }
  return startMs;
}
