import { toIso } from '../../kernel/clock.js';
import type { BackupJobDocument, JobSettings, LastRun, RunDocument } from './documents.js';
import type { BackupJob, BackupRun } from './schema.js';

/** Returns a job as the API shows it. */
export function backupJobView(job: BackupJobDocument): BackupJob {
  const { problem, running, last_run, last_good } = job;
  return {
    id: job._id,
    ...settingsShown(job),
    status: statusOf(job),
    running_since: running === null ? null : toIso(running.started_at_ms),
    expected_at: isoOf(job.expected_at_ms),
    problem: problem === null ? null : { type: problem.type, since: toIso(problem.since_ms) },
    last_good_at: isoOf(last_good?.at_ms ?? null),
    last_run: last_run === null ? null : { id: last_run.run_id, ...runFacts(last_run) },
    ping_url_end: job.token_end,
    created_by: job.created_by,
    created_at: toIso(job.created_at_ms),
    updated_at: toIso(job.updated_at_ms),
  };
}

export function backupRunView(run: RunDocument): BackupRun {
  return { id: run._id, ...runFacts(run), log: run.log };
}

/** Returns the settings in the API's shape. */
export function settingsShown(job: JobSettings) {
  const { name, schedule, grace_seconds, max_run_seconds, min_size_bytes, max_shrink_percent } = job;
  const { expect_sha256, tags, enabled } = job;
  return {
    ...{ name, schedule, grace_seconds, max_run_seconds, min_size_bytes, max_shrink_percent },
    ...{ expect_sha256, tags, enabled },
  };
}

function statusOf({ enabled, problem, last_run }: BackupJobDocument): BackupJob['status'] {
  if (!enabled) return 'disabled';
  if (problem !== null) return 'failing';
  return last_run === null ? 'new' : 'ok';
}

function runFacts(run: Omit<LastRun, 'run_id'>) {
  const { status, problem, expected_at_ms, started_at_ms, ended_at_ms, exit_code, size_bytes, sha256 } = run;
  const hasLength = started_at_ms !== null && ended_at_ms !== null;
  return {
    ...{ status, problem, expected_at: isoOf(expected_at_ms) },
    ...{ started_at: isoOf(started_at_ms), ended_at: isoOf(ended_at_ms) },
    duration_seconds: hasLength ? Math.round((ended_at_ms - started_at_ms) / 1_000) : null,
    ...{ exit_code, size_bytes, sha256 },
  };
}

function isoOf(atMs: number | null): string | null {
  return atMs === null ? null : toIso(atMs);
}
