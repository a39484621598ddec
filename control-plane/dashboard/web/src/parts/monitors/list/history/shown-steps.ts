import type { MonitorSteps } from '../../../../api/types.ts';
import { type Listed, uptimeOf } from '../listed.ts';

/** What the bars and the line of a row are drawn from. Null in a step: nothing was observed. */
export interface ShownSteps {
  uptime: readonly (number | null)[];
  response: readonly (number | null)[];
}

const STEPS = { '24h': 24, '30d': 30 } as const;
/** A monitor that is down now was not up all the time, even if the latest roll-up has not seen it yet. */
const BELOW_FLAWLESS = 99.99;

/**
 * Returns the history to draw. The roll-up is some minutes late, so the last step also has what the list knows: a
 * monitor that is down now, and the first minutes of a new one. Null while the history has not been read.
 */
export function shownSteps(
  { monitor, state }: Listed,
  steps: MonitorSteps | null | undefined,
  window: '24h' | '30d',
): ShownSteps | null {
  if (steps === undefined) return null;
  const uptime = [...(steps?.uptime ?? Array<null>(STEPS[window]).fill(null))];
  const last = uptime.at(-1) ?? null;
  if (steps === null) uptime[uptime.length - 1] = uptimeOf(monitor, window).uptime;
  else if (state === 'down') uptime[uptime.length - 1] = last === null ? 0 : Math.min(last, BELOW_FLAWLESS);
  return { uptime, response: steps?.response_time_ms ?? [] };
}

/** A dot or two beside the uptime look like dirt; the column of response times has the latest value. */
const LINE_VALUES_MIN = 3;

/** Returns whether response times are enough for a line. Pure. */
export function isLine(response: ShownSteps['response']): boolean {
  return response.filter((value) => value !== null).length >= LINE_VALUES_MIN;
}

/** Returns the step that is read next; the first one that is read is the latest. Pure. */
export function nextStep(at: number | null, step: 1 | -1, count: number): number {
  return at === null ? count - 1 : Math.min(count - 1, Math.max(0, at + step));
}

/** How many steps were without outage, with one, and not observed. */
export function countSteps(uptime: ShownSteps['uptime']): { up: number; flawed: number; unobserved: number } {
  const unobserved = uptime.filter((value) => value === null).length;
  const up = uptime.filter((value) => value === 100).length;
  return { up, flawed: uptime.length - up - unobserved, unobserved };
}

/** Returns the shortest, the longest and the latest response time; null without any. */
export function responseRange(response: ShownSteps['response']): { min: number; max: number; last: number } | null {
  const known = response.filter((value) => value !== null);
  const last = known.at(-1);
  if (last === undefined) return null;
  return { min: Math.min(...known), max: Math.max(...known), last };
}
