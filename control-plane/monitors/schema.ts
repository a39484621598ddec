import { type Static, Type } from 'typebox';
import { nullable } from '../http/input/nullable.js';
import { NO_CONTROLS_PATTERN } from '../http/input/text.js';
import { PageParameters } from '../http/paging.js';
import { metricsQuery, SeriesPoint } from '../retention/metrics-query.js';
import { RESOLUTIONS } from '../retention/resolution.js';
import { idPattern } from '../storage/ids.js';
import { CHECK_REQUESTED_EXAMPLE, METRICS_EXAMPLE, MONITOR_EXAMPLE, RESULT_EXAMPLE } from './examples.js';

export const MONITOR_TYPES = ['http', 'tcp', 'ping'] as const;
export type MonitorType = (typeof MONITOR_TYPES)[number];

export const HTTP_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

/** Why a check failed. Closed: probes may send nothing else. */
export const CHECK_ERROR_CODES = [
  'dns_failure',
  'connection_refused',
  'connection_reset',
  'connect_timeout',
  'tls_handshake',
  'tls_untrusted',
  'tls_expired',
  'tls_name_mismatch',
  'response_timeout',
  'status_mismatch',
  'keyword_missing',
  'keyword_present',
  'too_many_redirects',
  'response_too_large',
  'blocked_target',
  'packet_loss',
  'unreachable',
  'protocol_error',
] as const;
export type CheckErrorCode = (typeof CHECK_ERROR_CODES)[number];

export const INTERVAL_SECONDS_DEFAULT = 60;
export const INTERVAL_SECONDS_MIN = 10;
export const INTERVAL_SECONDS_MAX = 86_400;
export const TIMEOUT_MS_DEFAULT = 10_000;
export const TIMEOUT_MS_MIN = 100;
export const TIMEOUT_MS_MAX = 60_000;
export const EXPECTED_STATUS_DEFAULT = 200;
export const LOCATIONS_MAX = 5;
export const RETRIES_DEFAULT = 1;
export const RETRIES_MAX = 5;
export const NAME_CHARS_MAX = 200;
export const URL_CHARS_MAX = 2_048;
export const KEYWORD_CHARS_MAX = 1_000;
export const BODY_CHARS_MAX = 65_536;
export const HEADERS_MAX = 50;
export const HEADER_VALUE_CHARS_MAX = 4_096;
export const CHANNELS_MAX = 50;
export const TAGS_MAX = 20;
export const TAG_CHARS_MAX = 50;
export const LOCATION_CHARS_MAX = 32;

export const Timestamp = Type.String({ format: 'date-time', examples: ['2026-01-31T12:00:00.000Z'] });

const EXAMPLE_ID = 'mon_01kf5e6q0h3v8r2m9x4t7c1z5n';

export const MonitorId = Type.Object(
  { id: Type.String({ pattern: idPattern('mon'), examples: [EXAMPLE_ID] }) },
  { additionalProperties: false },
);
export type MonitorId = Static<typeof MonitorId>;

export const Method = Type.Enum(HTTP_METHODS);
export const LocationCode = Type.String({
  minLength: 1,
  maxLength: LOCATION_CHARS_MAX,
  pattern: NO_CONTROLS_PATTERN,
  examples: ['fra'],
});
export const Tag = Type.String({
  minLength: 1,
  maxLength: TAG_CHARS_MAX,
  pattern: NO_CONTROLS_PATTERN,
  examples: ['production'],
});

export const CheckError = Type.Object(
  { code: Type.Enum(CHECK_ERROR_CODES), message: Type.String() },
  { additionalProperties: false },
);

const LocationStatus = Type.Object(
  {
    location: Type.String({ examples: ['fra'] }),
    status: Type.Enum(['up', 'down', 'unknown'], {
      description: '`unknown` without a result, or when it is older than two intervals (90 s at least).',
    }),
    response_time_ms: nullable(Type.Integer()),
    error: nullable(CheckError),
    checked_at: nullable(Timestamp),
  },
  { additionalProperties: false },
);

const Percent = nullable(Type.Number({ minimum: 0, maximum: 100, examples: [99.9861] }));
const Coverage = Type.Number({
  minimum: 0,
  maximum: 100,
  description: 'Percent of the window that was really observed.',
  examples: [100],
});

/** A monitor as the API shows it. */
export const Monitor = Type.Object(
  {
    id: Type.String({ examples: [EXAMPLE_ID] }),
    name: Type.String(),
    url: Type.String(),
    type: Type.Enum(MONITOR_TYPES),
    status: Type.Enum(['up', 'down', 'paused']),
    interval_seconds: Type.Integer(),
    timeout_ms: Type.Integer(),
    locations: Type.Array(Type.String()),
    http: nullable(
      Type.Object(
        {
          method: Method,
          expected_status: Type.Integer(),
          keyword: nullable(Type.String()),
          keyword_absent: nullable(Type.String()),
          follow_redirects: Type.Boolean(),
          ignore_tls_errors: Type.Boolean(),
          headers: Type.Record(Type.String(), Type.String()),
          body: nullable(Type.String()),
          timeout_ms: Type.Integer(),
        },
        { additionalProperties: false },
      ),
    ),
    ssl: Type.Union(
      [
        Type.Object(
          {
            grade: Type.Enum(['A+', 'A', 'B', 'C', 'T', 'F']),
            expiry: Timestamp,
            days_remaining: Type.Integer({ description: 'Whole days; negative once it has expired.' }),
            issuer: Type.String(),
            subject: Type.String(),
            fingerprint: Type.String({ description: 'SHA-256 of the certificate, hexadecimal.' }),
            checked_at: Timestamp,
          },
          { additionalProperties: false },
        ),
        Type.Null(),
      ],
      { description: 'null for anything but https, and before the first certificate was seen.' },
    ),
    uptime_24h: Percent,
    uptime_7d: Percent,
    uptime_30d: Percent,
    coverage_24h: Coverage,
    coverage_7d: Coverage,
    coverage_30d: Coverage,
    response_time_ms: Type.Union([Type.Integer(), Type.Null()], {
      description: "Median of the locations' latest good results.",
    }),
    location_status: Type.Array(LocationStatus),
    confirmations: nullable(Type.Integer()),
    retries: Type.Integer(),
    channels: nullable(Type.Array(Type.String())),
    tags: Type.Array(Type.String()),
    runbook_url: nullable(Type.String()),
    created_at: Timestamp,
    updated_at: Timestamp,
    last_checked_at: nullable(Timestamp),
    status_changed_at: Timestamp,
    paused_at: nullable(Timestamp),
  },
  { additionalProperties: false, title: 'Monitor', examples: [MONITOR_EXAMPLE] },
);
export type Monitor = Static<typeof Monitor>;

export const ListMonitors = Type.Object(
  {
    status: Type.Optional(Type.Enum(['up', 'down', 'paused'])),
    type: Type.Optional(Type.Enum(MONITOR_TYPES)),
    q: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: NAME_CHARS_MAX,
        pattern: NO_CONTROLS_PATTERN,
        description: 'Part of the name or the URL, whatever its case.',
      }),
    ),
    tag: Type.Optional(Tag),
    ...PageParameters,
  },
  { additionalProperties: false },
);
export type ListMonitors = Static<typeof ListMonitors>;

/** What POST `/check` answers: where to look for the results, and until when to wait. */
export const CheckRequested = Type.Object(
  {
    monitor_id: Type.String({ examples: [EXAMPLE_ID] }),
    slot: Type.String({
      format: 'date-time',
      description: 'The time under which the results are filed: GET results with `from` set to it.',
    }),
    locations: Type.Array(Type.String()),
    results_by: Type.String({ format: 'date-time', description: 'Every location has answered or timed out by then.' }),
  },
  { additionalProperties: false, title: 'CheckRequested', examples: [CHECK_REQUESTED_EXAMPLE] },
);
export type CheckRequested = Static<typeof CheckRequested>;

export const ResultsQuery = Type.Object(
  {
    from: Type.Optional(Timestamp),
    to: Type.Optional(Timestamp),
    location: Type.Optional(LocationCode),
    ...PageParameters,
  },
  { additionalProperties: false },
);
export type ResultsQuery = Static<typeof ResultsQuery>;

const Phase = nullable(Type.Number({ minimum: 0 }));

export const ResultView = Type.Object(
  {
    id: Type.String(),
    checked_at: Timestamp,
    location: Type.String({ examples: ['fra'] }),
    status: Type.Enum(['up', 'down']),
    response_time_ms: Type.Number({ minimum: 0 }),
    timings: Type.Object(
      { dns_ms: Phase, connect_ms: Phase, tls_ms: Phase, ttfb_ms: Phase, transfer_ms: Phase },
      { additionalProperties: false, description: 'null for a phase that this check did not have or did not reach.' },
    ),
    http_status: nullable(Type.Integer()),
    error: nullable(CheckError),
    attempt: Type.Integer({ minimum: 0, description: '0 for the first try of a check, one more for each retry.' }),
    final: Type.Boolean({ description: 'false for a failed try that was retried: it does not count.' }),
    reason: Type.Enum(['schedule', 'confirm', 'manual', 'resume', 'recovery'], { description: 'Why it was checked.' }),
    lateness_ms: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
      description: 'Start of the check against its scheduled time; null for a retry.',
    }),
  },
  { additionalProperties: false, title: 'Result', examples: [RESULT_EXAMPLE] },
);
export type ResultView = Static<typeof ResultView>;

export const MetricsQuery = metricsQuery({ namesCharsMax: 200, example: 'response_time_ms,uptime' });
export type MetricsQuery = Static<typeof MetricsQuery>;

export const MetricsView = Type.Object(
  {
    monitor_id: Type.String({ examples: [EXAMPLE_ID] }),
    resolution: Type.Enum(RESOLUTIONS),
    series: Type.Record(Type.String(), Type.Array(SeriesPoint), {
      description:
        'Over all locations as `response_time_ms` and `uptime`, by location as `response_time_ms:fra`, `uptime:fra`. A point is the average of its bucket, `t` its start. A bucket without a check is left out.',
      examples: [{ 'response_time_ms:fra': [{ t: '2026-01-31T12:00:00.000Z', v: 84 }] }],
    }),
  },
  { additionalProperties: false, title: 'Metrics', examples: [METRICS_EXAMPLE] },
);
export type MetricsView = Static<typeof MetricsView>;
