import type { DecisionRecord } from './decision-record.js';

export interface Percentiles {
  p50_ms: number;
  p99_ms: number;
}

/** Returns the detection delays of the locations that voted for these decisions. Pure. */
export function delaysByLocation(decisions: readonly DecisionRecord[]): Map<string, Percentiles> {
  const samples = new Map<string, number[]>();
  for (const { times, votes } of decisions) {
    if (times.first_failed_at_ms === null || times.confirmed_at_ms === null) continue;
    const delayMs = Math.max(0, times.confirmed_at_ms - times.first_failed_at_ms);
    for (const vote of votes) {
      if (vote.vote !== 'down') continue;
      const known = samples.get(vote.location);
      if (known === undefined) samples.set(vote.location, [delayMs]);
      else known.push(delayMs);
    }
  }
  return new Map([...samples].map(([location, values]) => [location, percentiles(values)]));
}

function percentiles(values: number[]): Percentiles {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number) => Math.round(sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0);
  return { p50_ms: at(0.5), p99_ms: at(0.99) };
}
