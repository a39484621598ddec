/** A number; null is a gap; undefined is a time at which only other series have a value, which is no gap. */
export type Value = number | null | undefined;

/** The values of one thing, in the order of the chart's times. */
export interface ChartSeries {
  label: string;
  values: readonly Value[];
}

/** At the cursor and over the range that is shown; null without a value. */
export interface Figures {
  last: number | null;
  median: number | null;
  p95: number | null;
}

/** More lines than this cannot be told apart. */
const LINES_MAX = 8;

/**
 * Returns the lines to draw: all series, or the seven with the highest 95th percentile and one line with the median of
 * all others. Pure.
 */
export function linesOf(
  series: readonly ChartSeries[],
  labelOfOthers: (count: number) => string,
): readonly ChartSeries[] {
  if (series.length <= LINES_MAX) return series;
  const worst = new Set(
    series
      .map((one) => ({ one, p95: percentile(sorted(one.values), 0.95) ?? -1 }))
      .sort((a, b) => b.p95 - a.p95)
      .slice(0, LINES_MAX - 1)
      .map(({ one }) => one),
  );
  const others = series.filter((one) => !worst.has(one));
  const length = Math.max(...others.map(({ values }) => values.length));
  const values = Array.from({ length }, (_, index) => medianAt(others, index));
  return [...series.filter((one) => worst.has(one)), { label: labelOfOthers(others.length), values }];
}

/** Returns undefined where no series has anything to say, so that the line goes on. */
function medianAt(series: readonly ChartSeries[], index: number): Value {
  const at = series.map(({ values }) => values[index]);
  if (at.every((value) => value === undefined)) return undefined;
  return percentile(sorted(at), 0.5);
}

/** Returns the figures of the values from index `from` up to and without index `to`. Pure. */
export function figuresOf(values: readonly Value[], from: number, to: number): Figures {
  const shown = values.slice(from, to).filter((value): value is number => typeof value === 'number');
  const ordered = sorted(shown);
  return { last: shown.at(-1) ?? null, median: percentile(ordered, 0.5), p95: percentile(ordered, 0.95) };
}

function sorted(values: readonly Value[]): Float64Array {
  return Float64Array.from(values.filter((value): value is number => typeof value === 'number')).sort();
}

/** Returns the value below which the share of the values is: the nearest rank. */
function percentile(ordered: Float64Array, share: number): number | null {
  return ordered[Math.max(0, Math.ceil(ordered.length * share) - 1)] ?? null;
}

/** Returns which of the ascending times are in the range, as `[from, to)`. Pure. */
export function shownIndexes(times: readonly number[], fromMs: number, toMs: number): [number, number] {
  return [lowerBound(times, fromMs), lowerBound(times, toMs + 1)];
}

/** Returns the index of the first time that is not before `atMs`. Pure. */
export function lowerBound(times: readonly number[], atMs: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((times[middle] ?? 0) < atMs) low = middle + 1;
    else high = middle;
  }
  return low;
}
