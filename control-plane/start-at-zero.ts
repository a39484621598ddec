import type { Counter, LabelValues } from 'prom-client';

/** Exports these series of a counter from the start. A series that appears with its first event shows no increase. */
export function startAtZero<Label extends string>(
  counter: Counter<Label>,
  series: readonly LabelValues<Label>[],
): void {
  for (const labels of series) counter.inc(labels, 0);
}
