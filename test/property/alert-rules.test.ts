import fc from 'fast-check';
import t from 'tap';
import { evaluateTrend, trendOf } from '../../control-plane/servers/rules/disk/trend.js';
import {
  type Condition,
  caughtUp,
  FRESH,
  meetsCondition,
  type Outcome,
  type Progress,
  transition,
} from '../../control-plane/servers/rules/metric/transition.js';
import type { MetricPoint } from '../../control-plane/servers/servers.js';

const INTERVAL = 10_000;
const MINUTE = 60_000;

/** The most samples that a decision records. */
const SHOWN_SAMPLES_MAX = 60;

/** Samples at the usual interval, with gaps. */
const samples = fc
  .array(
    fc.record({
      value: fc.oneof({ weight: 4, arbitrary: fc.constant(95) }, { weight: 1, arbitrary: fc.constant(20) }),
      skipped: fc.oneof({ weight: 12, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: 6 })),
    }),
    { maxLength: 150 },
  )
  .map((steps) => {
    let atMs = 0;
    return steps.map(({ value, skipped }): MetricPoint => {
      atMs += INTERVAL * (1 + skipped);
      return { atMs, value };
    });
  });
const condition = fc.integer({ min: 0, max: 30 }).map((tens) => ({
  operator: '>' as const,
  threshold: 90,
  forMs: tens * 10_000,
  gapMs: 3 * INTERVAL,
}));

/** The definition of a rule, evaluated from all samples so far. */
function slowFires(seen: readonly MetricPoint[], openedMs: number | null, over: Condition): boolean {
  const last = seen.at(-1);
  if (last === undefined || openedMs !== null) return false;
  let sinceMs = last.atMs;
  for (let index = seen.length - 1; index >= 0; index--) {
    const { atMs, value } = seen[index] as MetricPoint;
    const next = seen[index + 1];
    if (value <= over.threshold || (next !== undefined && next.atMs - atMs > over.gapMs)) break;
    sinceMs = atMs;
  }
  return last.value > over.threshold && last.atMs - sinceMs >= over.forMs;
}

function slowResolves(seen: readonly MetricPoint[], openedMs: number | null, over: Condition): boolean {
  const [before, last] = seen.slice(-2);
  if (openedMs === null || before === undefined || last === undefined || before.atMs <= openedMs) return false;
  return before.value <= over.threshold && last.value <= over.threshold && last.atMs - before.atMs <= over.gapMs;
}

function run(points: readonly MetricPoint[], over: Condition, from: Progress = FRESH): Outcome[] {
  let progress = from;
  return points.map((sample) => {
    const step = transition(progress, sample, over);
    progress = step.progress;
    return step.outcome;
  });
}

t.test('a rule fires and resolves according to its definition', async () => {
  fc.assert(
    fc.property(samples, condition, (points, over) => {
      let openedMs: number | null = null;
      const outcomes = run(points, over);
      for (const [index, outcome] of outcomes.entries()) {
        const seen = points.slice(0, index + 1);
        const expected = slowFires(seen, openedMs, over)
          ? 'fire'
          : slowResolves(seen, openedMs, over)
            ? 'resolve'
            : 'none';
        if (outcome.kind !== expected) throw new Error(`sample ${index}: ${outcome.kind}, not ${expected}`);
        if (expected === 'fire') openedMs = seen.at(-1)?.atMs ?? 0;
        if (expected === 'resolve') openedMs = null;
      }
    }),
    { numRuns: 2_000 },
  );
});

t.test('the decision records the samples in order, limited, with the first and the last one', async () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 600 }), (tens) => {
      const over = { operator: '>' as const, threshold: 90, forMs: tens * 10_000, gapMs: 3 * INTERVAL };
      const points = Array.from({ length: tens + 1 }, (_, index) => ({
        atMs: index * INTERVAL,
        value: 91 + index / 1e4,
      }));
      const fire = run(points, over).at(-1);
      if (fire?.kind !== 'fire') throw new Error('it does not fire');
      const times = fire.samples.map(({ atMs }) => atMs);
      const sorted = [...new Set(times)].sort((a, b) => a - b);
      if (fire.samples.length > SHOWN_SAMPLES_MAX || fire.count !== points.length) throw new Error('too many');
      if (String(sorted) !== String(times)) throw new Error('out of order');
      if (times[0] !== 0 || times.at(-1) !== tens * INTERVAL) throw new Error('an end is missing');
      if (tens >= SHOWN_SAMPLES_MAX && fire.samples.length < SHOWN_SAMPLES_MAX / 2) throw new Error('too few');
    }),
  );
});

t.test('a rule that is read again from the history continues as before', async () => {
  fc.assert(
    fc.property(samples, condition, fc.nat(), (points, over, at) => {
      const outcomes = run(points, over);
      const first = outcomes.findIndex(({ kind }) => kind === 'fire');
      const end = first < 0 ? points.length : first + 1;
      if (end === 0) return;
      const cut = at % end;
      const from = points[cut];
      if (from === undefined) return;
      const window = points.slice(0, cut).filter(({ atMs }) => atMs >= from.atMs - over.forMs - over.gapMs);
      const after = run(points.slice(cut, end), over, caughtUp(window, over));
      const kinds = (list: Outcome[]) => list.map(({ kind }) => kind).join();
      if (kinds(after) !== kinds(outcomes.slice(cut, end))) throw new Error(`${kinds(after)} after a cut at ${cut}`);
    }),
    { numRuns: 2_000 },
  );
});

t.test('operators', async (t) => {
  for (const [operator, below, at, above] of [
    ['>', false, false, true],
    ['>=', false, true, true],
    ['<', true, false, false],
    ['<=', true, true, false],
  ] as const) {
    const says = [89, 90, 91].map((value) => meetsCondition(value, { operator, threshold: 90 }));
    t.same(says, [below, at, above], operator);
  }
});

/** Minute averages of six hours. `noise` has numbers from -1 to 1. */
function hours(level: (hour: number) => number, noise: readonly number[] = [], minutes = 360): MetricPoint[] {
  return Array.from({ length: minutes }, (_, minute) => ({
    atMs: minute * MINUTE,
    value: Math.min(100, Math.max(0, level(minute / 60) + (noise[minute % noise.length] ?? 0))),
  }));
}
const noise = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 360, maxLength: 360 });
const says = (points: readonly MetricPoint[], withinHours = 24) => {
  const trend = trendOf(points);
  return trend === null ? 'unknown' : evaluateTrend(trend, withinHours);
};

t.test('a disk that fills up steadily fires when it will be full within the hours, and not much earlier', async () => {
  const fills = fc.record({
    percent: fc.double({ min: 20, max: 97, noNaN: true }),
    left: fc.double({ min: 1, max: 60, noNaN: true }),
    noise,
  });
  fc.assert(
    fc.property(fills, (fill) => {
      const rate = (100 - fill.percent) / fill.left;
      if (rate * 6 > fill.percent) return;
      const scatter = fill.noise.map((one) => one * rate * 0.3);
      const verdict = says(hours((hour) => fill.percent - rate * (6 - hour), scatter));
      if (fill.left <= 20 && verdict !== 'fires') throw new Error(`${verdict}: full in ${fill.left} h`);
      if (fill.left >= 28 && verdict === 'fires') throw new Error(`${verdict}: full in ${fill.left} h`);
      if (fill.left >= 35 && verdict !== 'clear') throw new Error(`${verdict}: full in ${fill.left} h`);
    }),
    { numRuns: 200 },
  );
});

t.test('noise around a level never fires', async () => {
  const levels = fc.record({
    percent: fc.double({ min: 5, max: 98.5, noNaN: true }),
    size: fc.double({ min: 0, max: 3, noNaN: true }),
    noise,
  });
  fc.assert(
    fc.property(levels, ({ percent, size, noise: values }) => {
      // A disk that noise brings to 99 % counts as full.
      const scatter = Math.min(size, 98.9 - percent);
      const verdict = says(
        hours(
          () => percent,
          values.map((one) => one * scatter),
        ),
        168,
      );
      if (verdict !== 'clear') throw new Error(verdict);
    }),
    { numRuns: 1_500 },
  );
});

t.test('a sawtooth pattern does not fire: logs that grow and are rotated', async () => {
  const teeth = fc.record({
    low: fc.double({ min: 5, max: 85, noNaN: true }),
    height: fc.double({ min: 0.5, max: 10, noNaN: true }),
    period: fc.double({ min: 0.2, max: 5, noNaN: true }),
    phase: fc.double({ min: 0, max: 1, noNaN: true }),
  });
  fc.assert(
    fc.property(teeth, ({ low, height, period, phase }) => {
      const verdict = says(hours((hour) => low + height * ((hour / period + phase) % 1)));
      if (verdict === 'fires') throw new Error(verdict);
    }),
    { numRuns: 1_000 },
  );
});

t.test('a jump does not fire: a large file was copied', async () => {
  const jumps = fc.record({
    percent: fc.double({ min: 5, max: 60, noNaN: true }),
    size: fc.double({ min: 1, max: 38, noNaN: true }),
    at: fc.double({ min: 0, max: 6, noNaN: true }),
    lasts: fc.double({ min: 0.01, max: 1.5, noNaN: true }),
    noise,
  });
  fc.assert(
    fc.property(jumps, ({ percent, size, at, lasts, noise: values }) => {
      const level = (hour: number) => percent + size * Math.min(1, Math.max(0, (hour - at) / lasts));
      const verdict = says(
        hours(
          level,
          values.map((one) => one * 0.05),
        ),
        168,
      );
      if (verdict === 'fires') throw new Error(verdict);
    }),
    { numRuns: 1_000 },
  );
});

t.test('growth that has just begun, has ended or is undone is no trend', async (t) => {
  const between = (from: number, to: number) => (hour: number) => Math.min(to, Math.max(from, hour)) - from;
  const begun = between(4, 6);
  t.equal(says(hours((hour) => 40 + 15 * begun(hour))), 'clear', 'a copy that began two hours ago');
  const ended = between(0, 4.6);
  t.equal(says(hours((hour) => 60 + 5 * ended(hour))), 'clear', 'a copy of half a day that has ended');
  t.equal(says(hours((hour) => 60 + 5 * hour)), 'fires', 'the same copy, not ended');
  const near = hours((hour) => 60 + 2 * hour);
  t.same(
    [15, 13, 12, 11].map((within) => says(near, within)),
    ['fires', 'keeps', 'keeps', 'clear'],
    'full in 14 h: an open incident stays open up to a quarter beyond the limit',
  );
  t.equal(says(hours((hour) => 60 + 5 * hour - (hour > 4 ? 15 : 0))), 'clear', 'most of it was deleted');
  const rotated = trendOf(hours((hour) => 60 + hour + 2 * (hour % 1)))?.growth;
  t.ok(Math.abs((rotated?.pointsPerHour ?? 0) - 1) < 0.1, 'a disk that fills behind logs that are rotated each hour');
});

t.test('a short history, or one with gaps, has no trend', async (t) => {
  const fill = (hour: number) => 70 + 4 * hour;
  t.equal(says(hours(fill)), 'fires');
  t.equal(says(hours(fill, [], 175)), 'unknown', 'less than three hours');
  t.equal(says(hours(fill, [], 185)), 'fires');
  t.equal(
    says(hours(fill).filter(({ atMs }) => atMs < 60 * MINUTE || atMs > 210 * MINUTE)),
    'unknown',
    'a gap of 2.5 h',
  );
  t.equal(says([]), 'unknown');
});

t.test('a disk that becomes full fires, and keeps its incident at 99 %', async (t) => {
  t.equal(says(hours((hour) => (hour < 2 ? 40 : 99.5))), 'fires', 'it filled up at once');
  t.equal(says(hours(() => 100)), 'keeps', 'always full: a read-only image');
  t.equal(says(hours(() => 98.9)), 'clear');
});
