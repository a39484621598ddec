/** Counters as they were read at one moment, and what they rose by a second since the moment before. */
export interface CounterState {
  /** Milliseconds of a clock that counts the time in which the machine is suspended and that nobody sets. */
  atMs: number;
  values: ReadonlyMap<string, number>;
  /** Per second; without those that cannot be told. */
  rates: ReadonlyMap<string, number>;
}

/** Between which bounds two readings give a rate. */
export interface RateWindow {
  /** Two readings closer together are too few ticks of a counter. */
  elapsedMsMin: number;
  /** Further apart they are not of one time: the machine was suspended, or the process was not run. */
  elapsedMsMax: number;
}

const WRAP = 2 ** 32;
/**
 * A counter of 32 bits that wrapped looks as one that began anew. It is taken for wrapped while what it rose by is
 * in proportion to what it rose by before; where that is wrong, one sample is left out and nothing is made up.
 */
const WRAP_GROWTH_MAX = 4;
const WRAP_SLACK = 1024 * 1024;

/** Intervals that a sample may miss. Beyond, there is no rate: a gap is left a gap. */
const GAP_INTERVALS_MAX = 3;
const SHORTEST_PART_OF_INTERVAL = 0.1;

export function rateWindow(intervalMs: number): RateWindow {
  return { elapsedMsMin: intervalMs * SHORTEST_PART_OF_INTERVAL, elapsedMsMax: intervalMs * GAP_INTERVALS_MAX };
}

/** What two readings are to each other. */
export type Step =
  /** The second one gives rates. */
  | 'measured'
  /** It comes too soon: the first one stays the one to compare with. */
  | 'too_soon'
  /** There is none to compare with; the second one is the first of a new row. */
  | 'begins';

export function stepOf(beforeMs: number | null, atMs: number, window: RateWindow): Step {
  if (beforeMs === null) return 'begins';
  const elapsedMs = atMs - beforeMs;
  if (elapsedMs >= 0 && elapsedMs < window.elapsedMsMin) return 'too_soon';
  return elapsedMs > 0 && elapsedMs <= window.elapsedMsMax ? 'measured' : 'begins';
}

/**
 * The next state. A device that was not there before, a counter that began anew, and everything after a gap has no
 * rate this time: nothing is ever negative, and nothing rises by what was counted before it was looked at.
 */
export function nextRates(
  before: CounterState | null,
  atMs: number,
  values: ReadonlyMap<string, number>,
  window: RateWindow,
): CounterState {
  const step = stepOf(before?.atMs ?? null, atMs, window);
  const rates = new Map<string, number>();
  if (before === null || step === 'begins') return { atMs, values, rates };
  if (step === 'too_soon') return { ...before, rates };
  const seconds = (atMs - before.atMs) / 1000;
  for (const [name, value] of values) {
    const last = before.values.get(name);
    if (last === undefined) continue;
    const usual = (before.rates.get(name) ?? 0) * seconds;
    const increase = increaseOf(last, value, usual);
    if (increase !== null) rates.set(name, increase / seconds);
  }
  return { atMs, values, rates };
}

function increaseOf(before: number, after: number, usual: number): number | null {
  if (after >= before) return after - before;
  const wrapped = after + WRAP - before;
  return before < WRAP && wrapped <= usual * WRAP_GROWTH_MAX + WRAP_SLACK ? wrapped : null;
}
