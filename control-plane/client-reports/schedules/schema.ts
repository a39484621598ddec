import { type Static, Type } from 'typebox';
import { EmailAddress } from '../../http/input/email-address.js';
import { nullable } from '../../http/input/nullable.js';
import { Name, Text } from '../../http/input/text.js';
import { PageParameters } from '../../http/paging.js';
import { LogoUrl } from '../../logo/schema.js';
import { idPattern } from '../../storage/ids.js';
import {
  BrandingShown,
  ClientName,
  Color,
  MonitorsInput,
  MonitorsShown,
  PaperSize,
  ReportId,
  SectionsInput,
  SectionsShown,
  Timestamp,
  TimeZone,
  Title,
} from '../schema.js';
import { ATTACH, PERIODS } from './documents.js';
import { RUN_EXAMPLE, SCHEDULE_EXAMPLE, SCHEDULE_REQUEST_EXAMPLE } from './examples.js';

const closed = { additionalProperties: false } as const;
const CRON_CHARS_MAX = 100;
const RECIPIENTS_MAX = 20;
export const OCCURRENCES_SHOWN = 5;

const ScheduleName = Name({ examples: [SCHEDULE_REQUEST_EXAMPLE.name] });
const CronExpression = Text({
  minLength: 1,
  maxLength: CRON_CHARS_MAX,
  description:
    'When reports are made: five fields (minute, hour, day of the month, month, day of the week) on the clock of the time zone. At most one time a day. `L` is the last day of a month.',
  examples: [SCHEDULE_REQUEST_EXAMPLE.cron],
});
const PeriodOfReports = Type.Enum(PERIODS, {
  description:
    'What each report is about, counted from the day of the occurrence in the time zone. Weeks begin on Monday. `last_7_days` and `last_30_days` end with the day before.',
});
const RecipientList = Type.Array(EmailAddress('client@example.com'), {
  minItems: 1,
  maxItems: RECIPIENTS_MAX,
  description:
    'Who gets the reports by e-mail. An address that no member has is asked once, and gets nothing before it has confirmed.',
});
const Attach = Type.Enum(ATTACH, {
  default: 'pdf',
  description:
    '`pdf`: the mail has the file, or a link if it has more than 5 MiB. `link`: the mail has a link that works for 30 days.',
});
const Enabled = Type.Boolean({ default: true, description: 'false pauses the schedule.' });

export const ScheduleId = Type.Object({ id: Type.String({ pattern: idPattern('sch') }) }, closed);

export const CreateSchedule = Type.Object(
  {
    name: ScheduleName,
    cron: CronExpression,
    time_zone: Type.Optional(TimeZone),
    period: PeriodOfReports,
    recipients: RecipientList,
    title: Title,
    client_name: ClientName,
    sections: Type.Optional(SectionsInput),
    monitors: Type.Optional(MonitorsInput),
    paper_size: Type.Optional(PaperSize),
    branding: Type.Optional(Type.Object({ color: Type.Optional(Color), logo: Type.Optional(LogoUrl) }, closed)),
    attach: Type.Optional(Attach),
    enabled: Type.Optional(Enabled),
  },
  { ...closed, title: 'CreateReportSchedule', examples: [SCHEDULE_REQUEST_EXAMPLE] },
);
export type CreateSchedule = Static<typeof CreateSchedule>;

export const UpdateSchedule = Type.Partial(
  Type.Object(
    {
      ...CreateSchedule.properties,
      monitors: nullable(MonitorsInput, { description: 'null for all monitors.' }),
      branding: Type.Object(
        {
          color: Type.Optional(Color),
          logo: Type.Optional(nullable(LogoUrl, { description: 'null removes the logo.' })),
        },
        closed,
      ),
    },
    closed,
  ),
  { ...closed, title: 'UpdateReportSchedule', minProperties: 1, examples: [{ enabled: false }] },
);
export type UpdateSchedule = Static<typeof UpdateSchedule>;

export const Run = Type.Object(
  {
    occurrence: Timestamp,
    missed: Type.Integer({
      minimum: 0,
      description: 'Earlier occurrences for which no report was made, because Picket was not running.',
    }),
    period: Type.Object({ from: Timestamp, to: Timestamp }, closed),
    status: Type.Enum(['generating', 'sent', 'skipped', 'failed'], {
      description: '`sent`: mails were written to the recipients below. `skipped` and `failed`: nobody got a mail.',
    }),
    reason: nullable(Type.String(), { description: 'Why nothing was sent; null unless it was skipped or failed.' }),
    report_id: nullable(ReportId.properties.id),
    recipients: Type.Array(
      Type.Object(
        {
          email: Type.String(),
          status: Type.Enum(['queued', 'sent', 'failed', 'unconfirmed', 'unknown']),
          sent_at: nullable(Timestamp),
        },
        closed,
      ),
      {
        maxItems: RECIPIENTS_MAX,
        description:
          '`queued`: Picket is still trying. `sent`: the mail server took the mail. `unconfirmed`: the address got nothing. `unknown`: Picket has deleted the mail before it noted what became of it.',
      },
    ),
    finished_at: nullable(Timestamp),
  },
  { ...closed, title: 'ReportScheduleRun', examples: [RUN_EXAMPLE] },
);
export type Run = Static<typeof Run>;

export const Schedule = Type.Object(
  {
    id: ScheduleId.properties.id,
    name: ScheduleName,
    cron: CronExpression,
    time_zone: Type.String(),
    period: PeriodOfReports,
    recipients: RecipientList,
    unconfirmed: Type.Array(Type.String(), {
      description: 'Those of the recipients that get no mails: they have not confirmed, or have stopped the mails.',
    }),
    title: Title,
    client_name: ClientName,
    sections: SectionsShown,
    monitors: MonitorsShown,
    paper_size: PaperSize,
    branding: BrandingShown,
    attach: Attach,
    enabled: Enabled,
    next_occurrences: Type.Array(Timestamp, {
      maxItems: OCCURRENCES_SHOWN,
      description: `The next ${OCCURRENCES_SHOWN}. Empty while the schedule is paused.`,
    }),
    last_run: nullable(Run, { description: 'The run of the newest occurrence; null before the first.' }),
    created_by: Type.String(),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { ...closed, title: 'ReportSchedule', examples: [SCHEDULE_EXAMPLE] },
);
export type Schedule = Static<typeof Schedule>;

export const PreviewSchedule = Type.Object(
  { cron: CronExpression, time_zone: Type.Optional(TimeZone) },
  {
    ...closed,
    title: 'PreviewReportSchedule',
    examples: [{ cron: SCHEDULE_REQUEST_EXAMPLE.cron, time_zone: SCHEDULE_REQUEST_EXAMPLE.time_zone }],
  },
);

export type PreviewSchedule = Static<typeof PreviewSchedule>;

export const SchedulePreview = Type.Object(
  {
    next_occurrences: Type.Array(Timestamp, {
      maxItems: OCCURRENCES_SHOWN,
      description: `The next ${OCCURRENCES_SHOWN}.`,
    }),
  },
  {
    ...closed,
    title: 'ReportSchedulePreview',
    examples: [{ next_occurrences: SCHEDULE_EXAMPLE.next_occurrences }],
  },
);

export const ListSchedules = Type.Object(PageParameters, closed);
