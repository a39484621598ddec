import { type Static, Type } from 'typebox';
import { PageParameters } from '../http/paging.js';
import { Text } from '../http/text.js';
import { idPattern } from '../storage/ids.js';

const CANARY_TARGETS_MAX = 10;
const URL_CHARS_MAX = 2_048;
const closed = { additionalProperties: false } as const;

const Timestamp = Type.String({ format: 'date-time', examples: ['2026-01-31T12:00:00.000Z'] });

const CODE = { pattern: '^[a-z0-9]{2,8}$', examples: ['fra'] };
const City = Text({ minLength: 1, maxLength: 100, examples: ['Frankfurt'] });
const Region = Text({ minLength: 1, maxLength: 100, examples: ['EU-Central'] });
const CanaryTargets = Type.Array(Text({ minLength: 1, maxLength: URL_CHARS_MAX, examples: ['https://example.com/'] }), {
  maxItems: CANARY_TARGETS_MAX,
  uniqueItems: true,
  description:
    'What a probe of the location tries when the location itself is in doubt: `http://…`, `https://…`, `tcp://host:port`, or a host to ping.',
});

export const LocationCode = Type.Object({ code: Type.String(CODE) }, closed);
export const CreateLocation = Type.Object(
  { code: Type.String(CODE), city: City, region: Region, canary_targets: Type.Optional(CanaryTargets) },
  closed,
);
export const UpdateLocation = Type.Object(
  { city: Type.Optional(City), region: Type.Optional(Region), canary_targets: Type.Optional(CanaryTargets) },
  { ...closed, minProperties: 1 },
);
export const PageQuery = Type.Object(PageParameters, closed);

export const AdminLocation = Type.Object(
  {
    code: Type.String(CODE),
    city: City,
    region: Region,
    canary_targets: CanaryTargets,
    connected_probes: Type.Integer(),
    quarantined: Type.Boolean({ description: 'Whether its votes are void because its own network seems broken.' }),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  closed,
);
export type AdminLocation = Static<typeof AdminLocation>;

const Percentiles = Type.Object({ p50_ms: Type.Number(), p99_ms: Type.Number() }, closed);

export const Location = Type.Object(
  {
    code: Type.String(CODE),
    city: City,
    region: Region,
    connected_probes: Type.Integer({ description: 'Probes with a live connection.' }),
    schedule_lateness: Type.Union([Percentiles, Type.Null()], {
      description: 'How late checks started, over the last hour. null when none ran.',
    }),
    detection_delay: Type.Union([Percentiles, Type.Null()], {
      description:
        'From the first failed check to the confirmed incident, over the last hour. null without an incident.',
    }),
  },
  closed,
);
export type Location = Static<typeof Location>;

export const ProbeId = Type.Object({ id: Type.String({ pattern: idPattern('prb') }) }, closed);
export const UpdateProbe = Type.Object(
  {
    drained: Type.Boolean({
      description: 'A drained probe checks nothing; it delivers what it has and stays connected.',
    }),
  },
  closed,
);
export const PROBE_STATES = ['connected', 'disconnected', 'drained', 'revoked'] as const;
const Count = Type.Integer({ minimum: 0 });
const NullableCount = Type.Union([Count, Type.Null()]);

export const Probe = Type.Object(
  {
    id: Type.String({ pattern: idPattern('prb') }),
    location: Type.String(CODE),
    version: Type.String(),
    hostname: Type.String(),
    state: Type.Enum(PROBE_STATES, { description: '`drained` tells nothing of the connection; see `connected`.' }),
    connected: Type.Boolean(),
    lag_ms: Type.Union([Count, Type.Null()], { description: 'Age of the oldest result that is not yet stored here.' }),
    spool_records: NullableCount,
    spool_bytes: NullableCount,
    dropped_total: Type.Union([Count, Type.Null()], { description: 'Results lost because the probe’s disk was full.' }),
    assignments: NullableCount,
    schedule_lateness: Type.Union([Percentiles, Type.Null()], { description: 'Of the last minute.' }),
    canary_ok: Type.Union([Type.Boolean(), Type.Null()], { description: 'null without canary targets.' }),
    enrolled_at: Timestamp,
    last_seen_at: Type.Union([Timestamp, Type.Null()]),
  },
  closed,
);
export type Probe = Static<typeof Probe>;

export const CreateJoinToken = Type.Object({ location: Type.String(CODE) }, closed);
export const JoinToken = Type.Object(
  {
    token: Type.String({ description: 'Shown only here. Good for one probe.' }),
    install_command: Type.String(),
    expires_at: Timestamp,
  },
  closed,
);
export type JoinToken = Static<typeof JoinToken>;
