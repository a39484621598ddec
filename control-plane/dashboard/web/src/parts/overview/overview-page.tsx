import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { call } from '../../api/client.ts';
import { apiPath } from '../../api/path.ts';
import { billingQuery, downMonitorsQuery, firingQuery, silencedQuery, totalsQuery } from '../../api/queries.ts';
import { useMayWrite } from '../../app/account.ts';
import { PageHead } from '../../components/page/page-head.tsx';
import { UnreadPage, UnreadPart } from '../../components/page/unread-page.tsx';
import { ActionProblem } from '../../components/problem-note.tsx';
import { Said } from '../../components/said.tsx';
import { useNow } from '../../components/time/time.tsx';
import { texts } from '../../texts/app/texts.ts';
import { countOf, listedQuery, unknownQuery } from '../blacklists/queries.ts';
import { NobodyAlerted } from '../channels/nobody-alerted.tsx';
import { FirstMinute } from '../monitors/watch/first-minute.tsx';
import { fillingQuery, offlineQuery } from '../servers/queries.ts';
import { type Broken, brokenNow, fillingUnnoticed } from './broken.ts';
import { BrokenList } from './broken-list.tsx';
import { CountsPanel } from './counts.tsx';
import { FillingList } from './filling-list.tsx';
import { recentQuery } from './queries.ts';
import { type Counts, stateSentence, stateTone } from './state-sentence.ts';
import { Timeline } from './timeline.tsx';
import './overview.css';

export function OverviewPage() {
  const queries = useQueryClient();
  const counted = useCounts();
  const down = useQuery(downMonitorsQuery);
  const firing = useQuery(firingQuery);
  const silenced = useQuery(silencedQuery);
  const mayWrite = useMayWrite();
  const error = counted.error ?? down.error ?? firing.error ?? silenced.error;
  const isRead = down.data !== undefined && firing.data !== undefined && silenced.data !== undefined;
  if (counted.data === null || !isRead) {
    const isFailed = ({ state }: { state: { status: string } }) => state.status === 'error';
    const retry = () => void queries.refetchQueries({ type: 'active', predicate: isFailed });
    return <UnreadPage error={error} retry={retry} />;
  }
  const { totals, unnoticed, ...rest } = counted.data;
  const open = [...firing.data.data, ...silenced.data.data];
  const broken = brokenNow(down.data.data, open);
  const filling = fillingUnnoticed(unnoticed, open);
  const counts: Counts = {
    ...rest,
    ...{ monitors: totals, hasMoreFiring: firing.data.next_cursor !== null, filling: filling.length },
  };
  const cut = { firing: counts.hasMoreFiring, silenced: silenced.data.next_cursor !== null };
  const others = counts.servers + counts.targets;
  const brokenRows = broken.length === 0 ? null : <BrokenList broken={broken} cut={cut} />;
  const columns = (top: ReactNode) => (
    <div className="columns">
      <div className="stack">
        {top}
        {filling.length === 0 ? null : <FillingList servers={filling} />}
        <CountsPanel totals={totals} counts={counts} />
      </div>
      <RecentTimeline />
    </div>
  );
  return (
    <FirstMinute
      // A viewer cannot answer, and sees what there is.
      asks={totals.monitors === 0 && (mayWrite || others + broken.length === 0)}
      broken={brokenRows}
      // A new installation has the server that it runs on.
      rest={others > 1 ? columns(null) : <OneLine broken={broken} counts={counts} />}
    >
      <Head broken={broken} counts={counts} />
      <NobodyAlerted />
      {columns(brokenRows)}
    </FirstMinute>
  );
}

/** What a workspace without monitors has, where it is not more than one server or address. */
function OneLine({ broken, counts }: { broken: readonly Broken[]; counts: Counts }) {
  const { servers, targets } = counts;
  if (servers + targets === 0) return null;
  return (
    <p className="soft">
      {broken.length === 0 ? <StateSentence broken={broken} counts={counts} /> : null}{' '}
      {servers === 0 ? (
        <Link to="/blacklists">{texts.overview.targetCount(targets)}</Link>
      ) : (
        <Link to="/servers">{texts.overview.serverCount(servers)}</Link>
      )}
    </p>
  );
}

/** What the workspace watches: all of it from a few small answers, however much it is. */
function useCounts() {
  const totals = useQuery(totalsQuery);
  const billing = useQuery(billingQuery);
  const offline = useQuery(offlineQuery);
  const listed = useQuery(listedQuery);
  const unknown = useQuery(unknownQuery);
  const filling = useQuery(fillingQuery);
  const error = totals.error ?? billing.error ?? offline.error ?? listed.error ?? unknown.error;
  const isRead = totals.data !== undefined && billing.data !== undefined;
  const isListedRead = listed.data !== undefined && unknown.data !== undefined;
  if (!isRead || offline.data === undefined || !isListedRead) return { data: null, error };
  const quotas = billing.data.quotas;
  const used = (quota: string) => quotas.find(({ name }) => name === quota)?.used ?? 0;
  const data = {
    totals: totals.data,
    ...{ servers: used('servers'), offline: countOf(offline.data) },
    unnoticed: filling.data ?? [],
    ...{ targets: used('blacklist_monitors'), listed: countOf(listed.data), unknown: countOf(unknown.data) },
  };
  return { data, error };
}

function Head({ broken, counts }: { broken: readonly Broken[]; counts: Counts }) {
  const [worst] = broken;
  return (
    <PageHead
      title={texts.overview.title}
      sentence={<StateSentence broken={broken} counts={counts} />}
      tone={stateTone(broken, counts)}
      actions={
        broken.length !== 1 || worst?.incidentId == null ? undefined : (
          <WorstActions id={worst.incidentId} isAcknowledged={worst.isAcknowledged} />
        )
      }
    />
  );
}

/** Says every second again for how long something is down. */
function StateSentence({ broken, counts }: { broken: readonly Broken[]; counts: Counts }) {
  return <Said words={stateSentence(broken, counts, useNow())} />;
}

function WorstActions({ id, isAcknowledged }: { id: string; isAcknowledged: boolean }) {
  const queries = useQueryClient();
  const mayWrite = useMayWrite();
  const acknowledge = useMutation({
    mutationFn: () => call('POST', apiPath`/v1/alerts/${id}/acknowledge`),
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

function RecentTimeline() {
  const recent = useQuery(recentQuery);
  if (recent.data === undefined) return <UnreadPart error={recent.error} retry={() => void recent.refetch()} />;
  return <Timeline recent={recent.data} />;
}
