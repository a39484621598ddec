import { type Static, Type } from 'typebox';
import { nullable } from '../http/input/nullable.js';
import { Name, NO_CONTROLS_PATTERN, Text } from '../http/input/text.js';
import { PageParameters } from '../http/paging.js';
import { idPattern } from '../storage/ids.js';
import { DISK_EXAMPLE, INTERFACE_EXAMPLE, JOIN_TOKEN_EXAMPLE, PROCESSES_EXAMPLE, SERVER_EXAMPLE } from './examples.js';

const TAGS_MAX = 20;
const TAG_CHARS_MAX = 50;
const QUERY_CHARS_MAX = 200;
const closed = { additionalProperties: false } as const;

const Timestamp = Type.String({ format: 'date-time', examples: ['2026-01-31T12:00:00.000Z'] });
const Status = Type.Enum(['pending', 'online', 'offline'], {
  description: '`offline` after three missed reports, `pending` before the first.',
});
const Tag = Text({ minLength: 1, maxLength: TAG_CHARS_MAX, examples: ['production'] });
const Tags = Type.Array(Tag, { maxItems: TAGS_MAX, uniqueItems: true });

export const ServerId = Type.Object(
  { id: Type.String({ pattern: idPattern('srv'), examples: [SERVER_EXAMPLE.id] }) },
  closed,
);

const metric = (description: string) => nullable(Type.Number({ minimum: 0, description }));
const wholeMetric = (description: string) => nullable(Type.Integer({ minimum: 0, description }));

/** The latest value of each metric of the whole server; null where the agent cannot read it. */
const LatestMetrics = Type.Object(
  {
    cpu_percent: metric('Percent.'),
    mem_used_percent: metric('Percent.'),
    disk_used_percent: metric('Percent, of the fullest real file system.'),
    load_1: metric('Load average of one minute.'),
    load_5: metric('Load average of five minutes.'),
    load_15: metric('Load average of fifteen minutes.'),
    net_bytes_recv_rate: wholeMetric('Bytes a second.'),
    net_bytes_sent_rate: wholeMetric('Bytes a second.'),
    swap_used_percent: metric('Percent.'),
    mem_used_bytes: wholeMetric('Bytes.'),
    disk_read_rate: wholeMetric('Bytes a second.'),
    disk_write_rate: wholeMetric('Bytes a second.'),
    processes: wholeMetric('Count.'),
    tcp_connections: wholeMetric('Established connections.'),
    uptime_seconds: wholeMetric('Seconds since the server was started.'),
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
    devices_left_out: Type.Integer({ description: 'Devices beyond what a report may hold.' }),
  },
  closed,
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
    status_changed_at: Timestamp,
    agent_version: Type.String(),
    report_interval_seconds: Type.Number(),
    last_seen_at: nullable(Timestamp),
    tags: Type.Array(Type.String()),
    metrics: nullable(LatestMetrics),
    inventory: nullable(Inventory),
    reports_dropped: Type.Object(
      {
        too_old: Type.Integer({ description: 'Older than the plan keeps raw metrics.' }),
        values: Type.Integer({ description: 'Single values that were unknown, impossible or too many.' }),
        on_server: Type.Integer({ description: 'Reports that the agent’s disk had no place for.' }),
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
      Type.String({
        minLength: 1,
        maxLength: QUERY_CHARS_MAX,
        pattern: NO_CONTROLS_PATTERN,
        description: 'Part of the name, the host name or the address.',
        examples: ['web'],
      }),
    ),
    tag: Type.Optional(Tag),
    ...PageParameters,
  },
  closed,
);
export type ListServers = Static<typeof ListServers>;

export const DeviceQuery = Type.Object(PageParameters, closed);

export const UpdateServer = Type.Object(
  { name: Type.Optional(Name({ examples: ['web-1'] })), tags: Type.Optional(Tags) },
  { ...closed, minProperties: 1, title: 'UpdateServer' },
);
export type UpdateServer = Static<typeof UpdateServer>;

export const CreateServerToken = Type.Object({}, { ...closed, title: 'CreateServerToken' });

export const ServerJoinToken = Type.Object(
  {
    token: Type.String({ description: 'Good for one server, shown this once.' }),
    install_command: Type.String({ description: 'To be pasted into the server’s shell.' }),
    expires_at: Timestamp,
  },
  { ...closed, title: 'ServerJoinToken', examples: [JOIN_TOKEN_EXAMPLE] },
);
export type ServerJoinToken = Static<typeof ServerJoinToken>;

const Process = Type.Object(
  {
    pid: Type.Integer(),
    name: Type.String(),
    user: Type.String(),
    cpu_percent: Type.Number({ description: 'Of one core: 200 is two cores.' }),
    memory_bytes: Type.Integer(),
    memory_percent: Type.Number(),
    started_at: nullable(Timestamp),
  },
  closed,
);

export const Processes = Type.Object(
  {
    server_id: Type.String(),
    sampled_at: Timestamp,
    total: Type.Integer(),
    by_cpu: Type.Array(Process),
    by_memory: Type.Array(Process),
  },
  { ...closed, title: 'Processes', examples: [PROCESSES_EXAMPLE] },
);
export type Processes = Static<typeof Processes>;

export const ServerDisk = Type.Object(
  {
    mount: Type.String(),
    device: Type.String(),
    type: Type.String(),
    size_bytes: Type.Integer(),
    used_bytes: Type.Integer(),
    available_bytes: Type.Integer(),
    used_percent: nullable(Type.Number()),
    inodes_used_percent: nullable(Type.Number()),
    block_device: nullable(Type.String()),
    read_rate: nullable(Type.Number({ description: 'Bytes a second of the block device.' })),
    write_rate: nullable(Type.Number({ description: 'Bytes a second of the block device.' })),
  },
  { ...closed, title: 'ServerDisk', examples: [DISK_EXAMPLE] },
);
export type ServerDisk = Static<typeof ServerDisk>;

export const ServerInterface = Type.Object(
  {
    name: Type.String(),
    mac: nullable(Type.String()),
    addresses: Type.Array(Type.String()),
    speed_mbps: nullable(Type.Integer()),
    up: Type.Boolean(),
    bytes_recv_rate: nullable(Type.Number()),
    bytes_sent_rate: nullable(Type.Number()),
  },
  { ...closed, title: 'ServerInterface', examples: [INTERFACE_EXAMPLE] },
);
export type ServerInterface = Static<typeof ServerInterface>;
