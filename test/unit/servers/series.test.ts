import fc from 'fast-check';
import t from 'tap';
import { isoTimes } from '../../../control-plane/retention/iso-times.js';
import { packBlock, unpackBlock } from '../../../control-plane/servers/history/pack-series.js';
import { pointsOf } from '../../../control-plane/servers/history/points.js';
import {
  foldBlock,
  mergeBlocks,
  replaceSlots,
  type SeriesBlock,
} from '../../../control-plane/servers/history/series-block.js';
import type { Sample } from '../../../control-plane/servers/samples/decode.js';
import { toIso } from '../../../kernel/clock.js';
import { blockOfSamples } from '../../helpers/servers/history.js';

const HOUR = Date.UTC(2026, 0, 31, 12);
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const SERIES = ['cpu_percent', 'load_1', 'mem_used_bytes', 'disk_used_percent:/var', 'disk_used_percent:/mnt/größe'];
const all = () => true;
const NO_LIMITS = { slots: Number.POSITIVE_INFINITY, points: Number.POSITIVE_INFINITY };
const sample = (offsetMs: number, values: Record<string, number>): Sample => ({
  atMs: HOUR + offsetMs,
  values: new Map(Object.entries(values)),
});
const plain = ({ times, counts, series }: SeriesBlock) => ({
  times: [...times],
  counts: [...counts],
  series: [...series]
    .map(([name, one]) => ({ name, counts: [...one.counts], sums: [...one.sums] }))
    .sort((a, b) => (a.name < b.name ? -1 : 1)),
});
const there = (block: SeriesBlock, fromMs = 0, toMs = Number.MAX_SAFE_INTEGER) =>
  Object.fromEntries(
    pointsOf(block.times.length === 0 ? [] : [block], fromMs, toMs, ({ times }) => (slot, value) => [
      (times[slot] as number) - HOUR,
      value,
    ]),
  );
const packed = (block: SeriesBlock, wants: (series: string) => boolean = all) => unpackBlock(packBlock(block), wants);

/** Any number of samples within an hour, each with some of the series, with typical and with huge values. */
const samples = fc.uniqueArray(fc.integer({ min: 0, max: HOUR_MS - 1 }), { maxLength: 60 }).chain((offsets) =>
  fc.tuple(
    ...offsets.map((offset) =>
      fc
        .dictionary(
          fc.constantFrom(...SERIES),
          fc.oneof(
            fc.integer({ min: 0, max: 10_000 }).map((hundredths) => hundredths / 100),
            fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }),
          ),
        )
        .map((values) => sample(offset, values)),
    ),
  ),
);

t.test('unpacking restores gaps, huge values, and devices with any name', async (t) => {
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(samples, (given) => {
        const block = blockOfSamples(given, all);
        t.strictSame(plain(packed(block)), plain(block));
        for (const stepMs of [MINUTE_MS, HOUR_MS]) {
          const folded = foldBlock(block, stepMs);
          if ([...folded.series.values()].some(({ sums }) => sums.some((sum) => sum > Number.MAX_SAFE_INTEGER)))
            continue;
          t.strictSame(plain(packed(folded)), plain(folded));
        }
      }),
      { numRuns: 300 },
    ),
  );
});

t.test('sums beyond exact doubles are restored to within a millionth', async (t) => {
  const huge = Array.from({ length: 40 }, (_, at) => sample(at * 1_000, { mem_used_bytes: 2 ** 53 - 1 - at * 12_345 }));
  const folded = foldBlock(blockOfSamples(huge, all), HOUR_MS);
  const [before, after] = [folded, packed(folded)].map(({ series }) => series.get('mem_used_bytes')?.sums[0] ?? 0);
  t.ok(Math.abs((after ?? 0) / (before ?? 1) - 1) < 1e-6);
});

t.test(
  'a steady series takes a byte a sample, one that never moves as little, a full one no list of gaps',
  async (t) => {
    const steady = Array.from({ length: 360 }, (_, at) =>
      sample(at * 10_000 + (at % 7), { cpu_percent: 20 + (at % 5) / 10, processes: 120 }),
    );
    const { slots, columns } = packBlock(blockOfSamples(steady, all));
    t.ok(slots.length < 380, `${slots.length} bytes for 360 times`);
    t.ok((columns['cpu_percent']?.length ?? 0) < 370);
    t.equal(columns['processes']?.length, 360 + 1 + 2, 'name, flag, one first value of two bytes and then zeros');
  },
);

t.test('only the wanted series are read, and invalid bytes are refused', async (t) => {
  const block = blockOfSamples(
    [sample(0, { cpu_percent: 1, 'disk_used_percent:/': 2, 'disk_used_percent:/var': 3, disk_used_percent: 3 })],
    all,
  );
  t.strictSame(there(packed(block, (name) => name === 'disk_used_percent:/var')), {
    'disk_used_percent:/var': [[0, 3]],
  });
  const whole = packBlock(block);
  const column = whole.columns['disk_used_percent'] ?? new Uint8Array();
  for (let length = 1; length < column.length; length++) {
    const cut = { ...whole, columns: { disk_used_percent: column.slice(0, length) } };
    // A truncation between two series looks like their end.
    try {
      t.ok(unpackBlock(cut, all).series.size < 3);
    } catch (error) {
      t.ok(error instanceof RangeError, `cut after ${length}`);
    }
  }
  for (let length = 0; length < whole.slots.length; length++) {
    t.throws(() => unpackBlock({ ...whole, slots: whole.slots.slice(0, length) }, all), RangeError);
  }
  t.throws(() => unpackBlock({ ...whole, slots: Uint8Array.of(9, 0, 0, 0) }, all), { message: /version 9/ });
});

t.test('merging keeps each time once, in order, and returns the same block if nothing is added', async (t) => {
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(samples, samples, (some, others) => {
        const [first, second] = [blockOfSamples(some, all), blockOfSamples(others, all)];
        const known = new Set(first.times);
        const news = others.filter(({ atMs }) => !known.has(atMs));
        const merged = mergeBlocks(first, second, NO_LIMITS);
        t.strictSame(there(merged), there(blockOfSamples([...some, ...news], all)));
        t.equal(mergeBlocks(merged, second, NO_LIMITS), merged);
      }),
      { numRuns: 200 },
    ),
  );
  const twice = blockOfSamples([sample(0, { load_1: 1 }), sample(0, { load_1: 2 })], all);
  t.strictSame(there(twice), { load_1: [[0, 1]] });
});

t.test('coarser slots are averages of all their samples, in any order of folding', async (t) => {
  const given = [
    sample(0, { cpu_percent: 10, load_1: 0.05 }),
    sample(10_000, { cpu_percent: 20.01, load_1: 0.06 }),
    sample(70_000, { cpu_percent: 40 }),
    sample(30 * MINUTE_MS, { load_1: 9 }),
  ];
  const minutes = foldBlock(blockOfSamples(given, all), MINUTE_MS);
  t.strictSame(minutes.counts, [2, 1, 1]);
  t.strictSame(there(minutes), {
    cpu_percent: [
      [0, 15.01],
      [60_000, 40],
    ],
    load_1: [
      [0, 0.06],
      [30 * MINUTE_MS, 9],
    ],
  });
  const hour = { cpu_percent: [[0, 23.34]], load_1: [[0, 3.04]] };
  t.strictSame(there(foldBlock(minutes, HOUR_MS)), hour);
  t.strictSame(there(foldBlock(foldBlock(packed(minutes), 5 * MINUTE_MS), HOUR_MS)), hour, 'not averages of averages');
});

t.test('a part of a block is replaced with all its series', async (t) => {
  const day = (hour: number, values: Record<string, number>) => sample(hour * HOUR_MS, values);
  const block = blockOfSamples(
    [0, 1, 2].map((hour) => day(hour, { load_1: hour, load_5: 7 })),
    all,
  );
  const by = blockOfSamples([day(1, { load_1: 5, load_15: 6 })], all);
  t.strictSame(there(replaceSlots(block, by, [HOUR + HOUR_MS, HOUR + 2 * HOUR_MS], NO_LIMITS)), {
    load_1: [
      [0, 0],
      [HOUR_MS, 5],
      [2 * HOUR_MS, 2],
    ],
    load_5: [
      [0, 7],
      [2 * HOUR_MS, 7],
    ],
    load_15: [[HOUR_MS, 6]],
  });
  t.strictSame(there(replaceSlots(null, by, [HOUR, HOUR + HOUR_MS], NO_LIMITS)), there(by));
});

t.test('points end at the end of the range', async (t) => {
  const block = blockOfSamples(
    [0, 1, 2, 3].map((at) => sample(at * 1_000, { load_1: at })),
    all,
  );
  t.strictSame(there(block, HOUR + 1_000, HOUR + 3_000), {
    load_1: [
      [1_000, 1],
      [2_000, 2],
    ],
  });
  t.strictSame(there(block, HOUR + 5_000), {});
});

t.test('formatting many times equals formatting each of them', async (t) => {
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 4e12 })), (times) => {
        const sorted = times.flatMap((time) => [time, time - (time % MINUTE_MS)]).sort((a, b) => a - b);
        t.strictSame(isoTimes(sorted), sorted.map(toIso));
      }),
    ),
  );
});
