import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { ApiProblem } from '../../api/client.ts';
import { pageOf } from '../../api/page-of.ts';
import { incidentQuery } from '../../api/queries.ts';
import type { IncidentDetail } from '../../api/types.ts';
import { useMayWrite } from '../../app/account.ts';
import { PageHead } from '../../components/page-head.tsx';
import { ProblemNote } from '../../components/problem-note.tsx';
import { PageSkeleton } from '../../components/skeleton.tsx';
import { StatusMark } from '../../components/status-mark.tsx';
import { SecondTime, useNow } from '../../components/time.tsx';
import { texts } from '../../texts/app/texts.ts';
import { duration, list, shortTime } from '../../texts/format.ts';
import { useCity } from '../monitors/location-list.tsx';
import { Runbook } from '../monitors/monitor/settings.tsx';
import { IncidentActions } from './actions.tsx';
import { Notifications } from './notifications.tsx';
import { outageDecision, reasonsOf, upIn } from './reasons.ts';
import { shownState } from './shown-state.ts';
import { texts as own } from './texts/texts.ts';
import { Votes } from './votes.tsx';
import './incident.css';

export function IncidentPage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string };
  const { data: incident, error, refetch } = useQuery(incidentQuery(id));
  const mayWrite = useMayWrite();
  if (incident === undefined) {
    if (error instanceof ApiProblem && (error.status === 404 || error.status === 422)) return <Gone />;
    return error === null ? <PageSkeleton /> : <ProblemNote error={error} retry={() => void refetch()} />;
  }
  const decision = outageDecision(incident);
  return (
    <>
      <Head incident={incident} mayWrite={mayWrite} />
      {incident.acknowledged_by === null || incident.acknowledged_at === null ? null : (
        <p className="note good">
          {texts.incident.acknowledged(incident.acknowledged_by, shortTime(incident.acknowledged_at, Date.now()))}
        </p>
      )}
      {incident.status === 'silenced' && incident.silenced_at !== null ? (
        <p className="note">{own.silenced(shortTime(incident.silenced_at, Date.now()))}</p>
      ) : null}
      <div className="stack">
        <Why incident={incident} />
        {decision === null ? null : <Votes votes={decision.votes} />}
        <End incident={incident} />
        <div className="columns">
          <Timeline incident={incident} />
          <Notifications sent={incident.notifications_sent} />
        </div>
        {incident.decision === null ? null : (
          <details className="panel">
            <summary>{texts.incident.record}</summary>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
            <pre className="mono" tabIndex={0}>
              {JSON.stringify(incident.decision, null, 2)}
            </pre>
          </details>
        )}
      </div>
    </>
  );
}

function Head({ incident, mayWrite }: { incident: IncidentDetail; mayWrite: boolean }) {
  const now = useNow();
  const name = incident.monitor_name ?? incident.resource.name;
  const since = shortTime(incident.started_at, now);
  const isOutage = incident.kind === 'monitor';
  const page = pageOf(incident.resource);
  const title =
    incident.duration_seconds === null
      ? texts.incident.isDown(name, since, duration(now - Date.parse(incident.started_at)))
      : texts.incident.wasDown(name, since, duration(incident.duration_seconds * 1_000));
  return (
    <PageHead
      title={isOutage ? title : name}
      mark={<StatusMark state={shownState(incident)} quiet />}
      sentence={isOutage ? undefined : incident.message}
      actions={
        <>
          {mayWrite ? <IncidentActions incident={incident} /> : null}
          {page === null ? null : (
            <Link to={page} className="button-link">
              {incident.resource.type === 'monitor' ? texts.incident.openMonitor : texts.incident.openObject}
            </Link>
          )}
        </>
      }
    />
  );
}

/** The decision record in sentences; incidents of other kinds have theirs in the message. */
function Why({ incident }: { incident: IncidentDetail }) {
  const city = useCity();
  const decision = outageDecision(incident);
  const reasons = decision === null ? [incident.message] : reasonsOf(decision, city, Date.now());
  return (
    <section className="panel why">
      <h2>{texts.incident.why}</h2>
      {reasons.map((reason) => (
        <p key={reason} className="wrap">
          {reason}
        </p>
      ))}
      {incident.runbook_url === null ? null : (
        <p>
          {texts.incident.runbook}: <Runbook url={incident.runbook_url} />
        </p>
      )}
    </section>
  );
}

/** What ended it, and which locations saw it work again. */
function End({ incident }: { incident: IncidentDetail }) {
  const city = useCity();
  const { resolution } = incident;
  if (resolution === null) return null;
  const working = upIn(incident.recovery).map(city);
  return (
    <section className="panel why">
      <h2>{own.end}</h2>
      <p className="wrap">{own.resolution[resolution] ?? resolution}</p>
      {working.length === 0 ? null : <p className="wrap">{own.recoveredFrom(list(working))}</p>}
    </section>
  );
}

function Timeline({ incident: { events } }: { incident: IncidentDetail }) {
  return (
    <section className="panel">
      <h2>{texts.incident.timeline}</h2>
      <ol className="rows">
        {events.map(({ at, message, type, actor }) => (
          <li key={`${at} ${type}`} className="timeline-line">
            <span className="timeline-time">
              <SecondTime at={at} />
            </span>
            <span className="wrap">
              {message}
              {actor === 'system' || message.includes(actor) ? null : <span className="row-detail">{actor}</span>}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

function Gone() {
  return (
    <>
      <PageHead title={texts.notFound.title} />
      <section className="panel empty">
        <p>{texts.incident.notFound}</p>
      </section>
    </>
  );
}
