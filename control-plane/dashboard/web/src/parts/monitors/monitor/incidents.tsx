import { useInfiniteQuery } from '@tanstack/react-query';
import { incidentsQuery } from '../../../api/queries.ts';
import { texts } from '../../../texts/app/texts.ts';
import { IncidentRow } from '../../incidents/list/incident-row.tsx';

const SHOWN = 5;

/** The newest incidents of a monitor. */
export function MonitorIncidents({ id }: { id: string }) {
  const incidents = useInfiniteQuery(incidentsQuery({ monitor_id: id }, SHOWN));
  const rows = incidents.data?.pages[0]?.data ?? [];
  return (
    <section className="panel section" id="incidents" tabIndex={-1}>
      <h2>{texts.monitor.incidents}</h2>
      {incidents.isSuccess && rows.length === 0 ? <p className="soft">{texts.monitor.noIncidents}</p> : null}
      <ul className="rows">
        {rows.map((incident) => (
          <li key={incident.id}>
            <IncidentRow incident={incident} />
          </li>
        ))}
      </ul>
    </section>
  );
}
