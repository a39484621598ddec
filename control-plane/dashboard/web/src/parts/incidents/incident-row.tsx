import { Link } from '@tanstack/react-router';
import type { Incident } from '../../api/types.ts';
import { StatusMark } from '../../components/status-mark.tsx';
import { LinkSince, LinkTime } from '../../components/time.tsx';
import { texts } from '../../texts/app/texts.ts';
import { duration } from '../../texts/format.ts';
import { shownState } from './shown-state.ts';

export function IncidentRow({ incident }: { incident: Incident }) {
  const { id, message, started_at, duration_seconds, acknowledged_by, status } = incident;
  return (
    <Link to={`/incidents/${id}`} className="row">
      <StatusMark state={shownState(incident)} quiet />
      <span className="row-main">
        <strong className="two-lines">
          <bdi>{incident.monitor_name ?? incident.resource.name}</bdi>
        </strong>
        <span className="row-detail two-lines">{message}</span>
        {acknowledged_by === null || status !== 'firing' ? null : (
          <span className="row-detail wrap">{texts.incidents.acknowledgedBy(acknowledged_by)}</span>
        )}
      </span>
      <span className="row-side">
        <LinkTime at={started_at} />
        <span className="row-detail">
          {duration_seconds === null ? (
            <LinkSince at={started_at} wrap={texts.incidents.for} />
          ) : (
            texts.incidents.lasted(duration(duration_seconds * 1_000))
          )}
        </span>
      </span>
    </Link>
  );
}
