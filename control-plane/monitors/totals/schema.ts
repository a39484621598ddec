import { type Static, Type } from 'typebox';
import { nullable } from '../../http/input/nullable.js';
import { TOTALS_EXAMPLE } from '../examples.js';

const Count = Type.Integer({ minimum: 0 });

/** All monitors of a workspace in a few numbers. */
export const MonitorTotals = Type.Object(
  {
    monitors: Count,
    by_status: Type.Object(
      {
        up: Count,
        degraded: Type.Integer({
          minimum: 0,
          description: 'Up, but the latest check of at least one location failed. Not part of `up`.',
        }),
        down: Count,
        paused: Count,
        unknown: Type.Integer({ minimum: 0, description: 'Not checked yet. Lists show these monitors as `up`.' }),
      },
      { additionalProperties: false, description: 'Each monitor counts once.' },
    ),
    by_type: Type.Object({ http: Count, tcp: Count, ping: Count }, { additionalProperties: false }),
    uptime_30d: nullable(Type.Number({ minimum: 0, maximum: 100 }), {
      description: 'Percentage of the observed time of all monitors in which they were up; null without observed time.',
    }),
    coverage_30d: Type.Number({
      minimum: 0,
      maximum: 100,
      description: 'Average of the coverage of all monitors: which part of the last 30 days was observed.',
    }),
  },
  { additionalProperties: false, title: 'MonitorTotals', examples: [TOTALS_EXAMPLE] },
);
export type MonitorTotals = Static<typeof MonitorTotals>;
