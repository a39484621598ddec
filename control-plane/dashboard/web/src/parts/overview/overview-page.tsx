import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { call } from '../../api/client.ts';
import { billingQuery, firingQuery, newestUpQuery, someMonitorsQuery } from '../../api/queries.ts';
import { useMayWrite } from '../../app/account.ts';
import { PageHead } from '../../components/page-head.tsx';
import { ActionProblem, ProblemNote } from '../../components/problem-note.tsx';
import { PageSkeleton } from '../../components/skeleton.tsx';
import { useNow } from '../../components/time.tsx';
import { texts } from '../../texts/app/texts.ts';
import { number } from '../../texts/format.ts';
import { stateOf } from '../monitors/state-of.ts';
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
  const up = useQuery(newestUpQuery);
  const error = billing.error ?? down.error ?? paused.error ?? firing.error ?? up.error;
  if (
    billing.data === undefined ||
    down.data === undefined ||
    paused.data === undefined ||
    firing.data === undefined ||
    up.data === undefined
  ) {
    return error === null ? <PageSkeleton /> : <ProblemNote error={error} />;
  }
  const all = billing.data.quotas.find(({ name }) => name === 'monitors')?.used ?? 0;
  const broken = brokenNow(down.data.data, firing.data.data);
  const waiting = up.data.data.filter((monitor) => stateOf(monitor) === 'unknown').length;
  const counts: MonitorCounts = {
    ...{ all, down: downCount(down.data.data, firing.data.data), paused: paused.data.data.length, waiting },
    ...{ hasMoreDown: down.data.next_cursor !== null, hasMorePaused: paused.data.next_cursor !== null },
    hasMoreFiring: firing.data.next_cursor !== null,
    hasMoreWaiting: up.data.next_cursor !== null && waiting === up.data.data.length,
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
  const [worst] = broken;
  return (
    <PageHead
      title={texts.overview.title}
      sentence={<StateSentence broken={broken} counts={counts} />}
      tone={
        worst === undefined
          ? counts.paused + counts.waiting >= counts.all
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

/** Says every second again for how long something is down. */
function StateSentence({ broken, counts }: { broken: readonly Broken[]; counts: MonitorCounts }) {
  return stateSentence(broken, counts, useNow());
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
  const { all, down, paused, waiting, hasMoreDown, hasMorePaused, hasMoreWaiting } = counts;
  // How many are up is known only if the others are.
  const isUpKnown = !hasMoreDown && !hasMorePaused && !hasMoreWaiting;
  const up = isUpKnown ? number(Math.max(0, all - down - paused - waiting)) : '';
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
        {waiting === 0 ? null : (
          <li className="count">
            <strong>{atLeast(waiting, hasMoreWaiting)}</strong> {texts.status.unknown}
          </li>
        )}
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
