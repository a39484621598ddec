import type { BackupJob } from '../../api/types.ts';
import { isSame } from '../../components/editing/paths.ts';
import { tagsOf, tagsText } from '../../components/form/tags.ts';

/** What the form has, by the names of the API. Sizes and percentages are as typed, a size in MB. */
export interface JobInput {
  name: string;
  schedule: { cron: string; time_zone: string };
  grace_seconds: number;
  max_run_seconds: number;
  min_size_bytes: string;
  max_shrink_percent: string;
  expect_sha256: boolean;
  tags: string;
  enabled: boolean;
}

const BYTES_IN_MB = 1_000_000;
const MINUTE_S = 60;
const HOUR_S = 60 * MINUTE_S;
const DAY_S = 24 * HOUR_S;
/** A month: some jobs run once a quarter. */
const GRACES_S = [
  ...[5 * MINUTE_S, 15 * MINUTE_S, 30 * MINUTE_S, HOUR_S, 2 * HOUR_S, 6 * HOUR_S, 12 * HOUR_S],
  ...[DAY_S, 2 * DAY_S, 7 * DAY_S, 30 * DAY_S],
];
const LONGEST_S = [
  ...[10 * MINUTE_S, 30 * MINUTE_S, HOUR_S, 2 * HOUR_S, 6 * HOUR_S, 12 * HOUR_S],
  ...[DAY_S, 2 * DAY_S, 7 * DAY_S],
];

/** Returns the choices of the form in seconds, with the one that is stored. Pure. */
export const choicesOf = (field: 'grace_seconds' | 'max_run_seconds', stored: number): number[] =>
  [...new Set([...(field === 'grace_seconds' ? GRACES_S : LONGEST_S), stored])].sort((one, other) => one - other);

/** Returns the form of a new job: every night at 02:00. */
export function emptyJob(): JobInput {
  return {
    name: '',
    schedule: { cron: '0 2 * * *', time_zone: new Intl.DateTimeFormat().resolvedOptions().timeZone },
    grace_seconds: HOUR_S,
    max_run_seconds: 12 * HOUR_S,
    min_size_bytes: '',
    max_shrink_percent: '',
    expect_sha256: false,
    tags: '',
    enabled: true,
  };
}

/** Returns the form of a stored job. Pure. */
export function inputOf(job: BackupJob): JobInput {
  const { name, schedule, grace_seconds, max_run_seconds, min_size_bytes, max_shrink_percent } = job;
  return {
    ...{ name, schedule: { ...schedule }, grace_seconds, max_run_seconds },
    min_size_bytes: min_size_bytes === null ? '' : String(min_size_bytes / BYTES_IN_MB),
    max_shrink_percent: max_shrink_percent === null ? '' : String(max_shrink_percent),
    expect_sha256: job.expect_sha256,
    tags: tagsText(job.tags),
    enabled: job.enabled,
  };
}

/** Returns the schedule as the API reads it. Pure. */
export const scheduleBody = ({ schedule: { cron, time_zone } }: Pick<JobInput, 'schedule'>): BackupJob['schedule'] => ({
  cron: cron.trim(),
  time_zone: time_zone.trim(),
});

/** Returns the body that creates a job. Pure. */
export function jobBody(input: JobInput): Record<string, unknown> {
  const { grace_seconds, max_run_seconds, expect_sha256, enabled } = input;
  return {
    name: input.name.trim(),
    schedule: scheduleBody(input),
    ...{ grace_seconds, max_run_seconds },
    min_size_bytes: typedNumber(input.min_size_bytes, (mb) => Math.round(mb * BYTES_IN_MB)),
    max_shrink_percent: typedNumber(input.max_shrink_percent, (percent) => percent),
    expect_sha256,
    tags: tagsOf(input.tags),
    enabled,
  };
}

/** Returns the body that changes what differs from the stored job; null if nothing does. Pure. */
export function changedBody(before: BackupJob, input: JobInput): Record<string, unknown> | null {
  const was = jobBody(inputOf(before));
  const changed = Object.entries(jobBody(input)).filter(([field, value]) => !isSame(value, was[field]));
  return changed.length === 0 ? null : Object.fromEntries(changed);
}

/** What is no number is returned as it is, so that the API says why not. */
function typedNumber(text: string, convert: (value: number) => number): number | string | null {
  const typed = text.trim();
  if (typed === '') return null;
  return /^\d+(?:[.,]\d+)?$/.test(typed) ? convert(Number(typed.replace(',', '.'))) : typed;
}
