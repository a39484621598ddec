import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import t from 'tap';
import { nextOccurrences } from '../../control-plane/maintenance/schedule/occurrences.js';

const SCRIPT = 'test/helpers/maintenance/occurrences.py';
const OUTPUT_BYTES_MAX = 256 * 1024 * 1024;
/** dateutil knows no change of clocks after 2037. */
const FROM = '2016-01-01T00:00:00';
const TO = '2036-01-01T00:00:00';
const ZONES = [
  ...['Etc/UTC', 'Europe/Berlin', 'America/New_York', 'America/Sao_Paulo', 'Australia/Lord_Howe', 'Asia/Kolkata'],
  ...['Pacific/Auckland', 'Africa/Cairo'],
];
const SCHEDULES = 10;

interface Fields {
  time_zone: string;
  minutes: number[];
  hours: number[];
  days: number[];
  months: number[];
  weekdays: number[];
}

const some = (min: number, max: number, maxLength: number) =>
  fc.uniqueArray(fc.integer({ min, max }), { minLength: 1, maxLength });
const common = {
  time_zone: fc.constantFrom(...ZONES),
  minutes: some(0, 59, 2),
  // Most changes of clocks are at night.
  hours: fc.oneof(some(0, 3, 3), some(0, 23, 3)),
  months: fc.oneof(fc.constant<number[]>([]), some(1, 12, 4)),
};
// dateutil needs both kinds of days where cron needs one of them, so only one kind is limited.
const schedules: fc.Arbitrary<Fields> = fc.oneof(
  fc.record({
    ...common,
    days: fc.oneof(fc.constant<number[]>([]), some(1, 31, 3)),
    weekdays: fc.constant<number[]>([]),
  }),
  fc.record({ ...common, days: fc.constant<number[]>([]), weekdays: some(0, 6, 3) }),
);

const listed = (values: readonly number[]) => (values.length === 0 ? '*' : values.join(','));

/** Monday is 0 for dateutil and 1 for cron. */
const cronOf = ({ minutes, hours, days, months, weekdays }: Fields) =>
  [minutes, hours, days, months, weekdays.map((day) => (day + 1) % 7)].map(listed).join(' ');

t.test('the occurrences of 20 years in several time zones are those of dateutil', async (t) => {
  const sample = fc.sample(schedules, SCHEDULES).map((fields) => ({ ...fields, from: FROM, to: TO }));
  const output = execFileSync('python3', [SCRIPT], { input: JSON.stringify(sample), maxBuffer: OUTPUT_BYTES_MAX });
  const expected: number[][] = JSON.parse(output.toString());
  const [fromMs, toMs] = [Date.parse(`${FROM}Z`), Date.parse(`${TO}Z`)];
  sample.forEach((fields, index) => {
    const cron = cronOf(fields);
    const recurrence = { cron, time_zone: fields.time_zone, duration_minutes: 5 };
    const schedule = { starts_at_ms: fromMs, ends_at_ms: toMs, recurrence, extension: null, cut: null };
    const found = nextOccurrences(schedule, fromMs, Number.POSITIVE_INFINITY).map(({ from_ms }) => from_ms);
    const wrong = found.find((at, place) => at !== expected[index]?.[place]);
    t.equal(found.length, expected[index]?.length, `${cron} ${fields.time_zone}`);
    t.equal(
      wrong,
      undefined,
      `${cron} ${fields.time_zone}: ${wrong === undefined ? '' : new Date(wrong).toISOString()}`,
    );
  });
});
