import t from 'tap';
import { browserModule } from '../../helpers/dashboard/browser-module.js';

type Value = number | null | undefined;
interface Series {
  label: string;
  values: Value[];
}

const { linesOf, figuresOf, shownIndexes } = await browserModule<{
  linesOf(series: Series[], labelOfOthers: (count: number) => string): Series[];
  figuresOf(values: Value[], from: number, to: number): { last: Value; median: Value; p95: Value };
  shownIndexes(times: number[], fromMs: number, toMs: number): [number, number];
}>('components/chart/lines.ts');
const { aligned } = await browserModule<{
  aligned(
    all: { label: string; points: { t: string; v: number }[] }[],
    stepMs: number,
  ): { times: number[]; series: Series[] };
}>('components/chart/align.ts');
const { nextIndex } = await browserModule<{
  nextIndex(key: string, reading: { shown: [number, number]; at: number | null }): number | null;
}>('components/chart/reading.ts');

const MINUTE_MS = 60_000;
const at = (minute: number, v: number) => ({ t: new Date(minute * MINUTE_MS).toISOString(), v });

t.test('missing buckets become gaps, and times of other lines do not', (t) => {
  const fra = { label: 'fra', points: [at(0, 1), at(1, 2), at(4, 3), at(5, 4)] };
  const nyc = { label: 'nyc', points: [at(0.5, 7), at(1.5, 8)] };
  const { times, series } = aligned([fra, nyc], MINUTE_MS);
  t.same(
    times.map((ms) => ms / MINUTE_MS),
    [0, 0.5, 1, 1.5, 2, 4, 5],
  );
  t.same(series[0]?.values, [1, undefined, 2, undefined, null, 3, 4], 'two minutes are missing');
  t.equal(series[1]?.values[2], undefined, 'the other line goes on');
  t.equal(series[1]?.values.at(-1), null, 'a line ends with its last point');
  t.end();
});

t.test('checks that come a little late make no gap, and two at the same time are one', (t) => {
  const { times, series } = aligned(
    [{ label: 'fra', points: [at(0, 1), at(1.4, 2), at(1.4, 9), at(2.1, 3)] }],
    MINUTE_MS,
  );
  t.equal(times.length, 3);
  t.same(series[0]?.values, [1, 2, 3]);
  t.end();
});

t.test('of more than eight lines, the worst seven stay and the others are one', (t) => {
  const series = Array.from({ length: 10 }, (_, index) => ({ label: `l${index}`, values: [index, null, index * 2] }));
  const lines = linesOf(series, (count) => `${count} others`);
  t.same(
    lines.map(({ label }) => label),
    ['l3', 'l4', 'l5', 'l6', 'l7', 'l8', 'l9', '3 others'],
  );
  t.same(lines.at(-1)?.values, [1, null, 2], 'their median');
  t.equal(linesOf(series.slice(0, 8), String).length, 8, 'eight lines stay as they are');
  t.end();
});

t.test('the figures are those of what is shown', (t) => {
  const values = [500, ...Array.from({ length: 100 }, (_, index) => index + 1), null, undefined];
  const shown = shownIndexes(
    values.map((_, index) => index * 10),
    5,
    1_020,
  );
  t.same(shown, [1, 103]);
  t.same(figuresOf(values, ...shown), { last: 100, median: 50, p95: 95 });
  t.same(figuresOf([null], 0, 1), { last: null, median: null, p95: null });
  t.end();
});

t.test('keys go through the values that are shown', (t) => {
  const shown: [number, number] = [10, 40];
  const go = (key: string, from: number | null) => nextIndex(key, { shown, at: from });
  t.equal(go('ArrowRight', null), 10, 'the first one');
  t.equal(go('ArrowLeft', null), 39, 'the last one');
  t.equal(go('ArrowRight', 39), 39, 'it ends there');
  t.equal(go('ArrowLeft', 11), 10);
  t.equal(go('PageDown', 12), 22);
  t.equal(go('PageUp', 12), 10);
  t.equal(go('Home', 20), 10);
  t.equal(go('End', 20), 39);
  t.equal(go('ArrowLeft', 99), 39, 'the cursor was in another range');
  t.equal(go('Tab', 20), null, 'other keys keep their meaning');
  t.equal(nextIndex('Home', { shown: [3, 3], at: null }), null, 'nothing is shown');
  t.end();
});
