import { type Static, Type } from 'typebox';
import { Text } from '../http/input/text.js';
import { PageParameters } from '../http/paging.js';
import { idPattern } from '../storage/ids.js';
import { JOIN_TOKEN_ID, JoinTokenView } from './join-token.js';

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
    'Targets that probes of the location check to find out whether its own network works: `http://…`, `https://…`, `tcp://host:port`, or a host to ping.',
});

export const LocationCode = Type.Object({ code: Type.String(CODE) }, closed);
export const CreateLocation = Type.Object(
  { code: Type.String(CODE), city: City, region: Region, canary_targets: Type.Optional(CanaryTargets) },
  { ...closed, title: 'CreateLocation', examples: [{ code: 'ams', city: 'Amsterdam', region: 'EU-West' }] },
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
    connected_probes: Type.Integer({ description: 'Connected probes that may check.', examples: [2] }),
    quarantined: Type.Boolean({
      examples: [false],
      description: 'Whether its votes are ignored because its own network seems to fail.',
    }),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { ...closed, title: 'AdminLocation' },
);
export type AdminLocation = Static<typeof AdminLocation>;

const Percentiles = Type.Object(
  { p50_ms: Type.Number(), p99_ms: Type.Number() },
  { ...closed, examples: [{ p50_ms: 1, p99_ms: 4 }] },
);

export const Location = Type.Object(
  {
    code: Type.String(CODE),
    city: City,
    region: Region,
    connected_probes: Type.Integer({
      description: 'Connected probes that may check: drained ones do not.',
      examples: [2],
    }),
    schedule_lateness: Type.Union([Percentiles, Type.Null()], {
      description: 'How late checks started in the last hour; null without checks.',
    }),
    detection_delay: Type.Union([Percentiles, Type.Null()], {
      examples: [{ p50_ms: 5_204, p99_ms: 5_861 }],
      description:
        'Time from the first failed check to the confirmed incident in the last hour; null without incidents.',
    }),
  },
  { ...closed, title: 'Location' },
);
export type Location = Static<typeof Location>;

export const ProbeId = Type.Object({ id: Type.String({ pattern: idPattern('prb') }) }, closed);
export const UpdateProbe = Type.Object(
  {
    drained: Type.Boolean({
      description: 'A drained probe stops checking. It delivers its stored results and stays connected.',
    }),
  },
  closed,
);
const PROBE_STATES = ['connected', 'disconnected', 'drained', 'revoked'] as const;
const Count = Type.Integer({ minimum: 0, examples: [0] });
const NullableCount = Type.Union([Count, Type.Null()]);

export const Probe = Type.Object(
  {
    id: Type.String({ pattern: idPattern('prb') }),
    location: Type.String(CODE),
    version: Type.String({ examples: ['0.1.0'] }),
    hostname: Type.String({ examples: ['probe-fra-1'] }),
    state: Type.Enum(PROBE_STATES, { description: 'A `drained` probe can be connected or not; see `connected`.' }),
    connected: Type.Boolean(),
    lag_ms: Type.Union([Count, Type.Null()], { description: 'Age of the oldest result that is not delivered yet.' }),
    spool_records: NullableCount,
    spool_bytes: NullableCount,
    dropped_total: Type.Union([Count, Type.Null()], {
      description: 'Results lost because the disk of the probe was full.',
    }),
    assignments: Type.Union([Count, Type.Null()], { description: 'Monitors that the probe checks.', examples: [120] }),
    schedule_lateness: Type.Union([Percentiles, Type.Null()], {
      description: 'How late checks started in the last minute.',
    }),
    canary_ok: Type.Union([Type.Boolean(), Type.Null()], {
      description: 'Whether a canary target responds; null without canary targets.',
    }),
    enrolled_at: Timestamp,
    last_seen_at: Type.Union([Timestamp, Type.Null()]),
  },
  { ...closed, title: 'Probe' },
);
export type Probe = Static<typeof Probe>;

export const CreateJoinToken = Type.Object({ location: Type.String(CODE) }, closed);

export const ProbeJoinTokenView = Type.Object(
  { ...JoinTokenView.properties, location: Type.String(CODE) },
  { ...closed, title: 'ProbeJoinTokenInList' },
);

export const JoinToken = Type.Object(
  {
    id: Type.String({ examples: [JOIN_TOKEN_ID] }),
    token: Type.String({
      description: 'Only this response contains it. It is valid for one probe.',
      examples: ['pjt_eyJ2IjoxLCJzIjoi...'],
    }),
    install_command: Type.String({
      examples: [
        "curl --proto '=https' -fsSL https://picket.example.com/install/probe.sh | sudo sh -s -- --token pjt_eyJ2IjoxLCJzIjoi...",
      ],
    }),
    expires_at: Timestamp,
  },
  { ...closed, title: 'JoinToken' },
);
export type JoinToken = Static<typeof JoinToken>;
