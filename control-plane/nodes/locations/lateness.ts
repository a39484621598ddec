export interface Percentiles {
  p50_ms: number;
  p99_ms: number;
}

/** One probe's lateness of one minute. */
export interface LatenessSample {
  p50_ms: number;
  p99_ms: number;
  slots_run: number;
}

/**
 * The lateness of an hour from that of its minutes, each weighing as many slots as were run in it: the median of
 * the medians; and the lateness that the 99th percentiles of 99 % of the slots' minutes do not exceed, which is
 * never better than the true one. null without a slot.
 */
export function latenessOf(samples: readonly LatenessSample[]): Percentiles | null {
  const weighed = samples.filter((sample) => sample.slots_run > 0);
  if (weighed.length === 0) return null;
  return { p50_ms: weightedQuantile(weighed, 'p50_ms', 0.5), p99_ms: weightedQuantile(weighed, 'p99_ms', 0.99) };
}

function weightedQuantile(samples: readonly LatenessSample[], member: 'p50_ms' | 'p99_ms', share: number): number {
  const sorted = [...samples].sort((a, b) => a[member] - b[member]);
  const goal = share * sorted.reduce((sum, sample) => sum + sample.slots_run, 0);
  let reached = 0;
  for (const sample of sorted) {
    reached += sample.slots_run;
    if (reached >= goal) return sample[member];
  }
  return sorted.at(-1)?.[member] ?? 0;
}
