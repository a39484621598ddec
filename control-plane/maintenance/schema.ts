import { type Static, Type } from 'typebox';
import { nullable } from '../http/input/nullable.js';
import { Name, Text } from '../http/input/text.js';
import { PageParameters } from '../http/paging.js';
import { idPattern } from '../storage/ids.js';
import { COUNT_MAX, RRULE_CHARS_MAX } from './schedule/rrule/parse.js';

const MONITORS_MAX = 500;
const SERVERS_MAX = 500;
const TAGS_MAX = 50;
const TAG_CHARS_MAX = 50;
const CRON_CHARS_MAX = 100;
const TIME_ZONE_CHARS_MAX = 64;
/** Shorter ones would make nobody's work quieter, and cost as much. */
const DURATION_MINUTES_MIN = 5;
/** A week. */
const DURATION_MINUTES_MAX = 10_080;
const EXTEND_MINUTES_MAX = DURATION_MINUTES_MAX;
/** Of a window that happens once. */
export const ONCE_DAYS_MAX = 90;
export const OCCURRENCES_SHOWN = 10;

const EXAMPLE_ID = 'mnt_01kf5e6q0h3v8r2m9x4t7c1z5n';
const Time = Type.String({ format: 'date-time', examples: ['2026-01-31T12:00:00.000Z'] });
const closed = { additionalProperties: false };

export const WindowId = Type.Object({ id: Type.String({ pattern: idPattern('mnt'), examples: [EXAMPLE_ID] }) }, closed);

export const ListWindows = Type.Object({ ...PageParameters }, closed);

const Recurrence = Type.Object(
  {
    cron: Type.Optional(
      nullable(
        Text({
          minLength: 9,
          maxLength: CRON_CHARS_MAX,
          description:
            'Five fields: minute, hour, day of the month, month and day of the week. When both kinds of days are limited, either is enough.',
          examples: ['0 2 * * SUN'],
        }),
      ),
    ),
    rrule: Type.Optional(
      nullable(
        Text({
          minLength: 1,
          maxLength: RRULE_CHARS_MAX,
          description: `A recurrence rule of RFC 5545 instead of \`cron\`. \`starts_at\` is its DTSTART, on the clock of the time zone. FREQ is DAILY, WEEKLY, MONTHLY or YEARLY; BYSECOND and BYWEEKNO are not supported; COUNT is ${COUNT_MAX.toLocaleString('en-US')} at most, and UNTIL is in UTC.`,
          examples: ['FREQ=MONTHLY;BYDAY=2SU'],
        }),
      ),
    ),
    time_zone: Text({
      minLength: 1,
      maxLength: TIME_ZONE_CHARS_MAX,
      description:
        'IANA name. When clocks are set forward over a begin, the occurrence begins as much later as they skip; when they are set back over one, it begins the first time.',
      examples: ['Europe/Berlin'],
    }),
    duration_minutes: Type.Integer({ minimum: DURATION_MINUTES_MIN, maximum: DURATION_MINUTES_MAX, examples: [120] }),
  },
  closed,
);

const scheduleFields = {
  starts_at: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'When it starts. Of a window that repeats: no occurrence begins before; defaults to now.',
      examples: ['2026-01-31T12:00:00.000Z'],
    }),
  ),
  ends_at: Type.Optional(
    nullable(Time, {
      description: `When it ends, at most ${ONCE_DAYS_MAX} days after its start. Of a window that repeats: no occurrence begins then or later; null: it repeats without end.`,
    }),
  ),
  recurrence: Type.Optional(nullable(Recurrence, { description: 'null: it happens once.' })),
};

const targetFields = {
  everything: Type.Optional(
    Type.Boolean({
      description: 'Applies to all monitors, servers and blacklist monitors, also to those added later.',
    }),
  ),
  monitor_ids: Type.Optional(
    Type.Array(Type.String({ pattern: idPattern('mon') }), { maxItems: MONITORS_MAX, uniqueItems: true }),
  ),
  server_ids: Type.Optional(
    Type.Array(Type.String({ pattern: idPattern('srv') }), { maxItems: SERVERS_MAX, uniqueItems: true }),
  ),
  tags: Type.Optional(
    Type.Array(Text({ minLength: 1, maxLength: TAG_CHARS_MAX, examples: ['production'] }), {
      maxItems: TAGS_MAX,
      uniqueItems: true,
      description: 'Monitors and servers that have one of these tags, also those that get it later.',
    }),
  ),
};

const countsInUptime = Type.Optional(
  Type.Boolean({
    description:
      'Whether the time counts in the uptime of monitors, as outside of maintenance. Defaults to true. With false, it is neither up nor down: uptime is of the rest of the time, and states how much was left out. A change is for the time from then on.',
  }),
);

const name = Name({ examples: ['Database upgrade'] });
const ONCE = { starts_at: '2026-02-01T02:00:00Z', ends_at: '2026-02-01T04:00:00Z' };
const BERLIN = { time_zone: 'Europe/Berlin', duration_minutes: 120 };
const WEEKLY = { recurrence: { cron: '0 2 * * SUN', ...BERLIN } };
const SECOND_SUNDAYS = {
  starts_at: '2026-02-08T01:00:00Z',
  recurrence: { rrule: 'FREQ=MONTHLY;BYDAY=2SU', ...BERLIN },
};

export const CreateWindow = Type.Object(
  { name, ...scheduleFields, ...targetFields, counts_in_uptime: countsInUptime },
  {
    ...closed,
    title: 'CreateMaintenanceWindow',
    examples: [
      { name: 'Database upgrade', ...ONCE, tags: ['production'] },
      { name: 'Weekly patches', ...WEEKLY, everything: true },
      { name: 'Monthly patches', ...SECOND_SUNDAYS, everything: true },
    ],
  },
);
export type CreateWindow = Static<typeof CreateWindow>;

export const UpdateWindow = Type.Object(
  { name: Type.Optional(name), ...scheduleFields, ...targetFields, counts_in_uptime: countsInUptime },
  { ...closed, title: 'UpdateMaintenanceWindow', examples: [{ ends_at: '2026-02-01T05:00:00Z' }] },
);
export type UpdateWindow = Static<typeof UpdateWindow>;

export const PreviewWindow = Type.Object(scheduleFields, {
  ...closed,
  title: 'PreviewMaintenanceWindow',
  examples: [WEEKLY],
});
export type PreviewWindow = Static<typeof PreviewWindow>;

export const ExtendWindow = Type.Object(
  { minutes: Type.Integer({ minimum: 1, maximum: EXTEND_MINUTES_MAX, examples: [30] }) },
  { ...closed, title: 'ExtendMaintenanceWindow', examples: [{ minutes: 30 }] },
);

export const NoBody = Type.Object({}, closed);

const Occurrence = Type.Object({ starts_at: Time, ends_at: Time }, closed);

export const Occurrences = Type.Object(
  {
    occurrences: Type.Array(Occurrence, {
      description: `The next ${OCCURRENCES_SHOWN} at most; the first one may have begun.`,
    }),
  },
  {
    ...closed,
    title: 'MaintenanceOccurrences',
    examples: [{ occurrences: [{ starts_at: '2026-02-01T01:00:00.000Z', ends_at: '2026-02-01T03:00:00.000Z' }] }],
  },
);

export const MaintenanceWindow = Type.Object(
  {
    id: Type.String({ examples: [EXAMPLE_ID] }),
    name: Type.String(),
    state: Type.Enum(['active', 'scheduled', 'ended'], {
      description: '`active`: it applies now. `scheduled`: it will. `ended`: it will not any more.',
    }),
    active_until: nullable(Time, { description: 'When the occurrence under way ends; null without one.' }),
    starts_at: Time,
    ends_at: nullable(Time),
    recurrence: nullable(
      Type.Object(
        {
          cron: nullable(Type.String()),
          rrule: nullable(Type.String()),
          time_zone: Type.String(),
          duration_minutes: Type.Integer(),
        },
        closed,
      ),
    ),
    everything: Type.Boolean(),
    monitor_ids: Type.Array(Type.String()),
    server_ids: Type.Array(Type.String()),
    tags: Type.Array(Type.String()),
    counts_in_uptime: Type.Boolean({ description: 'false: its time is left out of the uptime of monitors.' }),
    next_occurrences: Type.Array(Occurrence, {
      description: `The next ${OCCURRENCES_SHOWN} at most; the first one may have begun.`,
    }),
    created_by: Type.String({ description: 'E-mail address, or the name of the API key.' }),
    created_at: Time,
    updated_at: Time,
  },
  {
    ...closed,
    title: 'MaintenanceWindow',
    examples: [
      {
        ...{ id: EXAMPLE_ID, name: 'Weekly patches', state: 'scheduled', active_until: null },
        starts_at: '2026-01-20T16:42:10.000Z',
        ends_at: null,
        recurrence: { ...WEEKLY.recurrence, rrule: null },
        everything: true,
        monitor_ids: [],
        server_ids: [],
        tags: [],
        counts_in_uptime: true,
        next_occurrences: [{ starts_at: '2026-02-01T01:00:00.000Z', ends_at: '2026-02-01T03:00:00.000Z' }],
        created_by: 'ada@example.com',
        created_at: '2026-01-20T16:42:10.000Z',
        updated_at: '2026-01-20T16:42:10.000Z',
      },
    ],
  },
);
export type MaintenanceWindow = Static<typeof MaintenanceWindow>;
