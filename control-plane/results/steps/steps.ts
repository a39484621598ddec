import { toIso } from '../../../kernel/clock.js';
import { floorTo, HOUR_MS } from '../rollup/slots.js';
import type { MonitorSteps, WindowName } from './schema.js';

export const DAY_MS = 24 * HOUR_MS;

/** Steps of a window, all of the same length. The last one contains the present. */
export interface StepWindow {
  fromMs: number;
  stepMs: number;
  steps: number;
}

/** What was observed during a step. `sum_us` is that of the `good` checks. */
export interface StepSum {
  observed_ms: number;
  up_ms: number;
  good: number;
  sum_us: number;
}

/** Returns the window that ends with the step of `nowMs`. */
export function stepWindow(name: WindowName, nowMs: number): StepWindow {
  const stepMs = name === '24h' ? HOUR_MS : DAY_MS;
  const steps = name === '24h' ? 24 : 30;
  return { fromMs: floorTo(nowMs, stepMs) - (steps - 1) * stepMs, stepMs, steps };
}

/** The sums of one monitor by the start of their step. */
export type Sums = Map<number, StepSum>;

/** Adds what was observed in a part of a step that begins at `atMs`. Parts outside the window are ignored. */
export function addToStep(sums: Sums, { fromMs, stepMs, steps }: StepWindow, atMs: number, part: StepSum): void {
  if (atMs < fromMs || atMs >= fromMs + steps * stepMs) return;
  const startMs = floorTo(atMs, stepMs);
  const sum = sums.get(startMs);
  if (sum === undefined) {
    sums.set(startMs, { ...part });
    return;
  }
  sum.observed_ms += part.observed_ms;
  sum.up_ms += part.up_ms;
  sum.good += part.good;
  sum.sum_us += part.sum_us;
}

/** Returns the history of a monitor as the API shows it. */
export function stepsView(monitorId: string, sums: Sums, { fromMs, stepMs, steps }: StepWindow): MonitorSteps {
  const each = Array.from({ length: steps }, (_, index) => sums.get(fromMs + index * stepMs));
  return {
    monitor_id: monitorId,
    from: toIso(fromMs),
    step_seconds: stepMs / 1_000,
    uptime: each.map((sum) => (sum === undefined || sum.observed_ms === 0 ? null : percentDown(sum))),
    response_time_ms: each.map((sum) =>
      sum === undefined || sum.good === 0 ? null : Math.round(sum.sum_us / sum.good / 1_000),
    ),
  };
}

/** Rounded down, so that only a step without any outage has 100. */
function percentDown({ up_ms, observed_ms }: StepSum): number {
  return Math.floor((up_ms / observed_ms) * 10_000) / 100;
}
