import { type Static, Type } from 'typebox';
import { nullable } from '../http/input/nullable.js';
import { Name, SearchText, Text } from '../http/input/text.js';
import { PageParameters } from '../http/paging.js';
import { idPattern } from '../storage/ids.js';
import { JOIN_TOKEN_EXAMPLE, SERVER_EXAMPLE } from './examples.js';

const TAGS_MAX = 20;
const TAG_CHARS_MAX = 50;
const FORECAST_HOURS_MAX = 8_760;
const closed = { additionalProperties: false } as const;

const Timestamp = Type.String({ format: 'date-time', examples: ['2026-01-31T12:00:00.000Z'] });
const Status = Type.Enum(['pending', 'online', 'offline'], {
  description:
    '`pending`: no sample has arrived. `online`: samples arrive. `offline`: three samples in a row are missing.',
});
const Tag = Text({ minLength: 1, maxLength: TAG_CHARS_MAX, examples: ['production'] });
const Tags = Type.Array(Tag, { maxItems: TAGS_MAX, uniqueItems: true });

export const ServerId = Type.Object(
  { id: Type.String({ pattern: idPattern('srv'), examples: [SERVER_EXAMPLE.id] }) },
  closed,
);

const metric = (description: string) => nullable(Type.Number({ minimum: 0, description }));
const wholeMetric = (description: string) => nullable(Type.Integer({ minimum: 0, description }));

/** The latest value of each metric of the whole server; null if the agent cannot read it. */
const LatestMetrics = Type.Object(
  {
    cpu_percent: metric('Percent.'),
    mem_used_percent: metric('Percent.'),
    disk_used_percent: metric('Percent, of the fullest real file system.'),
    load_1: metric('Load average over one minute.'),
    load_5: metric('Load average over five minutes.'),
    load_15: metric('Load average over fifteen minutes.'),
    net_bytes_recv_rate: wholeMetric('Bytes per second.'),
    net_bytes_sent_rate: wholeMetric('Bytes per second.'),
    swap_used_percent: metric('Percent.'),
    mem_used_bytes: wholeMetric('Bytes.'),
    disk_read_rate: wholeMetric('Bytes per second.'),
    disk_write_rate: wholeMetric('Bytes per second.'),
    processes: wholeMetric('Count.'),
    tcp_connections: wholeMetric('Established connections.'),
    uptime_seconds: wholeMetric('Seconds since the server booted.'),
    updated_at: Timestamp,
  },
  closed,
);
export type LatestMetrics = Static<typeof LatestMetrics>;

const Inventory = Type.Object(
  {
    architecture: Type.String(),
    cpu_model: Type.String(),
    cpu_cores: Type.Integer(),
    memory_bytes: Type.Integer(),
    swap_bytes: Type.Integer(),
    virtualization: nullable(Type.String()),
    booted_at: nullable(Timestamp),
    devices_left_out: Type.Integer({ description: 'Number of devices beyond the limit of a sample.' }),
  },
  closed,
);

const DiskForecast = Type.Object(
  {
    mount: Type.String(),
    used_percent: Type.Number({ minimum: 0, description: 'When the forecast was computed.' }),
    points_per_hour: Type.Number({ description: 'Growth in percentage points per hour.' }),
    full_at: Timestamp,
    hours_until_full: Type.Number({ minimum: 0, description: 'From `computed_at` to `full_at`.' }),
    computed_at: Timestamp,
  },
  {
    ...closed,
    description:
      'The file system that will be full first if it goes on growing as in the last six hours; computed every five minutes. null without steady growth, with less than three hours of samples, and if the server is not online.',
  },
);

/** A server as the API shows it. */
export const Server = Type.Object(
  {
    id: Type.String({ pattern: idPattern('srv') }),
    name: Type.String(),
    hostname: Type.String(),
    ip: nullable(Type.String()),
    os: nullable(Type.String()),
    kernel: nullable(Type.String()),
    status: Status,
    status_as_of: Type.String({
      format: 'date-time',
      examples: ['2026-01-31T12:00:00.000Z'],
      description:
        'The time up to which the status is known. While no control plane runs, and for a minute after one returns, a server keeps its last status. `online`: when the latest sample arrived. Otherwise: until when Picket could receive samples, usually now.',
    }),
    status_changed_at: Timestamp,
    agent_version: Type.String(),
    report_interval_seconds: Type.Number(),
    last_seen_at: nullable(Timestamp),
    tags: Type.Array(Type.String()),
    metrics: nullable(LatestMetrics),
    disk_forecast: nullable(DiskForecast),
    inventory: nullable(Inventory),
    reports_dropped: Type.Object(
      {
        too_old: Type.Integer({ description: 'Samples older than the plan keeps raw metrics.' }),
        values: Type.Integer({ description: 'Values that were unknown, invalid or beyond the limit of a sample.' }),
        on_server: Type.Integer({ description: 'Samples that the agent dropped because its disk was full.' }),
      },
      closed,
    ),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { ...closed, title: 'Server', examples: [SERVER_EXAMPLE] },
);
export type Server = Static<typeof Server>;

export const ListServers = Type.Object(
  {
    status: Type.Optional(Status),
    q: Type.Optional(
      SearchText({
        description: 'Part of the name, the host name or the IP address.',
        examples: ['web'],
      }),
    ),
    tag: Type.Optional(Tag),
    disk_full_within_hours: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: FORECAST_HOURS_MAX,
        description:
          'Only online servers whose `disk_forecast` says that a file system will be full within these hours.',
      }),
    ),
    ...PageParameters,
  },
  closed,
);
export type ListServers = Static<typeof ListServers>;

export const UpdateServer = Type.Object(
  { name: Type.Optional(Name({ examples: ['web-1'] })), tags: Type.Optional(Tags) },
  { ...closed, minProperties: 1, title: 'UpdateServer' },
);
export type UpdateServer = Static<typeof UpdateServer>;

export const CreateServerToken = Type.Object({}, { ...closed, title: 'CreateServerToken' });

export const ServerJoinToken = Type.Object(
  {
    id: Type.String(),
    token: Type.String({ description: 'Valid for one server. Only shown in this response.' }),
    install_command: Type.String({ description: 'Run it in the shell of the server.' }),
    agent_address: Type.String({
      description:
        'Host and port that the server must reach. Several control planes have several, separated by commas.',
    }),
    expires_at: Timestamp,
  },
  { ...closed, title: 'ServerJoinToken', examples: [JOIN_TOKEN_EXAMPLE] },
);
export type ServerJoinToken = Static<typeof ServerJoinToken>;
