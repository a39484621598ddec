import { type Static, Type } from 'typebox';
import { nullable } from '../../http/input/nullable.js';
import { MonitorIds } from '../../monitors/ids-query.js';
import { EXAMPLE_MONITOR_ID, Timestamp } from '../../monitors/schema.js';
import { STEPS_EXAMPLE } from '../examples.js';

const WINDOW_NAMES = ['24h', '30d'] as const;
export type WindowName = (typeof WINDOW_NAMES)[number];

export const StepsQuery = Type.Object(
  {
    ids: MonitorIds,
    window: Type.Optional(
      Type.Enum(WINDOW_NAMES, {
        default: '24h',
        description: '`24h`: the current hour and the 23 before it. `30d`: today and the 29 days before it, in UTC.',
      }),
    ),
  },
  { additionalProperties: false },
);
export type StepsQuery = Static<typeof StepsQuery>;

/** The history of one monitor in equal steps, as lists draw it. */
export const MonitorSteps = Type.Object(
  {
    monitor_id: Type.String({ examples: [EXAMPLE_MONITOR_ID] }),
    from: Timestamp,
    step_seconds: Type.Integer({ description: '3600 or 86400.' }),
    uptime: Type.Array(nullable(Type.Number({ minimum: 0, maximum: 100 })), {
      description:
        'Percentage of the observed time of each step in which the monitor was up, rounded down to hundredths; null where nothing was observed.',
    }),
    response_time_ms: Type.Array(nullable(Type.Integer({ minimum: 0 })), {
      description: 'Average of the successful checks of each step; null without one.',
    }),
  },
  { additionalProperties: false, title: 'MonitorSteps', examples: [STEPS_EXAMPLE] },
);
export type MonitorSteps = Static<typeof MonitorSteps>;
