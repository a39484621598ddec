import t from 'tap';
import { nextBeginning } from '../../../control-plane/backup-jobs/schedule/next.js';

const next = (cron: string, time_zone: string, after: string) => {
  const atMs = nextBeginning({ cron, time_zone }, Date.parse(after));
  return atMs === null ? null : new Date(atMs).toISOString().slice(0, 16);
};

t.test('the next beginning, with either kind of day, leap years, and clocks that change', async (t) => {
  for (const [cron, zone, after, expected] of [
    ['0 2 * * *', 'UTC', '2031-01-31T01:59:59Z', '2031-01-31T02:00'],
    ['0 2 * * *', 'UTC', '2031-01-31T02:00:00Z', '2031-02-01T02:00'],
    ['*/15 8-18 * * MON-FRI', 'UTC', '2031-01-31T18:45:00Z', '2031-02-03T08:00'],
    ['0 0 13 * FRI', 'UTC', '2031-02-11T00:00:00Z', '2031-02-13T00:00'],
    ['0 0 13 * FRI', 'UTC', '2031-02-13T00:00:00Z', '2031-02-14T00:00'],
    // Only how a field begins says whether it limits days: `*/2` does not, `1-31` does. `?` is `*`.
    ['0 2 */2 * 1', 'UTC', '2031-01-31T12:00:00Z', '2031-02-03T02:00'],
    ['0 2 */2 * 1', 'UTC', '2031-02-03T12:00:00Z', '2031-02-17T02:00'],
    ['0 2 1-31 * 1', 'UTC', '2031-01-31T12:00:00Z', '2031-02-01T02:00'],
    ['0 2 13 * 0-6', 'UTC', '2031-01-31T12:00:00Z', '2031-02-01T02:00'],
    ['0 2 ? * 1', 'UTC', '2031-01-31T12:00:00Z', '2031-02-03T02:00'],
    ['0 0 29 2 *', 'UTC', '2096-03-01T00:00:00Z', '2104-02-29T00:00'],
    ['0 0 * * 7', 'UTC', '2031-01-31T00:00:00Z', '2031-02-02T00:00'],
    // Clocks go from 02:00 to 03:00: what they skip is as much later.
    ['30 2 * * *', 'Europe/Berlin', '2031-03-29T12:00:00Z', '2031-03-30T01:30'],
    // 02:30 that is 03:30 and 03:15 are in the order of instants.
    ['15,30 2-3 * * *', 'Europe/Berlin', '2031-03-30T00:45:00Z', '2031-03-30T01:15'],
    // Clocks go from 03:00 to 02:00: 02:30 occurs twice, and means the first one.
    ['30 2 * * *', 'Europe/Berlin', '2031-10-25T12:00:00Z', '2031-10-26T00:30'],
    ['30 2 * * *', 'Europe/Berlin', '2031-10-26T00:30:00Z', '2031-10-27T01:30'],
    ['0 0 * * *', 'Pacific/Apia', '2031-01-31T00:00:00Z', '2031-01-31T11:00'],
  ] as const) {
    t.equal(next(cron, zone, after), expected, `${cron} ${zone} after ${after}`);
  }
});
