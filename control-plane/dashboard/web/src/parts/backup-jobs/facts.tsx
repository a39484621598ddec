import type { BackupJob } from '../../api/types.ts';
import { FactList } from '../../components/page/fact-list.tsx';
import { Time } from '../../components/time/time.tsx';
import { duration, fileSize } from '../../texts/format.ts';
import { texts } from './texts/texts.ts';

const SECOND_MS = 1_000;

/** What Picket expects of a job, and what it last got. */
export function Facts({ job }: { job: BackupJob }) {
  const { schedule, expected_at: expected, last_good_at: good, last_run } = job;
  const words = texts.facts;
  const size = last_run?.size_bytes ?? null;
  const rows = [
    [words.next, expected === null ? texts.noTime : <Time key="next" at={expected} />],
    [words.lastGood, good === null ? texts.noTime : <Time key="good" at={good} />],
    [words.size, size === null ? texts.noTime : fileSize(size)],
    [words.cron, <bdi key="cron">{schedule.cron}</bdi>],
    [words.timeZone, schedule.time_zone],
    [words.grace, duration(job.grace_seconds * SECOND_MS)],
    [words.createdBy, <bdi key="by">{job.created_by}</bdi>],
  ] as const;
  return (
    <section className="panel" aria-labelledby="backup-facts">
      <h2 id="backup-facts">{words.title}</h2>
      <FactList facts={rows} />
    </section>
  );
}
