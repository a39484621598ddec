import { type Static, Type } from 'typebox';
import { nullable } from '../http/input/nullable.js';
import { Name, Text } from '../http/input/text.js';
import { PageParameters } from '../http/paging.js';
import { LogoUrl } from '../logo/schema.js';
import { MonitorId, Tag } from '../monitors/schema.js';
import { idPattern } from '../storage/ids.js';
import { REPORT_EXAMPLE, REQUEST_EXAMPLE } from './examples.js';
import { PERIOD_DAYS_DEFAULT, PERIOD_DAYS_MAX } from './period.js';
import { SECTION_TITLES, SECTIONS, type SectionName } from './sections.js';

const closed = { additionalProperties: false } as const;
const TIME_ZONE_CHARS_MAX = 64;
export const COLOR_DEFAULT = '#1f4e79';
const PAPER_SIZES = ['A4', 'Letter'] as const;
export type PaperSize = (typeof PAPER_SIZES)[number];
export const PAPER_SIZE_DEFAULT: PaperSize = 'A4';
const MONITOR_IDS_MAX = 200;
export const TAGS_MAX = 20;

export const Timestamp = Type.String({ format: 'date-time', examples: ['2026-01-31T12:00:00.000Z'] });
/** Not a `date-time`: a day is none. */
const TimestampOrDay = (ofDay: string) =>
  Type.String({
    maxLength: 64,
    description: `An RFC 3339 timestamp, or a day in \`time_zone\`: ${ofDay}.`,
    examples: ['2026-01-31'],
  });
export const Color = Type.String({
  pattern: '^#[0-9A-Fa-f]{6}$',
  description: 'Of the cover, headings and charts, as `#rrggbb`.',
  examples: [COLOR_DEFAULT],
});
export const Title = Name({ examples: ['Website report, January 2026'] });
export const ClientName = Name({ examples: ['Example Ltd'] });

/** Returns an object schema with a field for each section. */
function bySection<Field extends Type.TSchema>(fieldOf: (name: SectionName) => Field): Record<SectionName, Field> {
  return Object.fromEntries(SECTIONS.map((name) => [name, fieldOf(name)])) as Record<SectionName, Field>;
}

const Chosen = Type.Union([Type.Boolean(), Type.Literal('if_data')]);
const MonitorIdList = Type.Array(MonitorId.properties.id, { maxItems: MONITOR_IDS_MAX });
const TagList = Type.Array(Tag, { maxItems: TAGS_MAX });
const MONITORS_TEXT =
  'The monitors that the report is about: those with one of the ids or one of the tags. Then it has only the incidents of these, and the blacklist targets that are their hosts or domains above these.';
export const PaperSize = Type.Enum(PAPER_SIZES, { default: PAPER_SIZE_DEFAULT });

export const TimeZone = Text({
  minLength: 1,
  maxLength: TIME_ZONE_CHARS_MAX,
  default: 'UTC',
  description: 'The time zone of the days and times in the report, by its name in the IANA database.',
  examples: ['Europe/Berlin'],
});
export const SectionsInput = Type.Object(
  bySection((name) => Type.Optional({ ...Chosen, default: true, description: SECTION_TITLES[name] })),
  {
    ...closed,
    description:
      'Sections that are not named are included. `if_data` includes a section only if it has something to say.',
  },
);
export const MonitorsInput = Type.Object(
  { ids: Type.Optional(MonitorIdList), tags: Type.Optional(TagList) },
  { ...closed, minProperties: 1, description: `${MONITORS_TEXT} Defaults to all monitors.` },
);
export const SectionsShown = Type.Object(
  bySection((name) => ({ ...Chosen, description: SECTION_TITLES[name] })),
  closed,
);
export const MonitorsShown = nullable(Type.Object({ ids: MonitorIdList, tags: TagList }, closed), {
  description: `${MONITORS_TEXT} null for all.`,
});
export const BrandingShown = Type.Object({ color: Color, has_logo: Type.Boolean() }, closed);

export const ReportId = Type.Object({ id: Type.String({ pattern: idPattern('rpt') }) }, closed);

export const CreateReport = Type.Object(
  {
    title: Title,
    client_name: ClientName,
    period: Type.Optional(
      Type.Object(
        { from: TimestampOrDay('its beginning'), to: TimestampOrDay('its end') },
        {
          ...closed,
          description: `Defaults to the last ${PERIOD_DAYS_DEFAULT} days, and has at most ${PERIOD_DAYS_MAX}. Both ends are rounded down to full hours, except for an end within the current hour.`,
        },
      ),
    ),
    time_zone: Type.Optional(TimeZone),
    sections: Type.Optional(SectionsInput),
    monitors: Type.Optional(MonitorsInput),
    paper_size: Type.Optional(PaperSize),
    branding: Type.Optional(Type.Object({ color: Type.Optional(Color), logo: Type.Optional(LogoUrl) }, closed)),
  },
  { ...closed, title: 'CreateClientReport', examples: [REQUEST_EXAMPLE] },
);
export type CreateReport = Static<typeof CreateReport>;

export const Report = Type.Object(
  {
    id: ReportId.properties.id,
    title: Title,
    client_name: ClientName,
    period: Type.Object({ from: Timestamp, to: Timestamp }, closed),
    time_zone: Type.String(),
    sections: SectionsShown,
    monitors: MonitorsShown,
    paper_size: PaperSize,
    branding: BrandingShown,
    schedule_id: nullable(Type.String({ pattern: idPattern('sch') }), {
      description: 'The schedule that made the report; null for one that a person or a key created.',
    }),
    status: Type.Enum(['generating', 'completed', 'failed'], {
      description: 'A report is generated in the background. Only a completed one can be downloaded.',
    }),
    error: nullable(Type.String(), { description: 'Why the generation failed; null unless it did.' }),
    pages: nullable(Type.Integer({ minimum: 1 })),
    size_bytes: nullable(Type.Integer({ minimum: 1 })),
    sha256: nullable(Type.String({ pattern: '^[0-9a-f]{64}$' }), { description: 'Of the file.' }),
    verification_code: Type.String({
      description: 'Stands on the last page. The public page `/verify/{code}` confirms the report with it.',
    }),
    created_at: Timestamp,
    completed_at: nullable(Timestamp),
  },
  { ...closed, title: 'ClientReport', examples: [REPORT_EXAMPLE] },
);
export type Report = Static<typeof Report>;

export const ListReports = Type.Object(PageParameters, closed);
