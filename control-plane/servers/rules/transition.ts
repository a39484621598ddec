import type { Operator } from '../../alert-rules/documents.js';
import type { MetricPoint } from '../servers.js';

/**
 * Where a rule stands with one server.
 * - `ok`: nothing is wrong.
 * - `pending`: every sample since `sinceMs` breaks the rule, not yet for long enough.
 * - `firing`: it did, and an incident is open. `clears` are the newest samples if they no longer break it.
 */
export type Phase =
  | { state: 'ok' }
  | { state: 'pending'; sinceMs: number; evidence: Evidence }
  | { state: 'firing'; clears: readonly MetricPoint[] };

export interface Progress {
  phase: Phase;
  /** Time of the newest sample that was looked at; null before the first. */
  lastMs: number | null;
}

/** Samples in order, of many an even choice. */
export interface Evidence {
  kept: readonly MetricPoint[];
  /** Each so manieth is kept. */
  stride: number;
  /** How many there were. */
  count: number;
}

export interface Condition {
  operator: Operator;
  threshold: number;
  /** Samples must break it for so long; 0: one sample does. */
  forMs: number;
  /** Between two samples that are further apart nothing is known. */
  gapMs: number;
}

export type Outcome =
  | { kind: 'none' }
  | { kind: 'fire'; sinceMs: number; samples: MetricPoint[]; count: number }
  | { kind: 'resolve'; samples: readonly MetricPoint[] };

/** Samples in a row that no longer break a rule before it is over. */
const CLEARS_NEEDED = 2;
export const SAMPLES_MAX = 60;
const NONE: Outcome = { kind: 'none' };
export const FRESH: Progress = { phase: { state: 'ok' }, lastMs: null };

/** Takes one sample, newer than those before. Pure. What a `fire` or a `resolve` asks for is up to the caller. */
export function transition(
  { phase, lastMs }: Progress,
  sample: MetricPoint,
  condition: Condition,
): { progress: Progress; outcome: Outcome } {
  const isCovered = lastMs !== null && sample.atMs - lastMs <= condition.gapMs;
  const to = (next: Phase, outcome: Outcome = NONE) => ({ progress: { phase: next, lastMs: sample.atMs }, outcome });
  const breaks = isBroken(sample.value, condition);
  if (phase.state === 'firing') {
    if (breaks) return to({ state: 'firing', clears: [] });
    const clears = [...(isCovered ? phase.clears : []), sample];
    return clears.length < CLEARS_NEEDED
      ? to({ state: 'firing', clears })
      : to({ state: 'ok' }, { kind: 'resolve', samples: clears });
  }
  if (!breaks) return to({ state: 'ok' });
  const goesOn = phase.state === 'pending' && isCovered;
  const sinceMs = goesOn ? phase.sinceMs : sample.atMs;
  const evidence = withSample(goesOn ? phase.evidence : { kept: [], stride: 1, count: 0 }, sample);
  if (sample.atMs - sinceMs < condition.forMs) return to({ state: 'pending', sinceMs, evidence });
  const samples = shown(evidence, sample);
  return to({ state: 'firing', clears: [] }, { kind: 'fire', sinceMs, samples, count: evidence.count });
}

/** Where the samples lead when nothing may fire: as far as `pending`. For what was missed. */
export function caughtUp(samples: readonly MetricPoint[], condition: Condition): Progress {
  const patient = { ...condition, forMs: Number.POSITIVE_INFINITY };
  return samples.reduce((progress, sample) => transition(progress, sample, patient).progress, FRESH);
}

/** Whether the samples would have ended an incident that was open before them. */
export function wouldResolve(samples: readonly MetricPoint[], condition: Condition): boolean {
  let progress: Progress = { phase: { state: 'firing', clears: [] }, lastMs: null };
  for (const sample of samples) {
    const step = transition(progress, sample, condition);
    if (step.outcome.kind === 'resolve') return true;
    progress = step.progress;
  }
  return false;
}

export function isBroken(value: number, { operator, threshold }: Pick<Condition, 'operator' | 'threshold'>): boolean {
  switch (operator) {
    case '>':
    case 'gt':
      return value > threshold;
    case '>=':
    case 'gte':
      return value >= threshold;
    case '<':
    case 'lt':
      return value < threshold;
    case '<=':
    case 'lte':
      return value <= threshold;
  }
}

function withSample({ kept, stride, count }: Evidence, sample: MetricPoint): Evidence {
  if (count % stride !== 0) return { kept, stride, count: count + 1 };
  if (kept.length < SAMPLES_MAX - 1) return { kept: [...kept, sample], stride, count: count + 1 };
  const thinned = { kept: kept.filter((_, index) => index % 2 === 0), stride: stride * 2, count };
  return withSample(thinned, sample);
}

/** The first and the last are always among them. */
function shown({ kept }: Evidence, last: MetricPoint): MetricPoint[] {
  return kept.at(-1)?.atMs === last.atMs ? [...kept] : [...kept, last];
}
