import type { JobProblem, JobSettings, JobState, LastRun } from '../documents.js';
import type { Ping } from '../pings/ping.js';
import type { Change, RunRecord } from './change.js';
import { type Gap, isUnheard } from './gap.js';
import { dueMs, expectedAfter } from './schedule.js';
import { problemOf } from './verify.js';

/** The same ping again within this time is a repeat, by a client that did not get the answer: one run. */
const REPEAT_MS = 60_000;

type Job = JobSettings & JobState;

/**
 * Returns what a ping changes; null for a repeat, and for a disabled job. `runId` is for a new run. `gaps` are those in which a
 * ping of the run that goes on may have been lost. Pure.
 */
export function afterPing(job: Job, ping: Ping, runId: string, nowMs: number, gaps: readonly Gap[]): Change | null {
  if (!job.enabled) return null;
  return ping.kind === 'start' ? afterStart(job, runId, nowMs, gaps) : afterEnd(job, ping, runId, nowMs);
}

function afterStart(job: Job, runId: string, nowMs: number, gaps: readonly Gap[]): Change | null {
  const { running } = job;
  if (running !== null && nowMs - running.started_at_ms < REPEAT_MS) return null;
  const run = { ...emptyRun(runId, nowMs), status: 'running' as const, started_at_ms: nowMs };
  const replaced = running === null ? null : replacedRun(running, nowMs, gaps);
  const changed = {
    running: { run_id: runId, started_at_ms: nowMs },
    expected_at_ms: expectedAfter(job, job, nowMs, false),
    problem: replaced === null ? job.problem : (problemWith(job, replaced) ?? job.problem),
    last_run: lastRunOf(run),
    last_good: job.last_good,
  };
  const runs = replaced === null ? [run] : [replaced, run];
  return { state: { ...changed, due_at_ms: dueMs(job, changed) }, runs };
}

/** A run that a new one replaces has not ended, unless its end may have been sent while nobody could receive it. */
function replacedRun(running: NonNullable<JobState['running']>, nowMs: number, gaps: readonly Gap[]): RunRecord {
  const run = notEnded(running, nowMs);
  return isUnheard(gaps, running.started_at_ms, nowMs) ? { ...run, status: 'unknown', problem: null } : run;
}

function afterEnd(job: Job, ping: Ping, runId: string, nowMs: number): Change | null {
  const { running } = job;
  if (running === null && isRepeat(job, ping, nowMs)) return null;
  const problem = problemOf(job, job, ping);
  const run: RunRecord = {
    ...emptyRun(running?.run_id ?? runId, nowMs),
    status: problem === null ? 'succeeded' : 'failed',
    problem,
    started_at_ms: running?.started_at_ms ?? null,
    ended_at_ms: nowMs,
    exit_code: ping.exitCode,
    size_bytes: ping.sizeBytes,
    sha256: ping.sha256,
    log: ping.log,
  };
  const changed = {
    running: null,
    expected_at_ms: expectedAfter(job, job, nowMs, running !== null),
    problem: problem === null ? null : problemWith(job, run),
    last_run: lastRunOf(run),
    last_good: problem === null ? { at_ms: nowMs, size_bytes: ping.sizeBytes } : job.last_good,
  };
  return { state: { ...changed, due_at_ms: dueMs(job, changed) }, runs: [run] };
}

/** Returns the run as one that did not end. */
export function notEnded({ run_id, started_at_ms }: NonNullable<JobState['running']>, nowMs: number): RunRecord {
  return { ...emptyRun(run_id, nowMs), status: 'failed', problem: 'not_ended', started_at_ms };
}

/** Returns why the job is failing, with a run that is not good. */
export function problemWith(job: JobState, run: RunRecord): JobProblem | null {
  if (run.problem === null) return null;
  return {
    type: run.problem,
    since_ms: job.problem?.since_ms ?? run.at_ms,
    run: lastRunOf(run),
    compared_bytes: run.problem === 'shrunken' ? (job.last_good?.size_bytes ?? null) : null,
  };
}

export function lastRunOf({ _id, ...run }: RunRecord): LastRun {
  return { run_id: _id, ...run };
}

export function emptyRun(id: string, atMs: number): RunRecord {
  return {
    _id: id,
    status: 'unknown',
    problem: null,
    expected_at_ms: null,
    started_at_ms: null,
    ended_at_ms: null,
    exit_code: null,
    size_bytes: null,
    sha256: null,
    log: null,
    at_ms: atMs,
  };
}

function isRepeat(job: JobState, { success, exitCode, sizeBytes, sha256 }: Ping, nowMs: number): boolean {
  const { last_run: last, expected_at_ms } = job;
  // A job that begins each minute can send two pings within a minute.
  if (expected_at_ms !== null && nowMs >= expected_at_ms) return false;
  if (last === null || last.ended_at_ms === null || nowMs - last.ended_at_ms >= REPEAT_MS) return false;
  const isSame = last.exit_code === exitCode && last.size_bytes === sizeBytes && last.sha256 === sha256;
  return isSame && success === (last.problem !== 'failed');
}
