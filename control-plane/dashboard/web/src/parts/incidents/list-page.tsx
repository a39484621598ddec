import { Button } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';
import { firingQuery, type IncidentFilter, incidentsQuery } from '../../api/queries.ts';
import { PageHead } from '../../components/page-head.tsx';
import { ProblemNote } from '../../components/problem-note.tsx';
import { PageSkeleton } from '../../components/skeleton.tsx';
import { texts } from '../../texts/app/texts.ts';
import { Filters } from './filters.tsx';
import { firingSentence } from './firing-sentence.ts';
import { IncidentRow } from './incident-row.tsx';
import { texts as own } from './texts/texts.ts';

export function IncidentsPage() {
  const filter: IncidentFilter = useSearch({ strict: false });
  const navigate = useNavigate();
  const show = useCallback(
    (next: IncidentFilter) => void navigate({ to: '/incidents', search: () => next, replace: true }),
    [navigate],
  );
  const firing = useQuery(firingQuery).data;
  const incidents = useInfiniteQuery({ ...incidentsQuery(filter), placeholderData: keepPreviousData });
  if (incidents.data === undefined) {
    return incidents.isError ? (
      <ProblemNote error={incidents.error} retry={() => void incidents.refetch()} />
    ) : (
      <PageSkeleton />
    );
  }
  const rows = incidents.data.pages.flatMap(({ data }) => data);
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <>
      <PageHead
        title={texts.incidents.title}
        sentence={firing === undefined ? '' : firingSentence(firing)}
        tone={firing === undefined || firing.data.length === 0 ? 'idle' : 'down'}
      />
      <Filters filter={filter} show={show} />
      <section className="panel">
        {rows.length > 0 ? null : isFiltered ? (
          <div className="panel-empty">
            <p>{own.noMatch}</p>
            <Button variant="default" onClick={() => show({})}>
              {own.clear}
            </Button>
          </div>
        ) : (
          <p className="soft">{texts.incidents.empty}</p>
        )}
        <ul className="rows">
          {rows.map((incident) => (
            <li key={incident.id}>
              <IncidentRow incident={incident} />
            </li>
          ))}
        </ul>
        {incidents.hasNextPage ? (
          <Button
            variant="default"
            loading={incidents.isFetchingNextPage}
            onClick={() => void incidents.fetchNextPage()}
          >
            {texts.incidents.more}
          </Button>
        ) : null}
      </section>
    </>
  );
}
