import { Link } from '@tanstack/react-router';
import type { Incident } from '../../../api/types.ts';
import { Said } from '../../../components/said.tsx';
import { LinkSince, LinkTime } from '../../../components/time/time.tsx';
import { texts } from '../../../texts/app/texts.ts';
import { causeSentence } from '../cause-sentence.ts';
import { whoByLink } from '../incident/event-sentence.ts';
import { IncidentMark } from '../incident-mark.tsx';
import { lastedOf } from '../lasted.ts';
import { resolvedEarly } from '../shown-state.ts';
import { texts as own } from '../texts/texts.ts';

export function IncidentRow({ incident }: { incident: Incident }) {
  const { id, started_at, acknowledged_by, acknowledged_link, status } = incident;
  const lasted = lastedOf(incident);
  return (
    <Link to={`/incidents/${id}`} className="row">
      <IncidentMark incident={incident} />
      <span className="row-main">
        <strong className="two-lines">
          <bdi>{incident.monitor_name ?? incident.resource.name}</bdi>
        </strong>
        <span className="row-detail two-lines">
          <Said words={causeSentence(incident)} isInLink />
        </span>
        {resolvedEarly(incident) ? <span className="row-detail wrap">{own.byPerson}</span> : null}
        {acknowledged_by === null || status !== 'firing' ? null : (
          <span className="row-detail wrap">
            {texts.incidents.acknowledgedBy(whoByLink(acknowledged_by, acknowledged_link))}
          </span>
        )}
      </span>
      <span className="row-side">
        <LinkTime at={started_at} />
        <span className="row-detail">
          {lasted === null ? <LinkSince at={started_at} wrap={texts.incidents.for} /> : texts.incidents.lasted(lasted)}
        </span>
      </span>
    </Link>
  );
}
