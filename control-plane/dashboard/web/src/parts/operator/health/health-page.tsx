import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { locationsQuery } from '../../../api/queries.ts';
import { PageHead } from '../../../components/page-head.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { PageSkeleton } from '../../../components/skeleton.tsx';
import { Mark } from '../../../components/status-mark.tsx';
import { milliseconds, number } from '../../../texts/format.ts';
import { OnlyOperators } from '../only-operators.tsx';
import { adminLocationsQuery, probesQuery } from '../queries.ts';
import { texts } from '../texts/texts.ts';
import { Metrics } from './metrics.tsx';
import { type Readiness, readinessQuery } from './queries.ts';
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
  if (readiness === undefined) {
    return error === null ? <PageSkeleton /> : <ProblemNote error={error} retry={() => void refetch()} />;
  }
  return (
    <>
      <PageHead title={words.title} {...sentenceOf(readiness)} />
      <div className="stack">
        <Probes />
        <Locations />
        <Metrics />
      </div>
    </>
  );
}

function sentenceOf(readiness: Readiness) {
  if (readiness.isReady && readiness.probes === 0) return { sentence: words.noProbe, tone: 'down' as const };
  return readiness.isReady
    ? { sentence: words.ready(readiness.probes), tone: 'up' as const }
    : { sentence: words.notReady(readiness.why), tone: 'down' as const };
}

function Probes() {
  const probes = useInfiniteQuery(probesQuery).data?.pages.flatMap(({ data }) => data);
  if (probes === undefined || probes.length === 0) return null;
  const lost = probes.filter(({ state }) => state === 'disconnected').length;
  const waiting = probes.reduce((sum, { spool_records }) => sum + (spool_records ?? 0), 0);
  const dropped = probes.reduce((sum, { dropped_total }) => sum + (dropped_total ?? 0), 0);
  return (
    <section className="panel">
      <h2>{words.probes}</h2>
      <ul className="rows">
        <li className="row">
          <Mark as={lost === 0 ? 'up' : 'down'} word={lost === 0 ? words.noneLost : words.lost(lost)} quiet={false} />
        </li>
        <li className="row">
          <Mark
            as={waiting === 0 ? 'up' : 'warning'}
            word={waiting === 0 ? words.nothingWaits : words.waits(waiting)}
            quiet={false}
          />
        </li>
        <li className="row">
          <Mark
            as={dropped === 0 ? 'up' : 'warning'}
            word={dropped === 0 ? words.nothingDropped : words.dropped(dropped)}
            quiet={false}
          />
        </li>
      </ul>
      <Link to="/settings/probes">{words.allProbes}</Link>
    </section>
  );
}

function Locations() {
  const locations = useQuery(locationsQuery).data ?? [];
  const quarantined = new Set(
    (useQuery(adminLocationsQuery).data ?? []).filter((one) => one.quarantined).map(({ code }) => code),
  );
  const shown = (value: { p50_ms: number; p99_ms: number } | null) =>
    value === null ? <span className="soft">{words.noValue}</span> : milliseconds(value.p99_ms);
  return (
    <section className="panel">
      <h2>{words.locations}</h2>
      <p className="soft">{words.locationsHelp}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <section className="table-scroll" tabIndex={0} aria-label={words.locations}>
        <table>
          <thead>
            <tr>
              <th scope="col">{words.location}</th>
              <th scope="col">{words.probes}</th>
              <th scope="col">{words.late}</th>
              <th scope="col">{words.delay}</th>
            </tr>
          </thead>
          <tbody>
            {locations.map(({ code, city, connected_probes: probes, schedule_lateness, detection_delay }) => (
              <tr key={code}>
                <td>
                  <bdi className="wrap">{city}</bdi>
                  {quarantined.has(code) ? <span className="tone-warning"> {words.quarantined}</span> : null}
                </td>
                <td className={probes === 0 ? 'tone-warning' : undefined}>{number(probes)}</td>
                <td>{shown(schedule_lateness)}</td>
                <td>{shown(detection_delay)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </section>
  );
}
