import type { JobSettings, JobState } from '../documents.js';
import { nextBeginning, skippedMs } from '../schedule/next.js';

const SECOND_MS = 1_000;
/** How much earlier than the schedule says a ping may come: clocks of servers differ. */
const EARLY_MS = 60_000;

/** Returns the state of a job from which nothing was heard yet, from `nowMs` on. Pure. */
export function initialState(settings: JobSettings, nowMs: number): JobState {
  const expected_at_ms = settings.enabled ? nextBeginning(settings.schedule, nowMs) : null;
  const state = { expected_at_ms, running: null, problem: null, last_run: null, last_good: null };
  return { ...state, due_at_ms: dueMs(settings, state) };
}

/** Returns when a job must be evaluated if no ping comes before. A job that runs is late only when the run is. Pure. */
export function dueMs(
  { grace_seconds, max_run_seconds }: JobSettings,
  { expected_at_ms, running }: Pick<JobState, 'expected_at_ms' | 'running'>,
): number | null {
  if (running !== null) return running.started_at_ms + max_run_seconds * SECOND_MS;
  return expected_at_ms === null ? null : expected_at_ms + grace_seconds * SECOND_MS;
}

/**
 * Returns how much earlier than a beginning its ping may come. Where clocks skip a beginning, some crons run the job as soon
 * as they were set forward, others as much later as they skip. Pure.
 */
export function earlyMs({ schedule }: Pick<JobSettings, 'schedule'>, beginningMs: number): number {
  return Math.max(EARLY_MS, skippedMs(schedule, beginningMs));
}

/**
 * Returns the beginning that is expected after a ping. A ping from a minute before a beginning on confirms it; an earlier one,
 * such as that of a run by hand, does not. The end of a run whose start has confirmed one confirms no other. Pure.
 */
export function expectedAfter(
  { schedule }: JobSettings,
  { expected_at_ms }: Pick<JobState, 'expected_at_ms'>,
  nowMs: number,
  hasStarted: boolean,
): number | null {
  if (expected_at_ms === null) return null;
  const fromMs = expected_at_ms - (hasStarted ? 0 : earlyMs({ schedule }, expected_at_ms));
  return nowMs < fromMs ? expected_at_ms : nextBeginning(schedule, Math.max(nowMs, expected_at_ms));
}

/** Returns the state of a job after its settings were changed. Pure. */
export function afterSettings(before: JobSettings & JobState, after: JobSettings, nowMs: number): JobState {
  const { problem, last_run, last_good, running } = before;
  const isSame = JSON.stringify(before.schedule) === JSON.stringify(after.schedule) && before.enabled === after.enabled;
  // What was not compared with the old limit must not be compared with the new one: a change accepts the next size.
  const accepts = before.max_shrink_percent !== after.max_shrink_percent;
  const state = {
    expected_at_ms: isSame ? before.expected_at_ms : initialState(after, nowMs).expected_at_ms,
    running: after.enabled ? running : null,
    problem: after.enabled ? problem : null,
    last_run,
    last_good: last_good === null || !accepts ? last_good : { at_ms: last_good.at_ms, size_bytes: null },
  };
  return { ...state, due_at_ms: after.enabled ? dueMs(after, state) : null };
}
