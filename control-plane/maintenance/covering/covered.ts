import type { Span, WindowDocument } from '../documents.js';
import { spansOf } from '../schedule/occurrences.js';

const HOUR_MS = 3_600_000;
/** Checks are judged by the time when they were due, which is a little before now. */
const BEFORE_MS = HOUR_MS;
const AFTER_MS = 6 * HOUR_MS;

/** Whether a window applies at a time. Times near each other are computed together. */
export interface Covered {
  /** Returns the span in which `atMs` is; null in none. Throws if the schedule cannot be computed. */
  at(atMs: number): Span | null;
}

export function createCovered(window: WindowDocument): Covered {
  let known: { fromMs: number; toMs: number; spans: readonly Span[] } | null = null;
  return {
    at(atMs) {
      if (known === null || atMs < known.fromMs || atMs >= known.toMs) {
        const [fromMs, toMs] = [atMs - BEFORE_MS, atMs + AFTER_MS];
        known = { fromMs, toMs, spans: spansOf(window, fromMs, toMs) };
      }
      return known.spans.find(({ from_ms, to_ms }) => atMs >= from_ms && atMs < to_ms) ?? null;
    },
  };
}
