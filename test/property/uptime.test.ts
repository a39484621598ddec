import fc from 'fast-check';
import t from 'tap';
import type { QuarantineSpan } from '../../control-plane/results/results.js';
import type { CoveringResult } from '../../control-plane/results/uptime/covering.js';
import { requiredDownVotes } from '../../control-plane/results/uptime/quorum.js';
import {
  NOTHING_OBSERVED,
  observedSegments,
  observedTime,
  type UptimeRule,
  uptimeWindow,
} from '../../control-plane/results/uptime/uptime.js';

/** The definition at one moment: the last result of each location, whether it still counts, and the state together. */
function slowState(results: readonly CoveringResult[], rule: UptimeRule, atMs: number): 'up' | 'down' | null {
  let up = 0;
  let down = 0;
  for (const location of new Set(results.map((result) => result.location))) {
    const earlier = results.filter((result) => result.location === location && result.slot_ms <= atMs);
    const latest = earlier.sort((a, b) => b.slot_ms - a.slot_ms || b.attempt - a.attempt)[0];
    if (latest === undefined || atMs >= latest.slot_ms + latest.covers_ms) continue;
    const spans = rule.quarantines.get(location) ?? [];
    if (spans.some((span) => atMs >= span.from_ms && (span.to_ms === null || latest.slot_ms < span.to_ms))) continue;
    if (rule.pauses_ms.some((pause) => latest.slot_ms < pause + 5_000 && atMs >= pause)) continue;
    if (latest.up) up++;
    else down++;
  }
  if (down >= requiredDownVotes(rule.assigned, up + down, rule.confirmations)) return 'down';
  return up > 0 ? 'up' : null;
}

const location = fc.constantFrom('fra', 'nyc', 'sin');
const result: fc.Arbitrary<CoveringResult> = fc.record({
  location,
  // Tenths of seconds, so that results are often adjacent, equal or overlapping.
  slot_ms: fc.integer({ min: 0, max: 400 }).map((tenths) => tenths * 100),
  attempt: fc.integer({ min: 0, max: 2 }),
  covers_ms: fc.integer({ min: 0, max: 150 }).map((tenths) => tenths * 100),
  up: fc.boolean(),
});
const results = fc
  .uniqueArray(result, { maxLength: 25, selector: (one) => `${one.location}/${one.slot_ms}/${one.attempt}` })
  .map((list) => list.sort((a, b) => a.slot_ms - b.slot_ms || a.attempt - b.attempt));
/** The spans of one location: separate or adjacent, the last one possibly without an end. */
const spans: fc.Arbitrary<QuarantineSpan[]> = fc
  .tuple(fc.array(fc.integer({ min: 0, max: 450 }), { maxLength: 5 }), fc.boolean())
  .map(([tenths, open]) => {
    const edges = tenths.sort((a, b) => a - b).map((tenth) => tenth * 100);
    const pairs: QuarantineSpan[] = [];
    for (let index = 0; index + 1 < edges.length; index += 2) {
      pairs.push({ from_ms: edges[index] ?? 0, to_ms: edges[index + 1] ?? 0 });
    }
    if (open) pairs.push({ from_ms: edges.at(-1) ?? 0, to_ms: null });
    return pairs;
  });
const rule: fc.Arbitrary<UptimeRule> = fc.record({
  quarantines: fc.dictionary(location, spans, { maxKeys: 2 }).map((by) => new Map(Object.entries(by))),
  assigned: fc.integer({ min: 1, max: 5 }),
  confirmations: fc.option(fc.integer({ min: 1, max: 4 }), { nil: null }),
  pauses_ms: fc
    .array(
      fc.integer({ min: 0, max: 450 }).map((tenths) => tenths * 100),
      { maxLength: 3 },
    )
    .map((list) => list.sort((a, b) => a - b)),
  leftOut: fc.uniqueArray(fc.integer({ min: 0, max: 500 }), { maxLength: 8 }).map(leavingOut),
});

/** What maintenance leaves out: every second time between these tenths of seconds. */
function leavingOut(tenths: number[]): UptimeRule['leftOut'] {
  const edges = tenths.sort((a, b) => a - b).map((tenth) => tenth * 100);
  const pairs = edges.flatMap((from_ms, index) => {
    const to_ms = edges[index + 1];
    return index % 2 === 1 || to_ms === undefined ? [] : [{ from_ms, to_ms }];
  });
  return (fromMs, toMs) => pairs.filter(({ from_ms, to_ms }) => to_ms > fromMs && from_ms < toMs);
}

t.test('observed and up time equal a sum over every moment', async (t) => {
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(
        results,
        rule,
        fc.integer({ min: 0, max: 300 }),
        fc.integer({ min: 0, max: 300 }),
        (list, how, a, b) => {
          const fromMs = Math.min(a, b) * 100;
          const toMs = Math.max(a, b) * 100 + 20_000;
          let observed_ms = 0;
          let up_ms = 0;
          let left_out_ms = 0;
          for (let atMs = fromMs; atMs < toMs; atMs += 100) {
            const state = slowState(list, how, atMs);
            const isLeftOut = how.leftOut(atMs, atMs + 1).length > 0;
            if (isLeftOut && state !== null) left_out_ms += 100;
            if (!isLeftOut && state !== null) observed_ms += 100;
            if (!isLeftOut && state === 'up') up_ms += 100;
          }
          const segments = observedSegments(list, how, fromMs, toMs);
          const time = observedTime(segments, fromMs, toMs);
          if (time.observed_ms !== observed_ms || time.up_ms !== up_ms || time.left_out_ms !== left_out_ms)
            throw new Error(`${JSON.stringify(time)} differs`);
        },
      ),
      { numRuns: 400 },
    ),
  );
});

t.test('splitting a window does not change the sums, and results outside of it do not count', async (t) => {
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(results, rule, fc.array(fc.integer({ min: 0, max: 600 }), { maxLength: 6 }), (list, how, cuts) => {
        const segments = observedSegments(list, how, 0, 60_000);
        const whole = observedTime(segments, 0, 60_000);
        const edges = [0, ...cuts.map((cut) => cut * 100).sort((a, b) => a - b), 60_000];
        let observed_ms = 0;
        let up_ms = 0;
        for (let index = 1; index < edges.length; index++) {
          const from = edges[index - 1] ?? 0;
          const to = edges[index] ?? 0;
          const part = observedTime(observedSegments(list, how, from, to), from, to);
          observed_ms += part.observed_ms;
          up_ms += part.up_ms;
        }
        if (observed_ms !== whole.observed_ms || up_ms !== whole.up_ms) throw new Error('parts differ from the whole');
      }),
      { numRuns: 300 },
    ),
  );
});

t.test('segments are in order, separate, inside the window and not empty', async (t) => {
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(results, rule, (list, how) => {
        let endMs = 5_000;
        for (const segment of observedSegments(list, how, 5_000, 30_000)) {
          if (segment.from_ms < endMs || segment.to_ms <= segment.from_ms || segment.to_ms > 30_000) {
            throw new Error(JSON.stringify(segment));
          }
          endMs = segment.to_ms;
        }
      }),
    ),
  );
});

t.test('percentage and coverage', async (t) => {
  const day = 86_400_000;
  t.strictSame(uptimeWindow(NOTHING_OBSERVED, day), { uptime: null, coverage: 0, left_out_ms: 0 });
  const shown = (observed_ms: number, up_ms: number, left_out_ms: number, windowMs: number) =>
    uptimeWindow({ observed_ms, up_ms, left_out_ms }, windowMs);
  t.match(shown(day, day, 0, day), { uptime: 100, coverage: 100 });
  t.match(shown(3_600_000, 2_700_000, 0, day), { uptime: 75, coverage: 4.1667 });
  t.match(shown(30 * day, 30 * day - 1, 0, 30 * day), { uptime: 99.9999, coverage: 100 });
  const halfLeftOut = { uptime: 50, coverage: 100, left_out_ms: day / 2 };
  t.strictSame(shown(day / 2, day / 4, day / 2, day), halfLeftOut, 'what is left out was observed');
});
