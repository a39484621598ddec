import { duration } from '../../duration.js';
import { bytes, shortName, utc } from '../../wording.js';
import type { JobProblem, JobSettings, JobState, LastRun, Problem } from '../documents.js';

/** A job as sentences name it. */
type NamedJob = Pick<
  JobSettings & JobState,
  'name' | 'schedule' | 'grace_seconds' | 'max_run_seconds' | 'min_size_bytes' | 'max_shrink_percent' | 'last_good'
>;

const SECOND_MS = 1_000;
const LOG_CHARS_MAX = 300;

/** The messages of incidents of backup jobs. */
export const backupMessages = {
  failing(job: NamedJob, problem: JobProblem): string {
    return `${SENTENCES[problem.type](job, problem)} ${lastGood(job)}${logOf(problem.run)}`;
  },
  recovered({ name, last_run }: Pick<JobSettings & JobState, 'name' | 'last_run'>, sinceMs: number, atMs: number) {
    const size = last_run === null ? null : last_run.size_bytes;
    const good = size === null ? '' : `, ${bytes(size)}`;
    return `${shortName(name)} is good again: its run of ${utc(atMs)}${good}. It was failing for ${duration(atMs - sinceMs)}.`;
  },
};

type Sentence = (job: NamedJob, problem: JobProblem) => string;

const SENTENCES: Readonly<Record<Problem, Sentence>> = {
  missed({ name, schedule, grace_seconds }, { run }) {
    const expectedMs = run.expected_at_ms ?? run.at_ms;
    const deadline = utc(expectedMs + grace_seconds * SECOND_MS);
    const plan = `its schedule is ${schedule.cron} in ${schedule.time_zone}`;
    return `${shortName(name)} was expected at ${utc(expectedMs)} and sent no ping by ${deadline}: ${plan}, with ${duration(grace_seconds * SECOND_MS)} of grace.`;
  },
  failed({ name }, { run }) {
    const code = run.exit_code === null ? '' : ` with exit code ${run.exit_code}`;
    return `${shortName(name)} reported a failure${code} at ${utc(run.at_ms)}.`;
  },
  not_ended({ name, max_run_seconds }, { run }) {
    const begun = run.started_at_ms === null ? 'began' : `began at ${utc(run.started_at_ms)}`;
    const late = run.at_ms - (run.started_at_ms ?? run.at_ms) >= max_run_seconds * SECOND_MS;
    const until = late ? `within ${duration(max_run_seconds * SECOND_MS)}` : 'before the next run began';
    return `${shortName(name)} ${begun} and did not end ${until}.`;
  },
  size_missing: ({ name }) => `${shortName(name)} did not say how large its backup is, so Picket cannot compare it.`,
  too_small({ name, min_size_bytes }, { run }) {
    return `The backup of ${shortName(name)} is too small: ${bytes(run.size_bytes ?? 0)}, at least ${bytes(min_size_bytes ?? 0)} expected.`;
  },
  shrunken({ name, max_shrink_percent }, { run, compared_bytes }) {
    const [size, before] = [run.size_bytes ?? 0, compared_bytes ?? 0];
    const percent = before === 0 ? 0 : Math.floor(((before - size) * 100) / before);
    return `The backup of ${shortName(name)} is ${percent} % smaller than the last good one: ${bytes(size)} instead of ${bytes(before)}, and at most ${max_shrink_percent ?? 0} % is allowed.`;
  },
  checksum_missing: ({ name }) => `${shortName(name)} sent no SHA-256 of its backup.`,
};

function lastGood({ last_good }: NamedJob): string {
  if (last_good === null) return 'No run was good before.';
  const size = last_good.size_bytes === null ? '' : `, ${bytes(last_good.size_bytes)}`;
  return `Last good run: ${utc(last_good.at_ms)}${size}.`;
}

/** Anyone may have written the log: it is quoted on one line, without what could end the quotation. */
function logOf({ log }: LastRun): string {
  const line = (log ?? '').replace(/[\p{C}\s]+/gu, ' ').replace(/[“”]/g, '"');
  const characters = [...line.trim()];
  if (characters.length === 0) return '';
  const end = characters.slice(-LOG_CHARS_MAX).join('');
  return ` Its log ends: “${characters.length > LOG_CHARS_MAX ? '…' : ''}${end}”.`;
}
