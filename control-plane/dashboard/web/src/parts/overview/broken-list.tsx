import { Link } from '@tanstack/react-router';
import { StatusMark } from '../../components/status-mark.tsx';
import { LinkSince } from '../../components/time.tsx';
import { texts } from '../../texts/app/texts.ts';
import type { Broken } from './broken.ts';

/** More rows than this do not help anybody who was woken up; the list of incidents has all. */
const ROWS_MAX = 8;

export function BrokenList({ broken }: { broken: readonly Broken[] }) {
  const shown = broken.slice(0, ROWS_MAX);
  return (
    <section className="panel">
      <h2>{texts.overview.broken}</h2>
      <ul className="rows">
        {shown.map(({ key, name, detail, since, severity, isAcknowledged, incidentId, monitorId }) => (
          <li key={key}>
            <Link to={incidentId === null ? `/monitors/${monitorId}` : `/incidents/${incidentId}`} className="row">
              <StatusMark state={isAcknowledged ? 'acknowledged' : severity} quiet />
              <span className="row-main">
                <strong className="two-lines">
                  <bdi>{name}</bdi>
                </strong>
                <span className="row-detail two-lines">{detail}</span>
              </span>
              <span className="row-side">
                <LinkSince at={since} wrap={texts.overview.since} />
                {isAcknowledged ? <span className="row-detail">{texts.status.acknowledged}</span> : null}
              </span>
            </Link>
          </li>
        ))}
      </ul>
      {broken.length > ROWS_MAX ? (
        <p>
          <Link to="/incidents" search={{ status: 'firing' }}>
            {texts.overview.more(broken.length - ROWS_MAX)}
          </Link>
        </p>
      ) : null}
    </section>
  );
}
