import { type Static, Type } from 'typebox';
import { nullable } from '../http/input/nullable.js';
import { Name, Text, Verbatim } from '../http/input/text.js';
import { PageParameters } from '../http/paging.js';
import { LogoUrl } from '../logo/schema.js';
import { idPattern } from '../storage/ids.js';
import { HOST_PROOFS, VISIBILITIES } from './documents.js';
import { PAGE_EXAMPLE, REQUEST_EXAMPLE } from './examples.js';

const GROUPS_MAX = 20;
/** Of all groups together: a page of them is small enough for a telephone network. */
export const COMPONENTS_MAX = 50;
const SLUG_CHARS_MIN = 3;
const SLUG_CHARS_MAX = 63;
const TITLE_CHARS_MAX = 100;
const COMPONENT_NAME_CHARS_MAX = 80;
const COMPONENT_TEXT_CHARS_MAX = 200;
const DESCRIPTION_CHARS_MAX = 500;
const TIME_ZONE_CHARS_MAX = 64;
const TAG_CHARS_MAX = 50;
const PASSWORD_CHARS_MIN = 8;
const PASSWORD_CHARS_MAX = 200;
const HOST_NAMES_MAX = 5;
const HOST_NAME_CHARS_MAX = 300;
const INCIDENT_MINUTES_MAX = 1_440;
export const INCIDENT_MINUTES_DEFAULT = 5;
export const COLOR_DEFAULT = '#1f4e79';

const closed = { additionalProperties: false } as const;
const Time = Type.String({ format: 'date-time', examples: ['2026-01-31T12:00:00.000Z'] });

export const StatusPageId = Type.Object({ id: Type.String({ pattern: idPattern('stp') }) }, closed);
export const ListStatusPages = Type.Object(PageParameters, closed);

const Slug = Type.String({
  minLength: SLUG_CHARS_MIN,
  maxLength: SLUG_CHARS_MAX,
  pattern: '^[a-z0-9]+(?:-[a-z0-9]+)*$',
  description:
    'The last part of the address of the page. Lower-case letters, digits and single hyphens. No other page of the installation can have it.',
  examples: ['example'],
});
const Color = Type.String({
  pattern: '^#[0-9A-Fa-f]{6}$',
  description: 'Of the line above the title, as `#rrggbb`. Colours of states do not change.',
  examples: [COLOR_DEFAULT],
});
const MonitorId = Type.String({ pattern: idPattern('mon') });
const ServerId = Type.String({ pattern: idPattern('srv') });
const Tag = Text({ minLength: 1, maxLength: TAG_CHARS_MAX, examples: ['production'] });

const ComponentInput = Type.Object(
  {
    id: Type.Optional(
      Type.String({
        pattern: idPattern('cmp'),
        description:
          'Of a component that the page has already, which keeps its badge and its incidents. Omit it for a new one.',
      }),
    ),
    name: Text({
      minLength: 1,
      maxLength: COMPONENT_NAME_CHARS_MAX,
      description: 'Public. The name of the monitor or server is not shown.',
      examples: ['Checkout'],
    }),
    description: Type.Optional(
      nullable(Text({ minLength: 1, maxLength: COMPONENT_TEXT_CHARS_MAX }), { default: null }),
    ),
    monitor_id: Type.Optional(nullable(MonitorId)),
    server_id: Type.Optional(nullable(ServerId)),
    tag: Type.Optional(
      nullable(Tag, { description: 'Everything that has the tag, also what gets it later. The worst state counts.' }),
    ),
    show_each: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'With `tag`: each monitor and server that has the tag gets a line of its own. Their names in Picket become public.',
      }),
    ),
  },
  { ...closed, description: 'Exactly one of `monitor_id`, `server_id` and `tag` says what it shows.' },
);

const GroupInput = Type.Object(
  {
    name: Type.Optional(nullable(Text({ minLength: 1, maxLength: COMPONENT_NAME_CHARS_MAX }), { default: null })),
    components: Type.Array(ComponentInput, { maxItems: COMPONENTS_MAX }),
  },
  closed,
);
export type GroupInput = Static<typeof GroupInput>;

const optionalFields = {
  description: Type.Optional(
    nullable(Text({ minLength: 1, maxLength: DESCRIPTION_CHARS_MAX }), { description: 'Public, below the title.' }),
  ),
  time_zone: Type.Optional(
    Text({
      minLength: 1,
      maxLength: TIME_ZONE_CHARS_MAX,
      default: 'UTC',
      description: 'The time zone of the days and times on the page, by its name in the IANA database.',
      examples: ['Europe/Berlin'],
    }),
  ),
  color: Type.Optional(Color),
  groups: Type.Optional(
    Type.Array(GroupInput, {
      maxItems: GROUPS_MAX,
      description: `What the page shows, in this order. At most ${COMPONENTS_MAX} components in all groups together. An update replaces all groups.`,
    }),
  ),
  incidents_after_minutes: Type.Optional(
    nullable(Type.Integer({ minimum: 0, maximum: INCIDENT_MINUTES_MAX }), {
      default: INCIDENT_MINUTES_DEFAULT,
      description:
        'After so many minutes, the outage of a component is on the page as an incident, in neutral words. null: never.',
    }),
  ),
  visibility: Type.Optional(
    Type.Enum([...VISIBILITIES], {
      default: 'public',
      description:
        'Who sees the page, its feed and its badges. `password`: who knows `password`. `members`: members of the workspace who are logged in.',
    }),
  ),
  host_names: Type.Optional(
    Type.Array(Text({ minLength: 1, maxLength: HOST_NAME_CHARS_MAX, examples: ['status.example.com'] }), {
      maxItems: HOST_NAMES_MAX,
      default: [],
      description:
        'Names of your own under which the page is reached too, once each is verified: `hosts` says which record that needs. The first verified one is the main address of the page.',
    }),
  ),
  logo: Type.Optional(
    nullable(LogoUrl, { description: 'Above the title of the page. null removes it.', default: null }),
  ),
  password: Type.Optional(
    Verbatim({
      minLength: PASSWORD_CHARS_MIN,
      maxLength: PASSWORD_CHARS_MAX,
      writeOnly: true,
      description: 'With `visibility` `password`. A new one locks out everybody who has entered the one before.',
    }),
  ),
};
const Title = Name({ maxLength: TITLE_CHARS_MAX, description: 'Public.', examples: ['Example Ltd'] });

export const CreateStatusPage = Type.Object(
  { slug: Slug, title: Title, ...optionalFields },
  { ...closed, title: 'CreateStatusPage', examples: [REQUEST_EXAMPLE] },
);
export type CreateStatusPage = Static<typeof CreateStatusPage>;

export const UpdateStatusPage = Type.Object(
  { slug: Type.Optional(Slug), title: Type.Optional(Title), ...optionalFields },
  { ...closed, title: 'UpdateStatusPage', examples: [{ title: 'Example Ltd' }] },
);
export type UpdateStatusPage = Static<typeof UpdateStatusPage>;

const Component = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    description: nullable(Type.String()),
    monitor_id: nullable(Type.String()),
    server_id: nullable(Type.String()),
    tag: nullable(Type.String()),
    show_each: Type.Boolean(),
  },
  closed,
);

const Host = Type.Object(
  {
    name: Type.String({ description: 'In lower case, and in punycode if it has other letters than ASCII.' }),
    url: Type.String({ description: 'The address of the page under this name.' }),
    verified_at: nullable(Time, {
      description: 'null: Picket serves nothing under this name yet, because no record shows that it is yours.',
    }),
    verified_by: nullable(Type.Enum([...HOST_PROOFS]), {
      description:
        '`txt`: the record below. `cname`: the name is an alias of `cname`, which is enough if no other workspace has the name at a page.',
    }),
    checked_at: nullable(Time, { description: 'When Picket last looked up the records.' }),
    record: Type.Object(
      { type: Type.Literal('TXT'), name: Type.String(), value: Type.String() },
      { ...closed, description: 'The DNS record that verifies the name.' },
    ),
    cname: nullable(Type.String(), {
      description: 'The name of which `name` can be a CNAME. null: Picket has only an IP address.',
    }),
  },
  closed,
);

export const StatusPage = Type.Object(
  {
    id: StatusPageId.properties.id,
    slug: Type.String(),
    url: Type.String({ description: 'The public address of the page.' }),
    title: Type.String(),
    description: nullable(Type.String()),
    time_zone: Type.String(),
    color: Type.String(),
    groups: Type.Array(Type.Object({ name: nullable(Type.String()), components: Type.Array(Component) }, closed)),
    incidents_after_minutes: nullable(Type.Integer()),
    visibility: Type.Enum([...VISIBILITIES]),
    has_password: Type.Boolean(),
    logo_url: nullable(Type.String(), {
      description: 'The public address of the logo, for those who may see the page; null without one.',
    }),
    host_names: Type.Array(Type.String()),
    hosts: Type.Array(Host, { description: 'What is known of each of `host_names`.' }),
    created_by: Type.String({ description: 'E-mail address, or the name of the API key.' }),
    created_at: Time,
    updated_at: Time,
  },
  { ...closed, title: 'StatusPage', examples: [PAGE_EXAMPLE] },
);
export type StatusPage = Static<typeof StatusPage>;
