import type { DayFacts, PageDays, ThingFacts } from '../facts/facts.js';
import type { ComponentModel, DayModel } from './model.js';

/** Returns the uptime in percent, rounded down; null without observed time. */
export type PercentUp = (time: { observed_ms: number; up_ms: number }) => number | null;

/**
 * Returns the days of what is shown together: of each day, the observed time of all of them. Things without history are left out;
 * without any other, there are no days.
 */
export function daysOf(
  things: readonly ThingFacts[],
  { startsMs }: PageDays,
  nowMs: number,
  percentUp: PercentUp,
): Pick<ComponentModel, 'days' | 'uptime' | 'coverage'> {
  const histories = things.flatMap(({ days }) => (days === null ? [] : [days]));
  if (histories.length === 0) return { days: null, uptime: null, coverage: 0 };
  const sums = startsMs.map((_, day) => sumOf(histories.map((days) => days[day])));
  const lengthsMs = startsMs.map((startMs, day) => ((startsMs[day + 1] ?? nowMs) - startMs) * histories.length);
  const all = sumOf(sums);
  return {
    days: sums.map((sum, day) => dayModel(sum, lengthsMs[day] ?? 0, percentUp)),
    uptime: percentUp({ observed_ms: all.observedMs, up_ms: all.upMs }),
    coverage: percentOf(
      all.observedMs + all.leftOutMs,
      lengthsMs.reduce((sum, lengthMs) => sum + lengthMs, 0),
    ),
  };
}

function sumOf(days: readonly (DayFacts | undefined)[]): DayFacts {
  const sum = { observedMs: 0, upMs: 0, leftOutMs: 0 };
  for (const day of days) {
    sum.observedMs += day?.observedMs ?? 0;
    sum.upMs += day?.upMs ?? 0;
    sum.leftOutMs += day?.leftOutMs ?? 0;
  }
  return sum;
}

function dayModel({ observedMs, upMs, leftOutMs }: DayFacts, lengthMs: number, percentUp: PercentUp): DayModel {
  return {
    uptime: percentUp({ observed_ms: observedMs, up_ms: upMs }),
    coverage: percentOf(observedMs + leftOutMs, lengthMs),
    downMs: Math.max(0, observedMs - upMs),
  };
}

/** Rounded down to 4 decimals, so that it is 100 only if all was observed. */
function percentOf(partMs: number, wholeMs: number): number {
  if (wholeMs <= 0) return 0;
  return Math.min(100, Math.floor((partMs * 1_000_000) / wholeMs) / 10_000);
}
