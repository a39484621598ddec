import type { ChartSeries, Value } from './lines.ts';

/** A series as the API answers it: without points where there is no value. */
interface PointSeries {
  label: string;
  points: readonly { t: string; v: number }[];
}

/** What a chart draws: `times` in milliseconds, ascending. */
export interface Aligned {
  times: number[];
  series: ChartSeries[];
}

/** More of a step than this without a point is a gap: checks come a little late, but not by a whole step. */
const GAP_STEPS = 1.75;

/**
 * Returns series of points on common times. `stepMs` is how far apart the points of one series are when nothing is
 * missing; a longer distance becomes a gap. Pure.
 */
export function aligned(all: readonly PointSeries[], stepMs: number): Aligned {
  const parsed = all.map(({ points }) => points.map(({ t, v }) => ({ at: Date.parse(t), v })));
  const every = new Set<number>();
  for (const points of parsed) {
    for (const [index, { at }] of points.entries()) {
      every.add(at);
      const next = points[index + 1];
      if (next !== undefined && next.at - at > stepMs * GAP_STEPS) every.add(at + stepMs);
    }
  }
  const times = [...every].sort((a, b) => a - b);
  const series = all.map(({ label }, index) => ({ label, values: valuesOf(parsed[index] ?? [], times, stepMs) }));
  return { times, series };
}

function valuesOf(points: readonly { at: number; v: number }[], times: readonly number[], stepMs: number): Value[] {
  let next = 0;
  return times.map((time) => {
    const point = points[next];
    if (point?.at === time) {
      // A check outside the schedule can have the time of a scheduled one.
      while (points[next]?.at === time) next += 1;
      return point.v;
    }
    const lastAt = points[next - 1]?.at ?? Number.NEGATIVE_INFINITY;
    const isGap = point === undefined || point.at - lastAt > stepMs * GAP_STEPS;
    return isGap && time - lastAt >= stepMs ? null : undefined;
  });
}

const STEPS_MS: Readonly<Record<string, number>> = { raw: 0, '1m': 60_000, '5m': 300_000, '1h': 3_600_000 };

/** Returns the width of a bucket of a resolution of the API such as `1m` or `1h`; 0 for `raw`. */
export function resolutionMs(resolution: string): number {
  return STEPS_MS[resolution] ?? 0;
}
