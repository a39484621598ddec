export interface Percentiles {
  p50_ms: number;
  p99_ms: number;
}

/** The lateness of one probe in one minute. */
export interface LatenessSample {
  p50_ms: number;
  p99_ms: number;
  slots_run: number;
}

/**
 * Returns the lateness of an hour from the samples of its minutes, weighted by the slots that ran: the median of the
 * medians, and the 99th percentile of the 99th percentiles, which is never lower than the true value. null if no slot
 * ran.
 */
export function latenessOf(samples: readonly LatenessSample[]): Percentiles | null {
  const weighed = samples.filter((sample) => sample.slots_run > 0);
  if (weighed.length === 0) return null;
  return { p50_ms: weightedQuantile(weighed, 'p50_ms', 0.5), p99_ms: weightedQuantile(weighed, 'p99_ms', 0.99) };
}

function weightedQuantile(samples: readonly LatenessSample[], field: 'p50_ms' | 'p99_ms', share: number): number {
  const sorted = [...samples].sort((a, b) => a[field] - b[field]);
  const goal = share * sorted.reduce((sum, sample) => sum + sample.slots_run, 0);
  let reached = 0;
  for (const sample of sorted) {
    reached += sample.slots_run;
    if (reached >= goal) return sample[field];
  }
  return sorted.at(-1)?.[field] ?? 0;
}
