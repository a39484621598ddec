import type { Span, WindowDocument } from '../documents.js';
import { nextOccurrences } from '../schedule/occurrences.js';

const OCCURRENCES_MAX = 3;
/** Until the first occurrence ends, time passes without a change, except that another one can come near. */
const KEPT_MS = 60_000;

/** The next occurrences of a window. They are computed once a minute at most. */
export interface Upcoming {
  /** Returns the first three at most, also the one under way. Throws if the schedule cannot be computed. */
  at(nowMs: number): readonly Span[];
}

export function createUpcoming(window: WindowDocument): Upcoming {
  let known: { fromMs: number; toMs: number; spans: readonly Span[] } | null = null;
  return {
    at(nowMs) {
      if (known === null || nowMs < known.fromMs || nowMs >= known.toMs) {
        const spans = nextOccurrences(window, nowMs, OCCURRENCES_MAX);
        const endMs = Math.min(nowMs + KEPT_MS, spans[0]?.to_ms ?? Number.POSITIVE_INFINITY);
        known = { fromMs: nowMs, toMs: endMs, spans };
      }
      return known.spans;
    },
  };
}
