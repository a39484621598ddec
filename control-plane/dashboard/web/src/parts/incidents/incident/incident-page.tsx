import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { pageOf } from '../../../api/page-of.ts';
import { incidentQuery } from '../../../api/queries.ts';
import type { IncidentDetail } from '../../../api/types.ts';
import { useMayWrite } from '../../../app/account.ts';
import { Gone } from '../../../components/page/gone.tsx';
import { PageHead } from '../../../components/page/page-head.tsx';
import { UnreadPage } from '../../../components/page/unread-page.tsx';
import { Said } from '../../../components/said.tsx';
import { SecondTime, useNow } from '../../../components/time/time.tsx';
import { texts } from '../../../texts/app/texts.ts';
import { duration, list } from '../../../texts/format.ts';
import { plainText, type Said as Sentence, say } from '../../../texts/said.ts';
import { useCity } from '../../monitors/location-list.tsx';
import { Runbook } from '../../monitors/monitor/settings.tsx';
import { causeSentence } from '../cause-sentence.ts';
import { IncidentMark } from '../incident-mark.tsx';
import { lastedOf } from '../lasted.ts';
import { resolvedEarly } from '../shown-state.ts';
import { texts as own } from '../texts/texts.ts';
import { IncidentActions } from './actions.tsx';
import { Comments } from './comments.tsx';
import { eventSentence, whoDid } from './event-sentence.ts';
import { Notifications } from './notifications.tsx';
import { measuredBy, outageDecision, reasonsOf, upIn } from './reasons.ts';
import { Votes } from './votes.tsx';
import './incident.css';

export function IncidentPage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string };
  const { data: incident, error, refetch } = useQuery(incidentQuery(id));
  const mayWrite = useMayWrite();
  if (incident === undefined) {
    return <UnreadPage key={id} error={error} retry={() => void refetch()} gone={<Gone {...GONE} />} />;
  }
  const decision = outageDecision(incident);
  return (
    <>
      <Head incident={incident} mayWrite={mayWrite} />
      {incident.acknowledged_by === null || incident.acknowledged_at === null ? null : (
        <p className="note good">
          <AcknowledgedBy
            who={whoDid(incident.acknowledged_by, incident.acknowledged_link)}
            at={incident.acknowledged_at}
          />
        </p>
      )}
      {incident.status === 'silenced' && incident.silenced_at !== null ? (
        <p className="note">
          <Silenced since={incident.silenced_at} incident={incident} />
        </p>
      ) : null}
      <Dependents incident={incident} />
      <ResolvedEarly incident={incident} />
      <div className="stack">
        <Why incident={incident} />
        {decision === null ? null : <Votes votes={decision.votes} />}
        <End incident={incident} />
        <div className="columns">
          <Timeline incident={incident} />
          <Notifications sent={incident.notifications_sent} />
        </div>
        <Comments id={incident.id} />
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

function AcknowledgedBy({ who, at }: { who: string; at: string }) {
  return <Said words={(time) => texts.incident.acknowledged(who, time(at, 'at'))} />;
}

/** Who resolved it although the problem still existed. */
function ResolvedEarly({ incident }: { incident: IncidentDetail }) {
  const event = incident.events.findLast(({ type }) => type === 'resolved');
  if (!resolvedEarly(incident) || event === undefined) return null;
  const words = incident.kind === 'monitor' ? own.whileDown : own.whileWrong;
  return (
    <p className="note warning">
      <Said words={(time) => words(whoDid(event.actor, event.link), time(event.at, 'at'))} />
    </p>
  );
}

function Silenced({ since, incident }: { since: string; incident: IncidentDetail }) {
  const { silenced_until: until, maintenance, dependency } = incident;
  if (until !== null) return <Said words={(time) => own.silencedUntil(time(until))} />;
  if (maintenance === null && dependency !== null) return <SilentBecause {...dependency} />;
  if (maintenance === null) return <Said words={(time) => own.silenced(time(since))} />;
  return <Said words={(time) => own.silencedByMaintenance(maintenance.name, time(maintenance.until))} />;
}

/** The monitor that keeps it silent, with its incident. */
function SilentBecause({ state, monitor_id, monitor_name, incident_id }: NonNullable<IncidentDetail['dependency']>) {
  return (
    <>
      {own.silentBecause}{' '}
      <Link to={`/monitors/${monitor_id}`}>
        <bdi>{monitor_name}</bdi>
      </Link>
      {` ${own.silentStates[state]} `}
      {incident_id === null ? null : <Link to={`/incidents/${incident_id}`}>{own.openParent}</Link>}
    </>
  );
}

/** How much is silent because of it. */
function Dependents({ incident }: { incident: IncidentDetail }) {
  const { dependents, status } = incident;
  if (dependents === null || status === 'resolved') return null;
  return <p className="note">{own.dependents(dependents.total, dependents.down)}</p>;
}

function Head({ incident, mayWrite }: { incident: IncidentDetail; mayWrite: boolean }) {
  const now = useNow();
  const name = incident.monitor_name ?? incident.resource.name;
  const { started_at: since } = incident;
  const lasted = lastedOf(incident);
  const isOutage = incident.kind === 'monitor';
  const page = pageOf(incident.resource);
  const title = say((time) =>
    lasted !== null && resolvedEarly(incident)
      ? own.resolvedEarly(name, time(since), lasted)
      : lasted === null
        ? texts.incident.isDown(name, time(since), duration(now - Date.parse(since)))
        : texts.incident.wasDown(name, time(since), lasted),
  );
  return (
    <PageHead
      title={isOutage ? title : [name]}
      mark={<IncidentMark incident={incident} />}
      sentence={isOutage ? undefined : <Said words={[...lasting(incident, now), ' ', ...headSentence(incident)]} />}
      isWide
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

/** Since when it has been there, or how long it was. */
function lasting(incident: IncidentDetail, nowMs: number): Sentence {
  const { started_at: since, status } = incident;
  const lasted = lastedOf(incident);
  if (lasted !== null) return say((time) => own.lastedFrom(time(since), lasted));
  const words = status === 'silenced' ? own.openSince : own.firingSince;
  return say((time) => words(time(since), duration(nowMs - Date.parse(since))));
}

/** What is wrong, or how it ended. */
function headSentence(incident: IncidentDetail) {
  const ended = own.resolution[incident.resolution ?? ''];
  return incident.facts === null || ended === undefined ? causeSentence(incident) : [ended];
}

/** The decision record in sentences; of incidents of other kinds, their cause and what was measured. */
function Why({ incident }: { incident: IncidentDetail }) {
  const city = useCity();
  const decision = outageDecision(incident);
  const reasons = decision === null ? [causeSentence(incident), ...measuredBy(incident)] : reasonsOf(decision, city);
  return (
    <section className="panel why">
      <h2>{texts.incident.why}</h2>
      {reasons.map((reason) => (
        <p key={plainText(reason, 0)} className="wrap">
          <Said words={reason} />
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

function Timeline({ incident }: { incident: IncidentDetail }) {
  return (
    <section className="panel">
      <h2>{texts.incident.timeline}</h2>
      <ol className="rows">
        {incident.events.map((event) => (
          <li key={`${event.at} ${event.type} ${event.message}`} className="timeline-line">
            <span className="timeline-time">
              <SecondTime at={event.at} />
            </span>
            <span className="wrap">
              <Said words={eventSentence(event, incident)} />
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

const GONE = { text: texts.incident.notFound, to: '/incidents', label: texts.incident.toList } as const;
