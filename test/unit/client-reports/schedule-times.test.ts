import t from 'tap';
import { monthDayWarnings } from '../../../control-plane/client-reports/schedules/times/month-days.js';
import {
  cronProblem,
  dueOccurrence,
  nextOccurrences,
} from '../../../control-plane/client-reports/schedules/times/occurrences.js';
import { periodOf } from '../../../control-plane/client-reports/schedules/times/period.js';

const iso = (atMs: number) => new Date(atMs).toISOString().slice(0, 16);

t.test('occurrences keep their time on the clock over both changes of it', async (t) => {
  const table: [cron: string, zone: string, after: string, expected: string[]][] = [
    // Clocks are set forward from 02:00 to 03:00 on 29 March, and back from 03:00 to 02:00 on 25 October.
    ['0 8 * * *', 'Europe/Berlin', '2026-03-27T12:00Z', ['2026-03-28T07:00', '2026-03-29T06:00', '2026-03-30T06:00']],
    ['30 2 * * *', 'Europe/Berlin', '2026-03-27T12:00Z', ['2026-03-28T01:30', '2026-03-29T01:30', '2026-03-30T00:30']],
    ['0 8 * * *', 'Europe/Berlin', '2026-10-23T12:00Z', ['2026-10-24T06:00', '2026-10-25T07:00', '2026-10-26T07:00']],
    ['30 2 * * *', 'Europe/Berlin', '2026-10-23T12:00Z', ['2026-10-24T00:30', '2026-10-25T00:30', '2026-10-26T01:30']],
    ['0 9 1 * *', 'Europe/Berlin', '2026-02-15T00:00Z', ['2026-03-01T08:00', '2026-04-01T07:00', '2026-05-01T07:00']],
    ['30 2 * * *', 'America/New_York', '2026-03-07T12:00Z', ['2026-03-08T07:30', '2026-03-09T06:30']],
    ['30 1 * * *', 'America/New_York', '2026-10-31T12:00Z', ['2026-11-01T05:30', '2026-11-02T06:30']],
    ['0 0 * * MON', 'Asia/Kathmandu', '2026-05-01T00:00Z', ['2026-05-03T18:15', '2026-05-10T18:15']],
    ['0 8 L * *', 'Etc/UTC', '2027-12-31T12:00Z', ['2028-01-31T08:00', '2028-02-29T08:00', '2028-03-31T08:00']],
    ['0 8 31 * *', 'Etc/UTC', '2026-01-31T12:00Z', ['2026-03-31T08:00', '2026-05-31T08:00']],
  ];
  for (const [cron, time_zone, after, expected] of table) {
    const found = nextOccurrences({ cron, time_zone }, Date.parse(after), expected.length);
    t.same(found.map(iso), expected, `${cron} in ${time_zone} after ${after}`);
  }
});

t.test('an expression that is wrong, never comes or comes more than once a day is refused', async (t) => {
  const problem = (cron: string) =>
    cronProblem({ cron, time_zone: 'Europe/Berlin' }, Date.parse('2026-03-28T00:00:00Z'));
  for (const cron of ['0 8 * * *', '30 2 * * *', '0 8 1,15 * *', '0 8 29 2 *', '0 8 * * MON#1', '0 8 L * *'])
    t.equal(problem(cron), null, cron);
  t.match(problem('0 8 * *'), /five fields/);
  t.match(problem('0 0 8 * * *'), /five fields/);
  t.match(problem('61 8 * * *'), /five fields/);
  t.match(problem('0 8 30 2 *'), /never|no time/);
  for (const cron of ['* * * * *', '0 * * * *', '0 8,20 * * *', '0,30 8 1 1 *'])
    t.match(problem(cron), /one time a day/, cron);
});

t.test('days that some months do not have are explained', async (t) => {
  t.same(monthDayWarnings('0 8 31 * *'), [
    'No report is made for day 31 of February, April, June, September, November: there is no 31st. Use L instead of 31 for the last day of each month.',
  ]);
  t.same(monthDayWarnings('0 8 30 * *'), [
    'No report is made for day 30 of February: there is no 30th. Use L instead of 30 for the last day of each month.',
  ]);
  t.match(monthDayWarnings('0 8 29 * *'), [/day 29 of February: there is no 29th in most years/]);
  t.equal(monthDayWarnings('0 8 1,29-31 * *').length, 3);
  t.match(monthDayWarnings('0 8 31 3-4 *'), [/day 31 of April:/]);
  t.match(monthDayWarnings('0 8 31 JAN,FEB *'), [/day 31 of February:/]);
  for (const cron of [
    '0 8 28 * *',
    '0 8 * * *',
    '0 8 L * *',
    '0 8 */2 * *',
    '0 8 31 1,3,5 *',
    '0 8 1-31 * *',
    '0 8 30 3-12 *',
  ])
    t.same(monthDayWarnings(cron), [], cron);
});

t.test('of occurrences that were missed, only the latest is due', async (t) => {
  const times = { cron: '0 8 * * *', time_zone: 'Etc/UTC' };
  const due = (from: string, now: string) => dueOccurrence(times, Date.parse(from), Date.parse(now));
  const at = (time: string, missed: number) => ({ atMs: Date.parse(time), missed });
  t.equal(due('2026-01-02T08:00Z', '2026-01-02T07:59:59.999Z'), null);
  t.same(due('2026-01-02T08:00Z', '2026-01-02T08:00Z'), at('2026-01-02T08:00Z', 0));
  t.same(due('2026-01-02T08:00Z', '2026-01-05T09:00Z'), at('2026-01-05T08:00Z', 3));
});

t.test('a period is of whole calendar days in the time zone, and depends on the occurrence alone', async (t) => {
  const period = (name: Parameters<typeof periodOf>[0], at: string, zone = 'Europe/Berlin') => {
    const { from_ms, to_ms } = periodOf(name, Date.parse(at), zone);
    return `${iso(from_ms)} ${iso(to_ms)}`;
  };
  t.equal(
    period('previous_month', '2026-04-01T06:00Z'),
    '2026-02-28T23:00 2026-03-31T22:00',
    'with a change of clocks',
  );
  t.equal(period('previous_month', '2026-01-31T23:30Z'), '2025-12-31T23:00 2026-01-31T23:00', 'it is February there');
  t.equal(period('previous_month', '2026-01-31T23:30Z', 'UTC'), '2025-12-01T00:00 2026-01-01T00:00');
  t.equal(period('previous_quarter', '2026-02-15T08:00Z', 'UTC'), '2025-10-01T00:00 2026-01-01T00:00');
  for (const day of [23, 25, 29])
    t.equal(period('previous_week', `2026-03-${day}T12:00Z`, 'UTC'), '2026-03-16T00:00 2026-03-23T00:00');
  t.equal(period('last_7_days', '2026-03-30T12:00Z'), '2026-03-22T23:00 2026-03-29T22:00');
  t.equal(period('last_30_days', '2026-01-31T12:00Z', 'UTC'), '2026-01-01T00:00 2026-01-31T00:00');
});
