import t from 'tap';
import { createCronTimes } from '../../../control-plane/maintenance/schedule/cron.js';
import { nextOccurrences, spansOf } from '../../../control-plane/maintenance/schedule/occurrences.js';
import { dayOf } from '../../../control-plane/maintenance/schedule/rrule/days.js';
import { normalRule, parseRule } from '../../../control-plane/maintenance/schedule/rrule/parse.js';
import { createRuleTimes } from '../../../control-plane/maintenance/schedule/rrule/times.js';
import { createZone } from '../../../control-plane/maintenance/schedule/zone.js';
import { startStepCounter } from '../../helpers/count-steps.js';

const counter = startStepCounter();
t.teardown(() => counter.stop());

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const of = (rrule: string, start: string, time_zone = 'Etc/UTC') => ({
  starts_at_ms: createZone(time_zone).toInstant(Date.parse(`${start}Z`)),
  ends_at_ms: null,
  recurrence: { cron: null, rrule, time_zone, duration_minutes: 60 },
  extension: null,
  cut: null,
});
const begins = (schedule: ReturnType<typeof of>, max: number, atMs = schedule.starts_at_ms) =>
  nextOccurrences(schedule, atMs, max).map(({ from_ms }) => new Date(from_ms).toISOString().slice(0, 16));

t.test('a rule that is over costs no more than one that goes on', async (t) => {
  const over = of('FREQ=DAILY;UNTIL=20260301T000000Z', '2026-01-01T00:00:00');
  const goesOn = of('FREQ=DAILY', '2026-01-01T00:00:00');
  const laterMs = over.starts_at_ms + 100 * DAY_MS;
  const steps = (schedule: typeof over) => counter.stepsOf(() => void begins(schedule, 10, laterMs));
  t.same(begins(over, 10, laterMs), []);
  const [ofGoingOn, ofOver] = [await steps(goesOn), await steps(over)];
  t.ok(ofOver <= ofGoingOn, `${ofOver} steps, and ${ofGoingOn} of a rule that goes on`);
});

t.test('rules of calendars mean what they say', async (t) => {
  t.same(begins(of('FREQ=MONTHLY;BYDAY=2SU', '2026-02-01T02:00:00'), 3), [
    ...['2026-02-08T02:00', '2026-03-08T02:00', '2026-04-12T02:00'],
  ]);
  t.same(begins(of('FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1', '2026-01-01T22:00:00'), 3), [
    ...['2026-01-30T22:00', '2026-02-27T22:00', '2026-03-31T22:00'],
  ]);
  t.same(begins(of('FREQ=WEEKLY;INTERVAL=2;COUNT=3', '2026-01-07T05:00:00'), 9), [
    ...['2026-01-07T05:00', '2026-01-21T05:00', '2026-02-04T05:00'],
  ]);
  t.same(begins(of('FREQ=YEARLY;UNTIL=20270301T000000Z', '2026-03-01T00:00:00'), 9), [
    ...['2026-03-01T00:00', '2027-03-01T00:00'],
  ]);
  t.same(begins(of('FREQ=MONTHLY;BYDAY=MO,1TU', '2026-06-01T00:00:00'), 4), [
    ...['2026-06-01T00:00', '2026-06-02T00:00', '2026-06-08T00:00', '2026-06-15T00:00'],
  ]);
});

t.test('a begin that clocks skip is as much later, and one that occurs twice is the first', async (t) => {
  const daily = (start: string) => of('FREQ=DAILY', start, 'Europe/Berlin');
  t.same(begins(daily('2026-03-28T02:30:00'), 3), ['2026-03-28T01:30', '2026-03-29T01:30', '2026-03-30T00:30']);
  t.same(begins(daily('2026-10-24T02:30:00'), 3), ['2026-10-24T00:30', '2026-10-25T00:30', '2026-10-26T01:30']);
});

t.test(
  'a question long after the start finds the occurrences of that time, and one about no day at all ends',
  async (t) => {
    const start = Date.UTC(1990, 0, 1, 3);
    const weekly = parseRule('FREQ=DAILY;INTERVAL=7;BYDAY=MO,TH');
    const asked = Date.UTC(2036, 5, 1);
    const found = [...createRuleTimes(weekly, start).after(asked, asked + 60 * DAY_MS)];
    t.equal(found.length, 9, 'it finds those of 60 days');
    const never = of('FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30', '2026-01-01T00:00:00');
    t.same(begins(never, 10), [], 'a day that does not exist is looked for during 30 years');
    const once = of('FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29', '2026-01-01T00:00:00');
    t.same(begins(once, 3), ['2028-02-29T00:00', '2032-02-29T00:00', '2036-02-29T00:00']);
    t.same(spansOf(never, asked, asked + DAY_MS), []);
  },
);

t.test('what is refused, and why', async (t) => {
  const refused: [string, RegExp][] = [
    ['', /list of NAME=VALUE/],
    ['FREQ=HOURLY', /FREQ with one of DAILY, WEEKLY/],
    ['FREQ=SECONDLY;COUNT=1', /FREQ with one of/],
    ['FREQ=DAILY;FREQ=DAILY', /FREQ once/],
    ['FREQ=DAILY;BYSECOND=1', /only FREQ, .*not BYSECOND/],
    ['FREQ=YEARLY;BYWEEKNO=20', /not BYWEEKNO/],
    ['FREQ=DAILY;COUNT=1001', /COUNT with a number from 1 to 1000/],
    ['FREQ=DAILY;COUNT=2;UNTIL=20270101T000000Z', /COUNT or UNTIL/],
    ['FREQ=DAILY;UNTIL=20270101', /UNTIL with a time in UTC/],
    ['FREQ=DAILY;UNTIL=20270230T000000Z', /UNTIL with a time in UTC/],
    ['FREQ=DAILY;INTERVAL=0', /INTERVAL with a number from 1/],
    ['FREQ=DAILY;BYMINUTE=0,10,20,30,40;BYHOUR=1,2,3,4,5', /at most 24 times a day/],
    ['FREQ=WEEKLY;BYMONTHDAY=1', /BYMONTHDAY with FREQ=WEEKLY/],
    ['FREQ=WEEKLY;BYDAY=1MO', /only with FREQ=MONTHLY/],
    ['FREQ=MONTHLY;BYDAY=XX', /days such as MO/],
    ['FREQ=MONTHLY;BYMONTHDAY=0', /numbers from 1 to 31, or -1 to -31/],
    ['FREQ=MONTHLY;BYSETPOS=1', /beside another BY part/],
    ['FREQ=MONTHLY;BYYEARDAY=1', /only with FREQ=YEARLY/],
  ];
  for (const [text, why] of refused) t.throws(() => parseRule(text), why, text);
  t.equal(normalRule(' rrule:freq=daily '), 'FREQ=DAILY');
});

t.test('the days of all calendars from 1900 to 2200', (t) => {
  const wrong: number[] = [];
  for (let number = Date.UTC(1900, 0) / DAY_MS; number < Date.UTC(2200, 0) / DAY_MS; number++) {
    const date = new Date(number * DAY_MS);
    const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
    const expected = {
      month: month + 1,
      monthDay: date.getUTCDate(),
      monthLength: new Date(Date.UTC(year, month + 1, 0)).getUTCDate(),
      yearDay: number - Date.UTC(year, 0) / DAY_MS + 1,
      yearLength: (Date.UTC(year + 1, 0) - Date.UTC(year, 0)) / DAY_MS,
      weekday: (date.getUTCDay() + 6) % 7,
    };
    if (JSON.stringify(dayOf(number)) !== JSON.stringify(expected)) wrong.push(number);
  }
  t.same(wrong.slice(0, 5), []);
  t.end();
});

t.test('a cron expression whose search could take a second is refused', (t) => {
  t.throws(() => createCronTimes('0 0 8 * +1#1'), /“\+”/);
  t.doesNotThrow(() => createCronTimes('0 8 * * 1#1'));
  t.end();
});
