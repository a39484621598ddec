import { Button, SegmentedControl } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { firingQuery, type IncidentFilter, incidentsQuery } from '../../api/queries.ts';
import { PageHead } from '../../components/page-head.tsx';
import { ProblemNote } from '../../components/problem-note.tsx';
import { PageSkeleton } from '../../components/skeleton.tsx';
import { texts } from '../../texts/app/texts.ts';
import { IncidentRow } from './incident-row.tsx';

const STATUSES = ['all', 'firing', 'silenced', 'resolved'] as const;

export function IncidentsPage() {
  const filter: IncidentFilter = useSearch({ strict: false });
  const navigate = useNavigate();
  const firing = useQuery(firingQuery).data?.data.length;
  const incidents = useInfiniteQuery({ ...incidentsQuery(filter), placeholderData: keepPreviousData });
  if (incidents.data === undefined) {
    return incidents.isError ? (
      <ProblemNote error={incidents.error} retry={() => void incidents.refetch()} />
    ) : (
      <PageSkeleton />
    );
  }
  const rows = incidents.data.pages.flatMap(({ data }) => data);
  const choose = (value: string) => {
    void navigate({ to: '/incidents', search: value === 'all' ? {} : { status: value }, replace: true });
  };
  return (
    <>
      <PageHead
        title={texts.incidents.title}
        sentence={
          firing === undefined ? '' : firing === 0 ? texts.incidents.noneFiring : texts.incidents.countFiring(firing)
        }
        tone={firing === undefined || firing === 0 ? 'idle' : 'down'}
      />
      <div className="filters">
        <SegmentedControl
          {...{
            value: filter.status ?? 'all',
            onChange: choose,
            transitionDuration: 0,
            'aria-label': texts.incidents.filter,
          }}
          data={STATUSES.map((value) => ({ value, label: texts.incidents[value] }))}
        />
      </div>
      <section className="panel">
        {rows.length === 0 ? (
          <p className="soft">{filter.status === undefined ? texts.incidents.empty : texts.incidents.emptyFilter}</p>
        ) : null}
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
