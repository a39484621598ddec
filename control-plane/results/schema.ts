import { type Static, Type } from 'typebox';
import { CHECK_REASONS } from '../../proto/check-result.js';
import { nullable } from '../http/input/nullable.js';
import { PageParameters } from '../http/paging.js';
import { CheckError, EXAMPLE_MONITOR_ID, LocationCode, Timestamp } from '../monitors/schema.js';
import { metricsQuery, SeriesPoint } from '../retention/metrics-query.js';
import { RESOLUTIONS } from '../retention/resolution.js';
import { idPattern } from '../storage/ids.js';
import { METRICS_EXAMPLE, RESULT_EXAMPLE } from './examples.js';

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
    id: Type.String({ pattern: idPattern('res') }),
    checked_at: Timestamp,
    location: Type.String({ examples: ['fra'] }),
    status: Type.Enum(['up', 'down']),
    response_time_ms: Type.Number({ minimum: 0, description: 'Rounded to tenths, like `timings`.' }),
    timings: Type.Object(
      { dns_ms: Phase, connect_ms: Phase, tls_ms: Phase, ttfb_ms: Phase, transfer_ms: Phase },
      { additionalProperties: false, description: 'null for a phase that the check did not have or did not reach.' },
    ),
    http_status: nullable(Type.Integer()),
    error: nullable(CheckError),
    attempt: Type.Integer({
      minimum: 0,
      description: '0 for the first attempt of a check, then 1 more for each retry.',
    }),
    final: Type.Boolean({ description: 'false for a failed attempt that was retried; such a result does not count.' }),
    reason: Type.Enum(CHECK_REASONS, {
      description:
        'Why the check was made: at its scheduled time, to `confirm` what another location saw, `manual` (requested, or the first check after the monitor was created or changed), to `resume` after a pause, or to confirm a `recovery`.',
    }),
    lateness_ms: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
      description: 'Delay between the scheduled time and the start of the check; null for a retry.',
    }),
  },
  { additionalProperties: false, title: 'Result', examples: [RESULT_EXAMPLE] },
);
export type ResultView = Static<typeof ResultView>;

export const MetricsQuery = metricsQuery({ namesCharsMax: 200, example: 'response_time_ms,uptime' });
export type MetricsQuery = Static<typeof MetricsQuery>;

export const MetricsView = Type.Object(
  {
    monitor_id: Type.String({ examples: [EXAMPLE_MONITOR_ID] }),
    resolution: Type.Enum(RESOLUTIONS),
    series: Type.Record(Type.String(), Type.Array(SeriesPoint), {
      description:
        '`response_time_ms` and `uptime` are series over all locations; `response_time_ms:fra` and `uptime:fra` are series of one location. `v` is the average of a bucket, `t` is its start. Buckets without a check are omitted.',
      examples: [{ 'response_time_ms:fra': [{ t: '2026-01-31T12:00:00.000Z', v: 84 }] }],
    }),
  },
  { additionalProperties: false, title: 'Metrics', examples: [METRICS_EXAMPLE] },
);
export type MetricsView = Static<typeof MetricsView>;
