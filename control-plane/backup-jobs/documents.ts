/** What people choose of a backup job. */
export interface JobSettings {
  name: string;
  /** When the job begins. `time_zone` is an IANA name. */
  schedule: { cron: string; time_zone: string };
  /** How late its ping may be. */
  grace_seconds: number;
  /** How long a run may take that has announced its start. */
  max_run_seconds: number;
  /** A smaller backup is not good; null: any size is. */
  min_size_bytes: number | null;
  /** How much smaller than the last good backup one may be; null: not compared. */
  max_shrink_percent: number | null;
  /** Whether a backup without a SHA-256 is not good. */
  expect_sha256: boolean;
  tags: string[];
  /** A disabled job expects nothing, and its pings are not recorded. */
  enabled: boolean;
}

/** Why a run is not good. */
export const PROBLEMS = [
  ...(['missed', 'failed', 'not_ended'] as const),
  ...(['size_missing', 'too_small', 'shrunken', 'checksum_missing'] as const),
] as const;
export type Problem = (typeof PROBLEMS)[number];

/**
 * `unknown`: Picket could not receive pings, so that nobody knows whether the job ran. It is neither good nor bad.
 */
export const RUN_STATUSES = ['running', 'succeeded', 'failed', 'missed', 'unknown'] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

/** One document of `backup_runs`: a run of a job, or one that was expected and did not happen. */
export interface RunDocument {
  _id: string;
  workspace_id: string;
  job_id: string;
  status: RunStatus;
  /** null unless it failed or was missed. */
  problem: Problem | null;
  /** The beginning that the schedule named, for runs that were missed; null for others. */
  expected_at_ms: number | null;
  /** null when no ping announced the start. */
  started_at_ms: number | null;
  /** null while it runs. */
  ended_at_ms: number | null;
  /** The exit code that the ping named; null without one. */
  exit_code: number | null;
  size_bytes: number | null;
  /** Lower case. */
  sha256: string | null;
  /** The end of the text that the ping sent. */
  log: string | null;
  /** When it counts as: its end, or its start while it runs. */
  at_ms: number;
  /** From the plan's retention of hourly values. */
  expires_at: Date;
}

/** The latest run, for the list of jobs. */
export type LastRun = Omit<RunDocument, '_id' | 'workspace_id' | 'job_id' | 'expires_at'> & { run_id: string };

/** Why a job is failing. */
export interface JobProblem {
  type: Problem;
  /** Since when it fails, also with other problems. */
  since_ms: number;
  /** The latest run with it. */
  run: LastRun;
  /** The size that a shrunken backup was compared with. */
  compared_bytes: number | null;
}

/** What pings and the passing of time change. */
export interface JobState {
  /** The next beginning that a ping must confirm; null for a disabled job. */
  expected_at_ms: number | null;
  /** When the job has to be evaluated if no ping comes before; null for a disabled job. */
  due_at_ms: number | null;
  running: { run_id: string; started_at_ms: number } | null;
  /** null while the latest run is good, and before the first. */
  problem: JobProblem | null;
  last_run: LastRun | null;
  last_good: { at_ms: number; size_bytes: number | null } | null;
}

/** One document of `backup_jobs`. */
export interface BackupJobDocument extends JobSettings, JobState {
  _id: string;
  workspace_id: string;
  /** SHA-256 of the token of the ping URL, hex. The token itself is not stored. */
  token_hash: string;
  /** The last characters of the token, so that people can tell two URLs apart. */
  token_end: string;
  /** Counts changes of the state. Of two concurrent ones, only one is written. */
  changes: number;
  created_by: string;
  created_at_ms: number;
  updated_at_ms: number;
  /** Counts changes by people, for `ETag`. */
  version: number;
}
