import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import t from 'tap';
import { nextOccurrences } from '../../control-plane/maintenance/schedule/occurrences.js';
import { parseRule } from '../../control-plane/maintenance/schedule/rrule/parse.js';
import { createZone } from '../../control-plane/maintenance/schedule/zone.js';

const SCRIPT = 'test/helpers/maintenance/rules.py';
const OUTPUT_BYTES_MAX = 256 * 1024 * 1024;
const RULES = 40;
const DAY_MS = 86_400_000;
/** Summer time of an hour and of half an hour, to the south and backwards; clocks that change at midnight; no change. */
const ZONES = [
  ...[
    'Europe/Berlin',
    'America/New_York',
    'Australia/Lord_Howe',
    'America/Santiago',
    'Europe/Dublin',
    'Asia/Kathmandu',
  ],
];
const FROM_MS = Date.UTC(2016, 0, 1);
const TO_MS = Date.UTC(2036, 0, 1);

const some = (min: number, max: number, maxLength: number) =>
  fc.uniqueArray(
    fc.integer({ min, max }).filter((value) => value !== 0 || min === 0),
    { minLength: 1, maxLength },
  );
const part = (name: string, values: fc.Arbitrary<(number | string)[]>) =>
  fc.oneof(
    { weight: 2, arbitrary: fc.constant('') },
    values.map((list) => `;${name}=${list.join(',')}`),
  );
const weekday = fc.constantFrom('MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU');
const weekdays = fc.uniqueArray(weekday, { minLength: 1, maxLength: 4 });
// dateutil joins `MO` and `1TU` with "and", the RFC with "or". So a rule has days of one kind.
const numbered = fc.uniqueArray(
  fc.tuple(fc.constantFrom(1, 2, 4, 5, -1, -2), weekday).map(([nth, day]) => `${nth}${day}`),
  { minLength: 1, maxLength: 3 },
);
const end = fc.oneof(
  fc.constant({ count: '', untilMs: null }),
  fc.integer({ min: 1, max: 300 }).map((count) => ({ count: `;COUNT=${count}`, untilMs: null })),
  // To the minute of begins, so that it is often equal to one.
  fc.integer({ min: 0, max: 10_000 }).map((days) => ({ count: '', untilMs: FROM_MS + days * DAY_MS + 2 * 3_600_000 })),
);
const hours = fc.oneof(some(0, 3, 3), some(0, 23, 3));
const common = [
  part(
    'INTERVAL',
    fc.integer({ min: 1, max: 14 }).map((value) => [value]),
  ),
  part(
    'WKST',
    weekday.map((day) => [day]),
  ),
  part('BYMONTH', some(1, 12, 4)),
  part('BYHOUR', hours),
  part('BYMINUTE', some(0, 59, 3)),
];
const positions = part('BYSETPOS', some(-4, 4, 2));
const texts = fc.oneof(
  fc.tuple(fc.constant('FREQ=DAILY'), ...common, part('BYDAY', weekdays), part('BYMONTHDAY', some(-31, 31, 3))),
  fc.tuple(fc.constant('FREQ=WEEKLY'), ...common, part('BYDAY', weekdays)),
  fc.tuple(
    fc.constant('FREQ=MONTHLY'),
    ...common,
    part('BYDAY', fc.oneof(weekdays, numbered)),
    part('BYMONTHDAY', some(-31, 31, 3)),
  ),
  fc.tuple(
    fc.constant('FREQ=YEARLY'),
    ...common,
    part('BYDAY', fc.oneof(weekdays, numbered)),
    part('BYMONTHDAY', some(-31, 31, 3)),
    part('BYYEARDAY', some(-366, 366, 3)),
  ),
);
const cases = fc.record({
  parts: texts,
  positions,
  end,
  time_zone: fc.constantFrom(...ZONES),
  /** Most changes of clocks are at night. */
  startMs: fc
    .tuple(fc.integer({ min: 0, max: 800 }), fc.integer({ min: 0, max: 4 * 60 }), fc.constantFrom(0, 30))
    .map(([days, minutes, seconds]) => FROM_MS + days * DAY_MS + (minutes * 60 + seconds) * 1_000),
});

const local = (ms: number) => new Date(ms).toISOString().slice(0, 19);
const compact = (ms: number) => `${local(ms).replace(/[-:]/g, '')}Z`;

t.test('the occurrences of 20 years in six time zones are those of dateutil', async (t) => {
  const sample = fc.sample(cases, RULES).map(({ parts, positions, end: { count, untilMs }, time_zone, ...one }) => {
    // The start of a window is an instant, so it is no time that clocks skip.
    const zone = createZone(time_zone);
    const startMs = zone.toLocal(zone.toInstant(one.startMs));
    const selects = parts.slice(3).some((text) => text !== '');
    const rule = `${parts.join('')}${selects ? positions : ''}${count}`;
    const until = untilMs === null ? null : local(untilMs);
    const rrule = untilMs === null ? rule : `${rule};UNTIL=${compact(untilMs)}`;
    return { rule, rrule, until, time_zone, start: local(startMs), end: local(TO_MS), startMs };
  });
  const output = execFileSync('python3', [SCRIPT], { input: JSON.stringify(sample), maxBuffer: OUTPUT_BYTES_MAX });
  const expected: number[][] = JSON.parse(output.toString());
  sample.forEach(({ rrule, time_zone, startMs }, index) => {
    const zone = createZone(time_zone);
    const name = `${rrule} from ${local(startMs)} in ${time_zone}`;
    const schedule = {
      starts_at_ms: zone.toInstant(startMs),
      ends_at_ms: zone.toInstant(TO_MS),
      extension: null,
      cut: null,
      recurrence: { cron: null, rrule, time_zone, duration_minutes: 5 },
    };
    const found = nextOccurrences(schedule, schedule.starts_at_ms, Number.POSITIVE_INFINITY).map((one) => one.from_ms);
    t.same(difference(found, expected[index] ?? []), [], name);
    // The rest of a rule does not depend on from where it is asked for.
    const middleMs = FROM_MS + 10 * 365 * DAY_MS;
    const later = nextOccurrences(schedule, middleMs, Number.POSITIVE_INFINITY).map((one) => one.from_ms);
    const wanted = (expected[index] ?? []).filter((at) => at + 5 * 60_000 > middleMs);
    t.same(difference(later, wanted), [], `${name}, asked in the middle`);
  });
});

/** The first occurrences that only one of the lists has. */
function difference(found: readonly number[], wanted: readonly number[]): string[] {
  const [has, should] = [new Set(found), new Set(wanted)];
  const extra = found.filter((at) => !should.has(at)).map((at) => `extra ${local(at)}`);
  const missing = wanted.filter((at) => !has.has(at)).map((at) => `missing ${local(at)}`);
  return [...extra, ...missing].slice(0, 3);
}

t.test('any text is a rule or refused, in time that does not depend on what it says', async (t) => {
  const value = fc.oneof(
    fc.integer({ min: -500, max: 2_000 }).map(String),
    weekday,
    fc.constantFrom('20270101T000000Z', '0', '', '=', '1MO', '-54FR', '99999999999999999999'),
    fc.string({ maxLength: 10 }),
  );
  const name = fc.constantFrom(
    'FREQ',
    'INTERVAL',
    'COUNT',
    'UNTIL',
    'WKST',
    'BYDAY',
    'BYHOUR',
    'BYSECOND',
    'BYSETPOS',
    'X',
  );
  const frequency = fc.constantFrom('DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY', 'HOURLY', 'SECONDLY');
  const text = fc
    .tuple(frequency, fc.array(fc.tuple(name, value), { maxLength: 4 }))
    .map(([freq, parts]) => [`FREQ=${freq}`, ...parts.map((one) => one.join('='))].join(';'));
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(text, (rrule) => {
        try {
          parseRule(rrule);
        } catch (err) {
          if (err instanceof Error && /^must /.test(err.message) && err.message.length < 200) return;
          throw err;
        }
        if (/SECONDLY|HOURLY|BYSECOND|X=/.test(rrule)) throw new Error(`${rrule} is accepted`);
      }),
      { numRuns: 2_000 },
    ),
  );
});
