import { type Static, Type } from 'typebox';
import { nullable } from '../http/input/nullable.js';

const closed = { additionalProperties: false };
const Time = Type.String({ format: 'date-time', examples: ['2026-01-31T12:00:00.000Z'] });
const Ok = (description: string) => Type.Boolean({ description });
const Count = Type.Integer({ minimum: 0 });

const ControlPlane = Type.Object(
  {
    id: Type.String({ description: 'Another one after each start.', examples: ['5d41402abc4b2a76'] }),
    version: Type.String({ examples: ['1.0.0'] }),
    state: Type.Enum(['running', 'stopped', 'lost'], {
      description: '`stopped`: in an orderly way. `lost`: not heard for 15 s.',
    }),
    ok: Ok('false if it is lost, or its clock is more than 1 s from that of the database.'),
    started_at: Time,
    seen_at: Time,
    clock_offset_ms: Type.Integer({ description: 'By how much its clock is ahead of that of the database.' }),
    event_streams: Type.Integer({ minimum: 0, description: 'Open streams of `GET /v1/events`.' }),
    node_streams: Type.Integer({ minimum: 0, description: 'Probes and agents that are connected to it.' }),
    tasks: Type.Array(Type.String(), {
      description: 'Tasks that one control plane at a time does, and this one does now.',
      examples: [['rollup']],
    }),
  },
  closed,
);

const Member = Type.Object(
  {
    host: Type.String({ examples: ['db-1.example.com:27017'] }),
    state: Type.String({ examples: ['SECONDARY'] }),
    lag_ms: nullable(Count, {
      description: 'How far it is behind the primary. null for the primary, and if it is not known.',
    }),
    ok: Ok('false if the primary cannot reach it, or it is more than 10 s behind.'),
  },
  closed,
);

const BacklogView = Type.Object(
  {
    name: Type.String({
      description:
        '`notifications`, `mails`, `audit_forwarding`, `bulk_changes` or `results` (to be rolled up into history).',
      examples: ['notifications'],
    }),
    waiting: Count,
    has_more: Type.Boolean({ description: 'Picket stopped counting: at least `waiting` wait.' }),
    oldest_seconds: nullable(Count, {
      description: 'How long the oldest one has waited since it was due. null if none is due.',
    }),
    late_seconds: Type.Integer({ description: 'The oldest one waits longer than this only if something is wrong.' }),
    ok: Ok('false if the oldest one has waited for more than `late_seconds`.'),
  },
  closed,
);

export const Health = Type.Object(
  {
    control_planes: Type.Array(ControlPlane, {
      description: 'Those of the last hour, those heard last first; at most 50.',
    }),
    database: Type.Object(
      {
        latency_ms: Type.Integer({ minimum: 0, description: 'How long the primary took to answer.' }),
        ok: Ok('false if it took more than 1 s.'),
        members: nullable(Type.Array(Member), {
          description: 'null if the user of the database lacks the role `clusterMonitor`.',
        }),
      },
      closed,
    ),
    backlogs: Type.Array(BacklogView, { description: 'Work that waits until a control plane does it.' }),
  },
  { ...closed, title: 'InstallationHealth' },
);
export type Health = Static<typeof Health>;
