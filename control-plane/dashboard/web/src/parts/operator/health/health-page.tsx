import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { InstallationHealth } from '../../../api/types.ts';
import { PageHead } from '../../../components/page/page-head.tsx';
import { UnreadPage } from '../../../components/page/unread-page.tsx';
import { LoadProblem } from '../../../components/problem-note.tsx';
import { OnlyOperators } from '../only-operators.tsx';
import { isLate } from '../probes/order.ts';
import { probesQuery } from '../queries.ts';
import { texts } from '../texts/texts.ts';
import { Backlogs } from './backlogs.tsx';
import { ControlPlanes } from './control-planes.tsx';
import { Database } from './database.tsx';
import { Line } from './line.tsx';
import { Locations } from './locations.tsx';
import { Metrics } from './metrics.tsx';
import { healthQuery, type Readiness, readinessQuery } from './queries.ts';
import '../operator.css';

const words = texts.health;

/** How Picket itself does. */
export function HealthPage() {
  return (
    <OnlyOperators>
      <Health />
    </OnlyOperators>
  );
}

function Health() {
  const { data: readiness, error, refetch } = useQuery(readinessQuery);
  const health = useQuery(healthQuery);
  if (readiness === undefined) {
    return <UnreadPage error={error} retry={() => void refetch()} />;
  }
  return (
    <>
      <PageHead title={words.title} {...sentenceOf(readiness, health.data)} />
      <div className="stack">
        {health.data === undefined ? (
          <LoadProblem error={health.error} />
        ) : (
          <>
            <ControlPlanes planes={health.data.control_planes} />
            <Database database={health.data.database} />
            <Backlogs backlogs={health.data.backlogs} />
          </>
        )}
        <Probes />
        <Locations />
        <Metrics />
      </div>
    </>
  );
}

function sentenceOf(readiness: Readiness, health: InstallationHealth | undefined) {
  if (!readiness.isReady) return { sentence: words.notReady(readiness.why), tone: 'down' as const };
  if (readiness.probes === 0) return { sentence: words.noProbe, tone: 'down' as const };
  const ready = words.ready(readiness.probes);
  const parts = health === undefined ? [] : [...health.control_planes, health.database, ...health.backlogs];
  const look = [...parts, ...(health?.database.members ?? [])].filter(({ ok }) => !ok).length;
  if (look > 0) return { sentence: `${ready} ${words.lookAt(look)}`, tone: 'warning' as const };
  return { sentence: ready, tone: 'up' as const };
}

function Probes() {
  const probes = useInfiniteQuery(probesQuery).data?.pages.flatMap(({ data }) => data);
  if (probes === undefined || probes.length === 0) return null;
  const lost = probes.filter(({ state }) => state === 'disconnected').length;
  const waiting = probes.reduce((sum, { spool_records }) => sum + (spool_records ?? 0), 0);
  const isAnyLate = probes.some(isLate);
  const dropped = probes.reduce((sum, { dropped_total }) => sum + (dropped_total ?? 0), 0);
  return (
    <section className="panel">
      <h2>{words.probes}</h2>
      <ul className="rows">
        <Line ok={lost === 0}>{lost === 0 ? words.noneLost : words.lost(lost)}</Line>
        <Line ok={!isAnyLate}>
          {waiting === 0 ? words.nothingWaits : isAnyLate ? words.waits(waiting) : words.onTheirWay(waiting)}
        </Line>
        <Line ok={dropped === 0}>{dropped === 0 ? words.nothingDropped : words.dropped(dropped)}</Line>
      </ul>
      <Link to="/settings/probes">{words.allProbes}</Link>
    </section>
  );
}
