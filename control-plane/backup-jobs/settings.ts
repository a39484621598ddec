import { invalidField } from '../errors.js';
import { timeZoneOf } from '../http/input/time/time-zone.js';
import type { JobSettings } from './documents.js';
import { readCron } from './schedule/cron.js';
import { nextBeginning } from './schedule/next.js';
import { type CreateBackupJob, GRACE_SECONDS_DEFAULT, RUN_SECONDS_DEFAULT, type UpdateBackupJob } from './schema.js';

/** Returns the settings of a new job. Throws 422. */
export function newSettings(input: CreateBackupJob, nowMs: number): JobSettings {
  return {
    name: input.name,
    schedule: scheduleOf(input.schedule, nowMs),
    grace_seconds: input.grace_seconds ?? GRACE_SECONDS_DEFAULT,
    max_run_seconds: input.max_run_seconds ?? RUN_SECONDS_DEFAULT,
    min_size_bytes: input.min_size_bytes ?? null,
    max_shrink_percent: input.max_shrink_percent ?? null,
    expect_sha256: input.expect_sha256 ?? false,
    tags: input.tags ?? [],
    enabled: input.enabled ?? true,
  };
}

/** Returns the changed settings; each field is replaced as a whole. Throws 422. */
export function changedSettings(current: JobSettings, patch: UpdateBackupJob, nowMs: number): JobSettings {
  const { min_size_bytes = current.min_size_bytes, max_shrink_percent = current.max_shrink_percent } = patch;
  return {
    name: patch.name ?? current.name,
    schedule: patch.schedule === undefined ? current.schedule : scheduleOf(patch.schedule, nowMs),
    grace_seconds: patch.grace_seconds ?? current.grace_seconds,
    max_run_seconds: patch.max_run_seconds ?? current.max_run_seconds,
    min_size_bytes,
    max_shrink_percent,
    expect_sha256: patch.expect_sha256 ?? current.expect_sha256,
    tags: patch.tags ?? current.tags,
    enabled: patch.enabled ?? current.enabled,
  };
}

/** Returns the next `max` beginnings of a schedule that is not stored. Throws 422 as its creation does. */
export function previewedBeginnings(input: JobSettings['schedule'], nowMs: number, max: number): number[] {
  const schedule = scheduleOf(input, nowMs);
  const found: number[] = [];
  for (let at = nextBeginning(schedule, nowMs); at !== null && found.length < max; at = nextBeginning(schedule, at)) {
    found.push(at);
  }
  return found;
}

function scheduleOf({ cron, time_zone }: JobSettings['schedule'], nowMs: number): JobSettings['schedule'] {
  const schedule = { cron, time_zone: timeZoneOf(time_zone, '/schedule/time_zone') };
  const message = 'must be a cron expression of five fields, such as 0 2 * * *';
  if (readCron(cron) === null) throw invalidField('/schedule/cron', message);
  if (nextBeginning(schedule, nowMs) === null) throw invalidField('/schedule/cron', 'names no time');
  return schedule;
}
