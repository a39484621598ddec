import { type Static, Type } from 'typebox';
import { metricsQuery, SeriesPoint } from '../../retention/metrics-query.js';
import { RESOLUTIONS } from '../../retention/resolution.js';

const SERVER_ID = 'srv_01kf5e6q0h3v8r2m9x4t7c1z5n';
/** Enough for a few dozen names, including devices with long paths. */
const NAMES_CHARS_MAX = 4_000;

export const ServerMetricsQuery = metricsQuery({
  namesCharsMax: NAMES_CHARS_MAX,
  example: 'cpu_percent,disk_used_percent:/var',
});
export type ServerMetricsQuery = Static<typeof ServerMetricsQuery>;

export const ServerMetricsView = Type.Object(
  {
    server_id: Type.String({ examples: [SERVER_ID] }),
    resolution: Type.Enum(RESOLUTIONS),
    series: Type.Record(Type.String(), Type.Array(SeriesPoint), {
      description:
        'Series of the whole server as `cpu_percent`, of one device as `disk_used_percent:/var`. A point is the average of its bucket and `t` the start of the bucket; with `raw`, each point is a sample and `t` its time. Buckets without a value are omitted.',
    }),
  },
  {
    additionalProperties: false,
    title: 'ServerMetrics',
    examples: [
      {
        server_id: SERVER_ID,
        resolution: '1m',
        series: {
          cpu_percent: [
            { t: '2026-01-31T12:00:00.000Z', v: 12.5 },
            { t: '2026-01-31T12:01:00.000Z', v: 14.02 },
          ],
          'disk_used_percent:/var': [{ t: '2026-01-31T12:00:00.000Z', v: 61.3 }],
        },
      },
    ],
  },
);
export type ServerMetricsView = Static<typeof ServerMetricsView>;
