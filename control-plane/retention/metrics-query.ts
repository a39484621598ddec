import { type Static, Type } from 'typebox';
import { type AppError, invalidField } from '../errors.js';
import { NO_CONTROLS_PATTERN } from '../http/input/text.js';
import { timestampAt } from '../http/input/time/timestamp.js';
import { chooseResolution, POINTS_NAMED_MAX, RESOLUTIONS, type Resolution } from './resolution.js';
import type { KeptMs } from './retention.js';

const HOUR_MS = 3_600_000;

/** Returns the query schema of a metrics endpoint. `namesCharsMax` limits the whole list of names. */
export function metricsQuery(names: { namesCharsMax: number; example: string }) {
  return Type.Object(
    {
      from: Type.Optional(
        Type.String({
          format: 'date-time',
          description: 'Defaults to one hour before `to`.',
          examples: ['2026-01-31T12:00:00Z'],
        }),
      ),
      to: Type.Optional(Type.String({ format: 'date-time', description: 'Defaults to now.' })),
      resolution: Type.Optional(Type.Enum([...RESOLUTIONS, 'auto'], { default: 'auto' })),
      metrics: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: names.namesCharsMax,
          pattern: NO_CONTROLS_PATTERN,
          description: 'Comma-separated names. Defaults to all.',
          examples: [names.example],
        }),
      ),
    },
    { additionalProperties: false },
  );
}

/** One point of a series: `t` is the start of its bucket. */
export const SeriesPoint = Type.Object(
  { t: Type.String({ format: 'date-time', examples: ['2026-01-31T12:00:00.000Z'] }), v: Type.Number() },
  { additionalProperties: false },
);
export type SeriesPoint = Static<typeof SeriesPoint>;

interface TimeRange {
  fromMs: number;
  toMs: number;
}

/** Returns the requested range, which defaults to the hour before `to`, and `to` to now. Throws 422. */
export function requestedRange(query: { from?: string; to?: string }, nowMs: number): TimeRange {
  const toMs = query.to === undefined ? nowMs : queryTimestamp(query.to, 'to');
  const fromMs = query.from === undefined ? toMs - HOUR_MS : queryTimestamp(query.from, 'from');
  if (fromMs > toMs) throw invalidField('/query/from', 'must not be after to', 'order');
  return { fromMs, toMs };
}

interface WindowInput {
  requested: Resolution | 'auto';
  nowMs: number;
  /** Time between two raw points of the series with the most points. */
  rawPeriodMs: number;
  kept: KeptMs;
}

/** Returns the part of the range that the plan keeps and that is not in the future, and its resolution. Throws 422. */
export function metricsWindow(range: TimeRange, input: WindowInput): TimeRange & { resolution: Resolution } {
  const { nowMs, kept } = input;
  const toMs = Math.min(range.toMs, nowMs);
  const fromMs = Math.min(Math.max(range.fromMs, nowMs - kept.hoursMs), toMs);
  const resolution = chooseResolution({ ...input, fromMs, toMs });
  if (resolution === null) throw tooManyPoints();
  const oldestMs = nowMs - (resolution === 'raw' ? kept.rawMs : resolution === '1h' ? kept.hoursMs : kept.minutesMs);
  return { resolution, fromMs: Math.max(fromMs, oldestMs), toMs };
}

export function tooManyPoints(): AppError {
  const limit = POINTS_NAMED_MAX.toLocaleString('en-US');
  const message = `would have more than ${limit} points per series: choose a coarser resolution or a shorter range`;
  return invalidField('/query/resolution', message);
}

/** Returns a time of the query string in epoch milliseconds. Throws 422 with the name of the parameter. */
export function queryTimestamp(text: string, name: string): number {
  return timestampAt(text, `/query/${name}`);
}
