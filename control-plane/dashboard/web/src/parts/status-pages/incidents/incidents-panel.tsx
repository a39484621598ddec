import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { StatusPage, StatusPageIncident } from '../../../api/types.ts';
import { LoadProblem } from '../../../components/problem-note.tsx';
import { Time } from '../../../components/time/time.tsx';
import { incidentsQuery } from '../queries.ts';
import { texts } from '../texts/texts.ts';
import { IncidentMark } from './incident-mark.tsx';

const ROWS_SHOWN = 10;

/** The incidents that people have written: first those that last, then the others. */
export function IncidentsPanel({ page, mayWrite }: { page: StatusPage; mayWrite: boolean }) {
  const { data, error } = useQuery(incidentsQuery(page.id));
  const words = texts.incidents;
  const rows = data?.rows ?? [];
  const open = rows.filter(({ state }) => state !== 'resolved');
  const past = rows.filter(({ state }) => state === 'resolved');
  return (
    <section className="panel" aria-labelledby="page-incidents">
      <h2 id="page-incidents">{words.title}</h2>
      {data === undefined ? (
        <LoadProblem error={error} />
      ) : (
        <p>{open.length === 0 ? words.noneOpen : words.open(open.length)}</p>
      )}
      {mayWrite ? (
        <div className="page-actions status-actions">
          <Button variant="default" component={Link} to={`/status-pages/${page.id}/incidents/new`}>
            {words.create}
          </Button>
        </div>
      ) : null}
      <Rows pageId={page.id} rows={open} />
      {past.length === 0 ? null : (
        <>
          <h3 className="status-group-name">{words.past}</h3>
          <Rows pageId={page.id} rows={past.slice(0, ROWS_SHOWN)} />
          {past.length > ROWS_SHOWN ? (
            <details>
              <summary>{words.older(past.length - ROWS_SHOWN)}</summary>
              <Rows pageId={page.id} rows={past.slice(ROWS_SHOWN)} />
            </details>
          ) : null}
        </>
      )}
    </section>
  );
}

function Rows({ pageId, rows }: { pageId: string; rows: readonly StatusPageIncident[] }) {
  if (rows.length === 0) return null;
  return (
    <ul className="rows">
      {rows.map(({ id, title, state, started_at: startedAt }) => (
        <li key={id} className="row">
          <div className="row-main">
            <Link to={`/status-pages/${pageId}/incidents/${id}`} className="two-lines">
              <bdi>{title}</bdi>
            </Link>
            <p className="row-detail wrap">
              <IncidentMark state={state} /> · <Time at={startedAt} />
            </p>
          </div>
        </li>
      ))}
    </ul>
  );
}
