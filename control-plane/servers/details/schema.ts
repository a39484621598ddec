import { type Static, Type } from 'typebox';
import { nullable } from '../../http/input/nullable.js';
import { PageParameters } from '../../http/paging.js';
import { DISK_EXAMPLE, INTERFACE_EXAMPLE, PROCESSES_EXAMPLE } from './examples.js';

const closed = { additionalProperties: false } as const;

const Timestamp = Type.String({ format: 'date-time', examples: ['2026-01-31T12:00:00.000Z'] });

export const DeviceQuery = Type.Object(PageParameters, closed);

const Process = Type.Object(
  {
    pid: Type.Integer(),
    name: Type.String(),
    user: Type.String(),
    cpu_percent: Type.Number({ description: 'Percent of one core: 200 is two cores.' }),
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
    read_rate: nullable(Type.Number({ description: 'Bytes per second of the block device.' })),
    write_rate: nullable(Type.Number({ description: 'Bytes per second of the block device.' })),
    forecast: nullable(
      Type.Object(
        {
          full_at: Timestamp,
          points_per_hour: Type.Number({ description: 'Growth in percentage points per hour.' }),
        },
        {
          ...closed,
          description:
            'When the steady growth of the last six hours fills the file system: the trend that alert rules of type `disk_full` evaluate. null without steady growth, with less than three hours of samples, and if the server is not online.',
        },
      ),
    ),
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
