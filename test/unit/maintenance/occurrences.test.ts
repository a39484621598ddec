import t from 'tap';
import { nextOccurrences, spansOf } from '../../../control-plane/maintenance/schedule/occurrences.js';

const MINUTE = 60_000;

const repeating = (cron: string, time_zone: string, duration_minutes = 60) => ({
  ...{ starts_at_ms: 0, ends_at_ms: null, extension: null, cut: null },
  recurrence: { cron, time_zone, duration_minutes },
});

const begins = (cron: string, zone: string, from: string, count = 3) =>
  nextOccurrences(repeating(cron, zone), Date.parse(from), count).map(({ from_ms }) => new Date(from_ms).toISOString());

t.test('a time that clocks skip begins as much later as they skip', async (t) => {
  t.same(begins('30 2 * * *', 'Europe/Berlin', '2026-03-28T00:00:00Z'), [
    '2026-03-28T01:30:00.000Z',
    '2026-03-29T01:30:00.000Z',
    '2026-03-30T00:30:00.000Z',
  ]);
  t.same(begins('30 2 * * *', 'America/New_York', '2026-03-08T00:00:00Z', 2), [
    '2026-03-08T07:30:00.000Z',
    '2026-03-09T06:30:00.000Z',
  ]);
  t.same(
    begins('0 2 * * *', 'Australia/Lord_Howe', '2026-10-03T00:00:00Z', 2),
    ['2026-10-03T15:30:00.000Z', '2026-10-04T15:00:00.000Z'],
    'there by half an hour',
  );
});

t.test('a time that occurs twice begins the first time, once', async (t) => {
  t.same(begins('30 2 * * *', 'Europe/Berlin', '2026-10-24T12:00:00Z', 2), [
    '2026-10-25T00:30:00.000Z',
    '2026-10-26T01:30:00.000Z',
  ]);
  t.same(begins('30 1 * * *', 'America/New_York', '2026-11-01T00:00:00Z', 2), [
    '2026-11-01T05:30:00.000Z',
    '2026-11-02T06:30:00.000Z',
  ]);
});

t.test('the end is a duration after the begin, also over a change of clocks', async (t) => {
  const [night] = nextOccurrences(repeating('0 1 * * *', 'Europe/Berlin', 240), Date.parse('2026-03-28T12:00:00Z'), 1);
  t.equal((night?.to_ms ?? 0) - (night?.from_ms ?? 0), 240 * MINUTE);
});

t.test('29 February comes every four years, and not in 2100', async (t) => {
  t.same(begins('0 12 29 2 *', 'Asia/Kolkata', '2094-01-01T00:00:00Z', 3), [
    '2096-02-29T06:30:00.000Z',
    '2104-02-29T06:30:00.000Z',
    '2108-02-29T06:30:00.000Z',
  ]);
});

t.test('an occurrence that has begun is the first of the next ones, one that is over is not', async (t) => {
  const first = (at: string) => nextOccurrences(repeating('0 2 * * *', 'Etc/UTC'), Date.parse(at), 1)[0]?.from_ms;
  t.equal(first('2026-05-01T02:59:59.999Z'), Date.parse('2026-05-01T02:00:00Z'));
  t.equal(first('2026-05-01T03:00:00Z'), Date.parse('2026-05-02T02:00:00Z'));
});

t.test('extensions and early ends change one occurrence only', async (t) => {
  const day = Date.parse('2026-05-01T00:00:00Z');
  const hours = (from: number, to: number) => ({ from_ms: day + from * 60 * MINUTE, to_ms: day + to * 60 * MINUTE });
  const daily = repeating('0 2 * * *', 'Etc/UTC');
  const spans = (change: object) => spansOf({ ...daily, ...change }, day, day + 48 * 60 * MINUTE);
  t.same(spans({}), [hours(2, 3), hours(26, 27)]);
  t.same(spans({ extension: hours(2, 5) }), [hours(2, 5), hours(26, 27)]);
  t.same(spans({ extension: hours(2, 5), cut: hours(4, 5) }), [hours(2, 4), hours(26, 27)]);
  t.same(spans({ cut: hours(2, 3) }), [hours(26, 27)]);
  t.same(spans({ starts_at_ms: day + 24 * 60 * MINUTE }), [hours(26, 27)], 'none begins before the start');
  t.same(spans({ ends_at_ms: day + 24 * 60 * MINUTE }), [hours(2, 3)], 'or after the end');
});
