import fc from 'fast-check';
import t from 'tap';
import { mergeIntoHead, type RollupHead } from '../../../control-plane/results/rollup/head.js';
import { addResult, addSlot, emptySlot, type HistorySlot } from '../../../control-plane/results/rollup/history-slot.js';
import {
  packResults,
  packSlot,
  unpackResults,
  unpackSlot,
} from '../../../control-plane/results/rollup/packed-slots.js';
import { bySlot, type RolledResult } from '../../../control-plane/results/rollup/rolled-result.js';
import { HOUR_MS, MINUTE_MS } from '../../../control-plane/results/rollup/slots.js';
import { addToSums, summaryOf, sumsAreDue, sumsOf } from '../../../control-plane/results/uptime/sums.js';
import { NOTHING_OBSERVED } from '../../../control-plane/results/uptime/uptime.js';
import { chooseResolution } from '../../../control-plane/retention/resolution.js';
import { hoursExpireAt, keptMs, minutesExpireAt, rawExpiresAt } from '../../../control-plane/retention/retention.js';

const BASE = Date.UTC(2026, 0, 31, 12);
const DAY_MS = 24 * HOUR_MS;
const result: fc.Arbitrary<RolledResult> = fc.record({
  location: fc.constantFrom('fra', 'nyc', 'sin'),
  slot_ms: fc.integer({ min: -DAY_MS, max: HOUR_MS }).map((offset) => BASE + offset),
  attempt: fc.integer({ min: 0, max: 5 }),
  covers_ms: fc.integer({ min: 0, max: DAY_MS }),
  up: fc.boolean(),
  response_us: fc.integer({ min: 0, max: 600_000_000 }),
});
const slotOf = (results: readonly RolledResult[]): HistorySlot => {
  const slot = emptySlot();
  for (const one of results) addResult(slot, one);
  return slot;
};
const entries = (slot: HistorySlot) => [slot.observed_ms, slot.up_ms, slot.left_out_ms, [...slot.locations].sort()];

t.test('unpacking restores what was packed', async (t) => {
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(
        fc.uniqueArray(result, { selector: (one) => `${one.slot_ms}/${one.location}/${one.attempt}` }),
        (list) => {
          const sorted = [...list].sort(bySlot);
          const back = unpackResults(packResults(sorted, BASE), BASE);
          if (JSON.stringify(back) !== JSON.stringify(sorted)) throw new Error('results differ');
          const slot = { ...slotOf(list), observed_ms: 60_000, up_ms: 59_999, left_out_ms: list.length };
          const again = unpackSlot(packSlot(slot));
          if (JSON.stringify(entries(again)) !== JSON.stringify(entries(slot))) throw new Error('slot differs');
        },
      ),
    ),
  );
});

t.test('a sum of slots equals the slot of all their results', async (t) => {
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(fc.array(fc.array(result)), (lists) => {
        const sum = emptySlot();
        for (const list of lists) addSlot(sum, slotOf(list));
        if (JSON.stringify(entries(sum)) !== JSON.stringify(entries(slotOf(lists.flat())))) throw new Error('differs');
      }),
    ),
  );
});

t.test('response times count successful checks only', async (t) => {
  const good = (response_us: number) => ({
    location: 'fra',
    slot_ms: BASE,
    attempt: 0,
    covers_ms: 0,
    up: true,
    response_us,
  });
  const bad = { ...good(1), up: false };
  t.strictSame(slotOf([bad]).locations.get('fra'), { count: 1, failed: 1, sum_us: 0, min_us: 0, max_us: 0 });
  t.strictSame(slotOf([bad, good(500), good(200), bad, good(900)]).locations.get('fra'), {
    count: 5,
    failed: 2,
    sum_us: 1_600,
    min_us: 200,
    max_us: 900,
  });
});

t.test('auto selects the finest resolution that fits and is kept', async (t) => {
  const pick = (days: number, over: Partial<Parameters<typeof chooseResolution>[0]> = {}) =>
    chooseResolution({
      requested: 'auto',
      fromMs: BASE - days * DAY_MS,
      toMs: BASE,
      nowMs: BASE,
      rawPeriodMs: 12_000,
      kept: keptMs('Enterprise'),
      ...over,
    });
  t.equal(pick(1 / 24), 'raw');
  t.equal(pick(1_500 / 7_200), 'raw', 'exactly 1,500 points');
  t.equal(pick(1_501 / 7_200), '1m');
  t.equal(pick(1), '1m');
  t.equal(pick(1_500 / 288), '5m');
  t.equal(pick(6), '1h');
  t.equal(pick(700), '1h', 'more than 1,500 points, but there is no coarser resolution');
  t.equal(
    pick(1 / 24, { fromMs: BASE - 31 * DAY_MS, toMs: BASE - 31 * DAY_MS + HOUR_MS }),
    '1m',
    'raw results have expired',
  );
  t.equal(
    pick(1 / 24, { fromMs: BASE - 91 * DAY_MS, toMs: BASE - 91 * DAY_MS + HOUR_MS }),
    '1h',
    'minutes have expired',
  );
  t.equal(pick(2, { kept: keptMs('Free'), rawPeriodMs: 3_600_000 }), '5m');
  t.equal(pick(30, { requested: '1m' }), '1m', 'a resolution that is requested by name may have more points');
  t.equal(pick(60, { requested: '1m' }), null, 'but not without limit');
});

t.test('expiry follows the plan, with extra time for raw results to be rolled up again', async (t) => {
  t.same(rawExpiresAt('Free', BASE), new Date(BASE + 26 * HOUR_MS));
  t.same(minutesExpireAt('Free', BASE), new Date(BASE + 7 * DAY_MS + HOUR_MS));
  t.same(hoursExpireAt('Pro', BASE), new Date(BASE + 366 * DAY_MS));
});

t.test('sums follow the windows: new observations are added, and what leaves a window is subtracted', async (t) => {
  const hours = new Map(
    Array.from({ length: 720 }, (_, index) => {
      const down = index === 720 - 24;
      return [
        BASE - (720 - index) * HOUR_MS,
        { observed_ms: HOUR_MS, up_ms: down ? HOUR_MS / 2 : HOUR_MS, left_out_ms: 0 },
      ];
    }),
  );
  const sums = sumsOf(hours, BASE, NOTHING_OBSERVED);
  const still = summaryOf(sums, NOTHING_OBSERVED, BASE);
  t.match(still.day, { uptime: 97.9166, coverage: 100 });
  t.match(still.month, { uptime: 99.9305, coverage: 100 });
  const half = addToSums(sums, { observed_ms: HOUR_MS / 4, up_ms: HOUR_MS / 4, left_out_ms: 0 });
  const later = summaryOf(
    half ?? sums,
    { observed_ms: HOUR_MS / 4, up_ms: HOUR_MS / 4, left_out_ms: 0 },
    BASE + HOUR_MS / 2,
  );
  t.match(later.day, { uptime: 98.9583, coverage: 100 }, 'half of the hour with downtime has left the day');
  const hour = summaryOf(sums, { observed_ms: HOUR_MS, up_ms: HOUR_MS, left_out_ms: 0 }, BASE + HOUR_MS);
  t.match(hour.day, { uptime: 100, coverage: 100 });
  t.ok(sumsAreDue(null, BASE, 0));
  t.notOk(sumsAreDue(sums, BASE + HOUR_MS, 0.5));
  t.ok(sumsAreDue(sums, BASE + 1.5 * HOUR_MS, 0.5));
});

t.test('a head merges each result once and refuses results from before its horizon', async (t) => {
  const rule = { assigned: 1, confirmations: null, pauses_ms: [], quarantines: new Map(), leftOut: () => [] };
  const at = (slotMs: number): RolledResult => ({
    location: 'fra',
    slot_ms: slotMs,
    attempt: 0,
    covers_ms: MINUTE_MS,
    up: true,
    response_us: 10,
  });
  const start: RollupHead = { through_ms: BASE, horizon_ms: BASE, recent: [], sums: null };
  const first = mergeIntoHead(start, [at(BASE), at(BASE), at(BASE + MINUTE_MS)], rule, BASE + 10 * MINUTE_MS);
  t.equal(first?.head.through_ms, BASE + 10 * MINUTE_MS);
  t.strictSame([...(first?.hours[0]?.minutes.keys() ?? [])], [BASE, BASE + MINUTE_MS]);
  t.equal(first?.hours[0]?.minutes.get(BASE)?.locations.get('fra')?.count, 1);
  if (first === null) return;
  const again = mergeIntoHead(first.head, [at(BASE + 8 * MINUTE_MS)], rule, BASE + 10 * MINUTE_MS);
  t.strictSame([...(again?.hours[0]?.minutes.keys() ?? [])], [BASE + 8 * MINUTE_MS, BASE + 9 * MINUTE_MS]);
  t.equal(
    again?.hours[0]?.minutes.get(BASE + 9 * MINUTE_MS),
    null,
    'everything from the minute of the result on is written again',
  );
  t.equal(mergeIntoHead(first.head, [at(BASE + 6 * MINUTE_MS)], rule, BASE + 10 * MINUTE_MS), null);
});
