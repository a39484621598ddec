import type { MetricPoint } from '../../servers.js';
import type { Operator } from '../fields.js';

/**
 * The state of a rule for one server.
 * - `ok`: the newest sample does not meet the condition.
 * - `pending`: every sample since `sinceMs` meets the condition, but not for long enough yet.
 * - `firing`: an incident is open. `clears` are the newest consecutive samples that do not meet the condition.
 */
export type Phase =
  | { state: 'ok' }
  | { state: 'pending'; sinceMs: number; evidence: Evidence }
  | { state: 'firing'; clears: readonly MetricPoint[] };

export interface Progress {
  phase: Phase;
  /** Time of the newest evaluated sample; null before the first. */
  lastMs: number | null;
}

/** The samples that meet the condition, oldest first; evenly thinned out if there are many. */
export interface Evidence {
  kept: readonly MetricPoint[];
  /** Every n-th sample is kept. */
  stride: number;
  /** The number of all samples. */
  count: number;
}

export interface Condition {
  operator: Operator;
  threshold: number;
  /** How long samples must meet the condition; 0 means that one sample is enough. */
  forMs: number;
  /** Between two samples that are further apart, the values are unknown. */
  gapMs: number;
}

export type Outcome =
  | { kind: 'none' }
  | { kind: 'fire'; sinceMs: number; samples: MetricPoint[]; count: number }
  | { kind: 'resolve'; samples: readonly MetricPoint[] };

/** Consecutive samples that do not meet the condition before the incident is resolved. */
const CLEARS_NEEDED = 2;
const SAMPLES_MAX = 60;
const NONE: Outcome = { kind: 'none' };
export const FRESH: Progress = { phase: { state: 'ok' }, lastMs: null };

/** Returns the progress after a sample, which must be newer than those before, and what the caller must do. */
export function transition(
  { phase, lastMs }: Progress,
  sample: MetricPoint,
  condition: Condition,
): { progress: Progress; outcome: Outcome } {
  const isCovered = lastMs !== null && sample.atMs - lastMs <= condition.gapMs;
  const to = (next: Phase, outcome: Outcome = NONE) => ({ progress: { phase: next, lastMs: sample.atMs }, outcome });
  const isMet = meetsCondition(sample.value, condition);
  if (phase.state === 'firing') {
    if (isMet) return to({ state: 'firing', clears: [] });
    const clears = [...(isCovered ? phase.clears : []), sample];
    return clears.length < CLEARS_NEEDED
      ? to({ state: 'firing', clears })
      : to({ state: 'ok' }, { kind: 'resolve', samples: clears });
  }
  if (!isMet) return to({ state: 'ok' });
  const continues = phase.state === 'pending' && isCovered;
  const sinceMs = continues ? phase.sinceMs : sample.atMs;
  const evidence = withSample(continues ? phase.evidence : { kept: [], stride: 1, count: 0 }, sample);
  if (sample.atMs - sinceMs < condition.forMs) return to({ state: 'pending', sinceMs, evidence });
  const samples = shown(evidence, sample);
  return to({ state: 'firing', clears: [] }, { kind: 'fire', sinceMs, samples, count: evidence.count });
}

/** Returns the progress after samples from the history. They only lead to `pending`: the next sample fires. */
export function caughtUp(samples: readonly MetricPoint[], condition: Condition): Progress {
  const pending = { ...condition, forMs: Number.POSITIVE_INFINITY };
  return samples.reduce((progress, sample) => transition(progress, sample, pending).progress, FRESH);
}

/** Whether the samples would have resolved an incident that was open before them. */
export function wouldResolve(samples: readonly MetricPoint[], condition: Condition): boolean {
  let progress: Progress = { phase: { state: 'firing', clears: [] }, lastMs: null };
  for (const sample of samples) {
    const step = transition(progress, sample, condition);
    if (step.outcome.kind === 'resolve') return true;
    progress = step.progress;
  }
  return false;
}

export function meetsCondition(
  value: number,
  { operator, threshold }: Pick<Condition, 'operator' | 'threshold'>,
): boolean {
  switch (operator) {
    case '>':
      return value > threshold;
    case '>=':
      return value >= threshold;
    case '<':
      return value < threshold;
    case '<=':
      return value <= threshold;
  }
}

function withSample({ kept, stride, count }: Evidence, sample: MetricPoint): Evidence {
  if (count % stride !== 0) return { kept, stride, count: count + 1 };
  if (kept.length < SAMPLES_MAX - 1) return { kept: [...kept, sample], stride, count: count + 1 };
  const thinned = { kept: kept.filter((_, index) => index % 2 === 0), stride: stride * 2, count };
  return withSample(thinned, sample);
}

/** Returns the samples to show. The first and the last sample are always included. */
function shown({ kept }: Evidence, last: MetricPoint): MetricPoint[] {
  return kept.at(-1)?.atMs === last.atMs ? [...kept] : [...kept, last];
}
