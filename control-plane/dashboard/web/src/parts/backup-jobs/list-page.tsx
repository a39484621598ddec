import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { BackupJob } from '../../api/types.ts';
import { useMayWrite } from '../../app/account.ts';
import { PageHead } from '../../components/page/page-head.tsx';
import { UnreadPage } from '../../components/page/unread-page.tsx';
import { Said } from '../../components/said.tsx';
import { LinkTime } from '../../components/time/time.tsx';
import { fileSize } from '../../texts/format.ts';
import { JobMark } from './marks.tsx';
import { jobsQuery } from './queries.ts';
import { stateSentence } from './sentence.ts';
import { texts } from './texts/texts.ts';
import './backup-jobs.css';

const ORDER: Readonly<Record<BackupJob['status'], number>> = { failing: 0, new: 1, ok: 2, disabled: 3 };

export function BackupJobsPage() {
  const { data, error, refetch } = useQuery(jobsQuery);
  const mayWrite = useMayWrite();
  if (data === undefined) return <UnreadPage error={error} retry={() => void refetch()} />;
  const { rows } = data;
  const add = (
    <Button component={Link} to="/backup-jobs/new">
      {texts.add}
    </Button>
  );
  if (rows.length === 0) {
    return (
      <>
        <PageHead title={texts.title} sentence={texts.none} />
        <section className="panel empty">
          <p>{texts.empty}</p>
          {mayWrite ? add : null}
        </section>
      </>
    );
  }
  const failing = rows.filter(({ status }) => status === 'failing').length;
  const { job, state, next, size } = texts.columns;
  return (
    <>
      <PageHead
        title={texts.title}
        sentence={failing > 0 ? texts.failing(failing, rows.length) : texts.notFailing(rows.length)}
        tone={failing > 0 ? 'down' : 'idle'}
        actions={mayWrite ? add : undefined}
      />
      <section className="panel list-panel">
        <div className="list-head backup-columns" aria-hidden="true">
          {[job, state, next, size].map((label) => (
            <span key={label}>{label}</span>
          ))}
        </div>
        <ul aria-label={texts.title}>
          {[...rows].sort(worstFirst).map((one) => (
            <li key={one.id}>
              <JobRow job={one} />
            </li>
          ))}
        </ul>
      </section>
    </>
  );
}

function worstFirst(one: BackupJob, other: BackupJob): number {
  return ORDER[one.status] - ORDER[other.status] || one.name.localeCompare(other.name);
}

function JobRow({ job }: { job: BackupJob }) {
  const { id, name, status, expected_at: expected, last_run } = job;
  const size = last_run?.size_bytes ?? null;
  return (
    <Link to={`/backup-jobs/${id}`} className="list-row backup-columns">
      <span className="list-name">
        <JobMark status={status} quiet />
        <bdi className="cut strong">{name}</bdi>
      </span>
      <span className="backup-state">
        <Said words={stateSentence(job)} isInLink />
      </span>
      <span>
        <span className="backup-label">{texts.columns.next} </span>
        {expected === null ? texts.noTime : <LinkTime at={expected} />}
      </span>
      <span>
        <span className="backup-label">{texts.columns.size} </span>
        {size === null ? texts.noTime : fileSize(size)}
      </span>
    </Link>
  );
}
