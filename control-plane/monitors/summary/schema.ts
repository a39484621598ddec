import { type Static, Type } from 'typebox';
import { nullable } from '../../http/input/nullable.js';
import { PageParameters } from '../../http/paging.js';
import { SUMMARY_EXAMPLE } from '../examples.js';
import { MonitorIds } from '../ids-query.js';
import { EXAMPLE_MONITOR_ID, MONITOR_TYPES, Timestamp } from '../schema.js';
import { MONITOR_STATES } from '../totals/state.js';

/** Rows of a page: enough for a whole workspace in one answer, which then has about 3 MB, compressed a tenth of it. */
export const SUMMARY_ROWS_MAX = 10_000;

export const SummaryQuery = Type.Object(
  {
    ids: Type.Optional(MonitorIds),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: SUMMARY_ROWS_MAX,
        default: SUMMARY_ROWS_MAX,
        description: 'Rows per page.',
      }),
    ),
    cursor: PageParameters.cursor,
  },
  { additionalProperties: false },
);
export type SummaryQuery = Static<typeof SummaryQuery>;

const Uptime = nullable(Type.Number({ minimum: 0, maximum: 100 }));
const Coverage = Type.Number({ minimum: 0, maximum: 100 });

/** One line of a list of monitors. */
export const MonitorSummary = Type.Object(
  {
    id: Type.String({ examples: [EXAMPLE_MONITOR_ID] }),
    name: Type.String(),
    url: Type.String({ description: 'User name and password are shown as `***`.' }),
    type: Type.Enum(MONITOR_TYPES),
    status: Type.Enum(['up', 'down', 'paused']),
    state: Type.Enum(MONITOR_STATES, {
      description:
        'Like `status`, but `degraded` when the latest check of at least one location failed, and `unknown` before the first check. At most 20 s old.',
    }),
    status_changed_at: Timestamp,
    tags: Type.Array(Type.String()),
    uptime_24h: Uptime,
    coverage_24h: Coverage,
    uptime_30d: Uptime,
    coverage_30d: Coverage,
    response_time_ms: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Median of the latest successful results of the locations; null before the first.',
    }),
    certificate_days_remaining: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Whole days; negative once it has expired. null without a certificate.',
    }),
  },
  { additionalProperties: false, title: 'MonitorSummary', examples: [SUMMARY_EXAMPLE] },
);
export type MonitorSummary = Static<typeof MonitorSummary>;
