import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { call } from '../../api/client.ts';
import { billingQuery, firingQuery, someMonitorsQuery } from '../../api/queries.ts';
import { useMayWrite } from '../../app/account.ts';
import { PageHead } from '../../components/page-head.tsx';
import { ActionProblem, ProblemNote } from '../../components/problem-note.tsx';
import { PageSkeleton } from '../../components/skeleton.tsx';
import { useNow } from '../../components/time.tsx';
import { texts } from '../../texts/app/texts.ts';
import { number } from '../../texts/format.ts';
import { FirstMinute } from '../monitors/watch/first-minute.tsx';
import { type Broken, brokenNow, downCount } from './broken.ts';
import { BrokenList } from './broken-list.tsx';
import { recentQuery } from './queries.ts';
import { type MonitorCounts, stateSentence } from './state-sentence.ts';
import { Timeline } from './timeline.tsx';
import './overview.css';

export function OverviewPage() {
  const billing = useQuery(billingQuery);
  const down = useQuery(someMonitorsQuery('down'));
  const paused = useQuery(someMonitorsQuery('paused'));
  const firing = useQuery(firingQuery);
  const error = billing.error ?? down.error ?? paused.error ?? firing.error;
  if (billing.data === undefined || down.data === undefined || paused.data === undefined || firing.data === undefined) {
    return error === null ? <PageSkeleton /> : <ProblemNote error={error} />;
  }
  const all = billing.data.quotas.find(({ name }) => name === 'monitors')?.used ?? 0;
  const broken = brokenNow(down.data.data, firing.data.data);
  const counts: MonitorCounts = {
    ...{ all, down: downCount(down.data.data, firing.data.data), paused: paused.data.data.length },
    ...{ hasMoreDown: down.data.next_cursor !== null, hasMorePaused: paused.data.next_cursor !== null },
    hasMoreFiring: firing.data.next_cursor !== null,
  };
  return (
    <FirstMinute isEmpty={all === 0 && broken.length === 0}>
      <Head broken={broken} counts={counts} />
      <div className="columns">
        <div className="stack">
          {broken.length === 0 ? null : <BrokenList broken={broken} />}
          <Counts counts={counts} />
        </div>
        <RecentTimeline />
      </div>
    </FirstMinute>
  );
}

function Head({ broken, counts }: { broken: readonly Broken[]; counts: MonitorCounts }) {
  const now = useNow();
  const [worst] = broken;
  return (
    <PageHead
      title={texts.overview.title}
      sentence={stateSentence(broken, counts, now)}
      tone={
        worst === undefined
          ? counts.paused === counts.all
            ? 'idle'
            : 'up'
          : worst.severity === 'critical'
            ? 'down'
            : 'warning'
      }
      actions={
        broken.length !== 1 || worst?.incidentId == null ? undefined : (
          <WorstActions id={worst.incidentId} isAcknowledged={worst.isAcknowledged} />
        )
      }
    />
  );
}

function WorstActions({ id, isAcknowledged }: { id: string; isAcknowledged: boolean }) {
  const queries = useQueryClient();
  const mayWrite = useMayWrite();
  const acknowledge = useMutation({
    mutationFn: () => call('POST', `/v1/alerts/${id}/acknowledge`),
    onSettled: () => queries.invalidateQueries({ queryKey: ['incidents'] }),
  });
  return (
    <>
      {mayWrite && !isAcknowledged ? (
        <Button onClick={() => acknowledge.mutate()} loading={acknowledge.isPending}>
          {texts.incident.acknowledge}
        </Button>
      ) : null}
      <Button variant="default" component={Link} to={`/incidents/${id}`}>
        {texts.incident.why}
      </Button>
      <ActionProblem error={acknowledge.error} />
    </>
  );
}

function Counts({ counts }: { counts: MonitorCounts }) {
  const { all, down, paused, hasMoreDown, hasMorePaused } = counts;
  // How many are up is known only if the others are.
  const up = hasMoreDown || hasMorePaused ? '' : number(all - down - paused);
  const rows = [
    ['up', up],
    ['down', atLeast(down, hasMoreDown)],
    ['paused', atLeast(paused, hasMorePaused)],
  ] as const;
  return (
    <section className="panel" aria-label={texts.frame.monitors}>
      <ul className="counts">
        {rows.map(([status, count]) => (
          <li key={status}>
            <Link to="/monitors" search={{ status }} className="count">
              <strong>{count}</strong> {texts.overview.counts[status]}
            </Link>
          </li>
        ))}
        <li className="counts-all">
          <Link to="/monitors">{texts.overview.allMonitors}</Link>
        </li>
      </ul>
    </section>
  );
}

const atLeast = (count: number, hasMore: boolean): string => `${number(count)}${hasMore ? '+' : ''}`;

function RecentTimeline() {
  const recent = useQuery(recentQuery);
  if (recent.data === undefined) return recent.isError ? <ProblemNote error={recent.error} /> : <PageSkeleton />;
  return <Timeline recent={recent.data} />;
}
