import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReportSchedule } from '../../../api/types.ts';
import { useMayWrite } from '../../../app/account.ts';
import { PageHead } from '../../../components/page/page-head.tsx';
import { UnreadPage } from '../../../components/page/unread-page.tsx';
import { Mark } from '../../../components/status-mark.tsx';
import { LinkTime } from '../../../components/time/time.tsx';
import { schedulesQuery } from './queries.ts';
import { texts } from './texts/texts.ts';
import { outcomeOf, whenWords } from './words.ts';
import './schedules.css';

/** All schedules, those whose last report did not reach everybody first. */
export function SchedulesPage() {
  const { data, error, refetch } = useQuery(schedulesQuery);
  const mayWrite = useMayWrite();
  if (data === undefined) return <UnreadPage error={error} retry={() => void refetch()} />;
  const { rows } = data;
  const reports = (
    <Button variant="default" component={Link} to="/reports">
      {texts.reports}
    </Button>
  );
  const add = mayWrite ? (
    <Button component={Link} to="/reports/schedules/new">
      {texts.add}
    </Button>
  ) : null;
  const actions = (
    <>
      {reports}
      {add}
    </>
  );
  if (rows.length === 0) {
    return (
      <>
        <PageHead title={texts.title} sentence={texts.none} />
        <section className="panel empty">
          <p>{texts.empty}</p>
          <div className="page-actions">{actions}</div>
        </section>
      </>
    );
  }
  const bad = rows.filter(isBad).length;
  return (
    <>
      <PageHead
        title={texts.title}
        sentence={bad > 0 ? texts.bad(bad, rows.length) : texts.count(rows.length)}
        tone={bad > 0 ? 'warning' : 'idle'}
        actions={actions}
      />
      <section className="panel list-panel">
        <div className="list-head schedule-columns" aria-hidden="true">
          {[texts.columns.schedule, texts.columns.when, texts.columns.next, texts.columns.last].map((label) => (
            <span key={label}>{label}</span>
          ))}
        </div>
        <ul aria-label={texts.title}>
          {[...rows].sort(worstFirst).map((schedule) => (
            <li key={schedule.id}>
              <ScheduleRow schedule={schedule} />
            </li>
          ))}
        </ul>
      </section>
    </>
  );
}

const isBad = ({ last_run: run }: ReportSchedule): boolean => run !== null && outcomeOf(run).isBad;
const rank = (schedule: ReportSchedule): number => (isBad(schedule) ? 0 : schedule.enabled ? 1 : 2);

function worstFirst(one: ReportSchedule, other: ReportSchedule): number {
  return rank(one) - rank(other) || one.name.localeCompare(other.name);
}

function ScheduleRow({ schedule }: { schedule: ReportSchedule }) {
  const { id, name, client_name: client, cron, enabled, next_occurrences, last_run: run } = schedule;
  const [next] = next_occurrences;
  return (
    <Link to={`/reports/schedules/${id}`} className="list-row schedule-columns">
      <span className="list-name">
        <Mark as={enabled ? 'up' : 'paused'} word={texts.states[enabled ? 'active' : 'paused']} quiet />
        <span className="list-names">
          <bdi className="cut strong">{name}</bdi>
          <bdi className="cut soft">{client}</bdi>
        </span>
      </span>
      <span className="wrap">{whenWords(cron)}</span>
      <span>
        <span className="schedule-label">{texts.columns.next} </span>
        {enabled ? next === undefined ? texts.noTime : <LinkTime at={next} /> : texts.states.paused}
      </span>
      <span>
        <span className="schedule-label">{texts.columns.last} </span>
        {run === null ? texts.noTime : <LastRun run={run} />}
      </span>
    </Link>
  );
}

function LastRun({ run }: { run: NonNullable<ReportSchedule['last_run']> }) {
  const { mark, words } = outcomeOf(run);
  return (
    <span className="schedule-last">
      <Mark as={mark} word={words} quiet={false} />
      <span className="row-detail">
        <LinkTime at={run.occurrence} />
      </span>
    </span>
  );
}
