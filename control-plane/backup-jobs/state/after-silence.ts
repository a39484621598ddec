import type { JobSettings, JobState } from '../documents.js';
import { nextBeginning } from '../schedule/next.js';
import { emptyRun, lastRunOf, notEnded, problemWith } from './after-ping.js';
import type { Change, RunRecord } from './change.js';
import { type Gap, isUnheard } from './gap.js';
import { dueMs, earlyMs } from './schedule.js';

/**
 * Returns what becomes of a job whose ping is overdue at `nowMs`; null if none is. A ping that Picket could not receive may
 * have been sent, so a run in whose time there was a gap is unknown, and no problem. Pure.
 */
export function afterSilence(
  job: JobSettings & JobState,
  runId: string,
  nowMs: number,
  gaps: readonly Gap[],
): Change | null {
  const { running, due_at_ms, expected_at_ms } = job;
  if (due_at_ms === null || due_at_ms > nowMs) return null;
  const run = running === null ? notBegun(runId, expected_at_ms, nowMs) : notEnded(running, nowMs);
  const beginMs = expected_at_ms ?? due_at_ms;
  const fromMs = running?.started_at_ms ?? beginMs - earlyMs(job, beginMs);
  const judged: RunRecord = isUnheard(gaps, fromMs, nowMs) ? { ...run, status: 'unknown', problem: null } : run;
  const isPast = expected_at_ms !== null && expected_at_ms <= nowMs;
  const changed = {
    running: null,
    // What was also missed until now is the same problem, and is not counted again.
    expected_at_ms: isPast ? nextBeginning(job.schedule, nowMs) : expected_at_ms,
    problem: problemWith(job, judged) ?? job.problem,
    last_run: lastRunOf(judged),
    last_good: job.last_good,
  };
  return { state: { ...changed, due_at_ms: dueMs(job, changed) }, runs: [judged] };
}

function notBegun(runId: string, expectedMs: number | null, nowMs: number): RunRecord {
  return { ...emptyRun(runId, nowMs), status: 'missed', problem: 'missed', expected_at_ms: expectedMs };
}
