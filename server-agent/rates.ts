/**
 * Picket computes the rates of kernel counters itself. A reset, a 32-bit wrap, a suspended machine, a stalled agent, and
 * devices that appear and disappear must not cause a negative rate or a spike, because a spike can trigger an alert rule.
 */

/** Counters as they were read at one moment, and their rates since the previous reading. */
export interface CounterState {
  /** Milliseconds of a clock that includes suspension and cannot be set; NaN if unknown, see `readingTime`. */
  atMs: number;
  values: ReadonlyMap<string, number>;
  /** Per second. Counters without a valid rate are absent. */
  rates: ReadonlyMap<string, number>;
}

/** The distances between two readings that give a valid rate. */
export interface RateWindow {
  /** Readings that are closer together differ by too few ticks of a counter. */
  elapsedMsMin: number;
  /** Readings that are further apart span a gap: the machine was suspended, or the process did not run. */
  elapsedMsMax: number;
  /** A reading that takes longer has no known time: the agent was stalled before or after the kernel answered. */
  readMsMax: number;
}

const WRAP = 2 ** 32;
/**
 * A 32-bit counter that wraps looks like a counter that was reset. It counts as wrapped if the increase is in
 * proportion to the previous rate. Otherwise it counts as reset: one sample lacks the rate, and no rate is invented.
 */
const WRAP_GROWTH_MAX = 4;
const WRAP_SLACK = 1024 * 1024;

/** A longer distance, in intervals, is a gap and gives no rate. */
const GAP_INTERVALS_MAX = 3;
const SHORTEST_INTERVAL_RATIO = 0.1;
/** The largest error of a rate because of the time of a reading. */
const READ_RATIO_MAX = 0.1;

export function rateWindow(intervalMs: number): RateWindow {
  return {
    elapsedMsMin: intervalMs * SHORTEST_INTERVAL_RATIO,
    elapsedMsMax: intervalMs * GAP_INTERVALS_MAX,
    readMsMax: intervalMs * READ_RATIO_MAX,
  };
}

/**
 * Returns the time of counters that were read between these two moments. Counters that were read before a stall of the
 * agent and dated after it, or the other way round, would give a rate that is several times too low or too high. If the
 * reading took too long, its time is NaN: neither it nor the next reading gives rates.
 */
export function readingTime(beforeMs: number, afterMs: number, window: RateWindow): number {
  return afterMs - beforeMs <= window.readMsMax ? afterMs : Number.NaN;
}

/** How a reading relates to the previous one. */
export type Step =
  /** It gives rates. */
  | 'measured'
  /** It is too early: the next reading is compared with the previous one again. */
  | 'too_soon'
  /** There is no previous reading to compare with, so this one is the first of a new series. */
  | 'begins';

export function stepOf(previousMs: number | null, atMs: number, window: RateWindow): Step {
  if (previousMs === null) return 'begins';
  const elapsedMs = atMs - previousMs;
  if (elapsedMs >= 0 && elapsedMs < window.elapsedMsMin) return 'too_soon';
  return elapsedMs > 0 && elapsedMs <= window.elapsedMsMax ? 'measured' : 'begins';
}

/**
 * Returns the next state. A new device, a counter that was reset, and every counter after a gap have no rate this
 * time, so no rate is negative and none includes what was counted before the first reading.
 */
export function nextRates(
  previous: CounterState | null,
  atMs: number,
  values: ReadonlyMap<string, number>,
  window: RateWindow,
): CounterState {
  const step = stepOf(previous?.atMs ?? null, atMs, window);
  const rates = new Map<string, number>();
  if (previous === null || step === 'begins') return { atMs, values, rates };
  if (step === 'too_soon') return { ...previous, rates };
  const seconds = (atMs - previous.atMs) / 1000;
  for (const [name, value] of values) {
    const last = previous.values.get(name);
    if (last === undefined) continue;
    const expected = (previous.rates.get(name) ?? 0) * seconds;
    const increase = increaseOf(last, value, expected);
    if (increase !== null) rates.set(name, increase / seconds);
  }
  return { atMs, values, rates };
}

function increaseOf(before: number, after: number, expected: number): number | null {
  if (after >= before) return after - before;
  const wrapped = after + WRAP - before;
  return before < WRAP && wrapped <= expected * WRAP_GROWTH_MAX + WRAP_SLACK ? wrapped : null;
}
