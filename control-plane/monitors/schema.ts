import { type Static, Type } from 'typebox';
import { CERTIFICATE_GRADES, CHECK_ERROR_CODES } from '../../proto/check-result.js';
import { nullable } from '../http/input/nullable.js';
import { NO_CONTROLS_PATTERN } from '../http/input/text.js';
import { PageParameters } from '../http/paging.js';
import { idPattern } from '../storage/ids.js';
import { CHECK_REQUESTED_EXAMPLE, MONITOR_EXAMPLE } from './examples.js';

export const MONITOR_TYPES = ['http', 'tcp', 'ping'] as const;
export type MonitorType = (typeof MONITOR_TYPES)[number];

export const HTTP_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

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
export const HEADER_NAME_CHARS_MAX = 128;
/** All headers of a monitor together. Few servers accept more, and each control plane keeps them in memory. */
export const HEADERS_CHARS_MAX = 16_384;
export const HEADER_VALUE_CHARS_MAX = 4_096;
export const CHANNELS_MAX = 50;
export const TAGS_MAX = 20;
export const TAG_CHARS_MAX = 50;
const LOCATION_CHARS_MAX = 32;

export const Timestamp = Type.String({ format: 'date-time', examples: ['2026-01-31T12:00:00.000Z'] });

export const EXAMPLE_MONITOR_ID = 'mon_01kf5e6q0h3v8r2m9x4t7c1z5n';

export const MonitorId = Type.Object(
  { id: Type.String({ pattern: idPattern('mon'), examples: [EXAMPLE_MONITOR_ID] }) },
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
    status: Type.Enum(['up', 'down', 'unknown', 'no_probe'], {
      description:
        '`unknown` without a result, or when the newest result is older than two intervals (at least 90 s). `no_probe` when the location has had no probe that may check for 30 s.',
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
  description: 'Percentage of the window that was observed.',
  examples: [100],
});

const MaintenanceSeconds = Type.Integer({
  minimum: 0,
  description: 'Planned maintenance that the uptime leaves out, as far as it was observed.',
  examples: [0],
});

/** A monitor as the API shows it. */
export const Monitor = Type.Object(
  {
    id: Type.String({ examples: [EXAMPLE_MONITOR_ID] }),
    name: Type.String(),
    url: Type.String({
      description: 'User name and password are shown as `***` without the scope `monitors:write`.',
    }),
    type: Type.Enum(MONITOR_TYPES),
    status: Type.Enum(['up', 'down', 'paused']),
    interval_seconds: Type.Integer(),
    timeout_ms: Type.Integer(),
    locations: Type.Array(Type.String()),
    limited_by_plan: Type.Union(
      [
        Type.Object(
          {
            interval_seconds: Type.Integer(),
            locations: Type.Array(Type.String()),
            confirmations: nullable(Type.Integer()),
          },
          { additionalProperties: false },
        ),
        Type.Null(),
      ],
      {
        description:
          'How the monitor is checked while the plan allows less than its settings, for example after a downgrade; otherwise null.',
      },
    ),
    http: nullable(
      Type.Object(
        {
          method: Method,
          expected_status: Type.Integer(),
          keyword: nullable(Type.String()),
          keyword_absent: nullable(Type.String()),
          follow_redirects: Type.Boolean(),
          ignore_tls_errors: Type.Boolean(),
          headers: Type.Record(Type.String(), Type.String(), {
            description: 'Values are shown as `***` without the scope `monitors:write`.',
          }),
          body: Type.Union([Type.String(), Type.Null()], {
            description: 'Shown as `***` without the scope `monitors:write`.',
          }),
          timeout_ms: Type.Integer(),
        },
        { additionalProperties: false },
      ),
    ),
    ssl: Type.Union(
      [
        Type.Object(
          {
            grade: Type.Enum(CERTIFICATE_GRADES),
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
      { description: 'null for targets other than https, and before the first check.' },
    ),
    uptime_24h: Percent,
    uptime_7d: Percent,
    uptime_30d: Percent,
    coverage_24h: Coverage,
    coverage_7d: Coverage,
    coverage_30d: Coverage,
    maintenance_seconds_24h: MaintenanceSeconds,
    maintenance_seconds_7d: MaintenanceSeconds,
    maintenance_seconds_30d: MaintenanceSeconds,
    uptime_computed_at: Type.Union([Timestamp, Type.Null()], {
      description:
        'When the stored uptime was computed. The response completes it with the time since then, so the figures are as of the response. null before the first observation.',
    }),
    response_time_ms: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Median of the latest successful results of the locations.',
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
        description:
          'Part of the name or the URL; case-insensitive. User name, password and the query of the URL are not searched.',
      }),
    ),
    tag: Type.Optional(Tag),
    ...PageParameters,
  },
  { additionalProperties: false },
);
export type ListMonitors = Static<typeof ListMonitors>;

/** Which monitors a list has. */
export type MonitorFilter = Pick<ListMonitors, 'status' | 'type' | 'q' | 'tag'>;

/** The reply of POST `/check`: where the results will be, and how long to wait for them. */
export const CheckRequested = Type.Object(
  {
    monitor_id: Type.String({ examples: [EXAMPLE_MONITOR_ID] }),
    slot: Type.String({
      format: 'date-time',
      description: 'Slot of the results: list the results with `from` set to this time.',
    }),
    locations: Type.Array(Type.String()),
    results_by: Type.String({
      format: 'date-time',
      description: 'Every location has replied or timed out by this time.',
    }),
  },
  { additionalProperties: false, title: 'CheckRequested', examples: [CHECK_REQUESTED_EXAMPLE] },
);
export type CheckRequested = Static<typeof CheckRequested>;
