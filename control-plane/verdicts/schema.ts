import { type Static, Type } from 'typebox';
import { INTERVAL_SECONDS_MAX, INTERVAL_SECONDS_MIN, LOCATIONS_MAX, RETRIES_MAX } from '../monitors/schema.js';
import { BACKTEST_EXAMPLE, BACKTEST_REQUEST_EXAMPLE } from './examples.js';

const closed = { additionalProperties: false };
const Time = Type.String({ format: 'date-time' });
const NullableTime = Type.Union([Time, Type.Null()]);

export const BacktestBody = Type.Object(
  {
    from: Time,
    to: Time,
    confirmations: Type.Optional(
      Type.Union([Type.Integer({ minimum: 1, maximum: LOCATIONS_MAX }), Type.Null()], {
        description: 'null means a majority. Defaults to the setting of the monitor.',
      }),
    ),
    retries: Type.Optional(Type.Integer({ minimum: 0, maximum: RETRIES_MAX })),
    interval_seconds: Type.Optional(Type.Integer({ minimum: INTERVAL_SECONDS_MIN, maximum: INTERVAL_SECONDS_MAX })),
  },
  { ...closed, title: 'BacktestRequest', examples: [BACKTEST_REQUEST_EXAMPLE] },
);

const WouldHaveBeen = Type.Object(
  {
    started_at: Time,
    confirmed_at: Time,
    resolved_at: NullableTime,
    duration_seconds: Type.Union([Type.Integer(), Type.Null()]),
    severity: Type.Enum(['critical', 'warning']),
    locations: Type.Array(Type.String()),
  },
  closed,
);

const Was = Type.Object(
  {
    id: Type.String(),
    started_at: Time,
    confirmed_at: NullableTime,
    resolved_at: NullableTime,
    duration_seconds: Type.Union([Type.Integer(), Type.Null()]),
    severity: Type.Enum(['critical', 'warning', 'info']),
  },
  closed,
);

export const BacktestReply = Type.Object(
  {
    monitor_id: Type.String(),
    from: Time,
    to: Time,
    settings: Type.Object(
      {
        confirmations: Type.Union([Type.Integer(), Type.Null()]),
        retries: Type.Integer(),
        interval_seconds: Type.Integer(),
      },
      closed,
    ),
    results_read: Type.Integer(),
    results_used: Type.Integer({ description: 'Less than `results_read` if a longer interval leaves results out.' }),
    would_have_been: Type.Array(WouldHaveBeen),
    were: Type.Array(Was),
    notes: Type.Array(Type.String()),
  },
  { ...closed, title: 'Backtest', examples: [BACKTEST_EXAMPLE] },
);
export type BacktestReply = Static<typeof BacktestReply>;
