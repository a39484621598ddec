import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';
import { firingQuery, type IncidentFilter } from '../../../api/queries.ts';
import { PageHead } from '../../../components/page/page-head.tsx';
import { UnreadPage } from '../../../components/page/unread-page.tsx';
import { Said } from '../../../components/said.tsx';
import { texts } from '../../../texts/app/texts.ts';
import { texts as own } from '../texts/texts.ts';
import { Filters } from './filters.tsx';
import { firingSentence } from './firing-sentence.ts';
import { IncidentRow } from './incident-row.tsx';
import { incidentSearch } from './search.ts';
import { type IncidentList, useLists } from './use-lists.ts';

export function IncidentsPage() {
  // The address may have more parameters than the list knows: mail programs add some to links.
  const filter = incidentSearch(useSearch({ strict: false }));
  const navigate = useNavigate();
  const show = useCallback(
    (next: IncidentFilter) => void navigate({ to: '/incidents', search: () => next, replace: true }),
    [navigate],
  );
  const firing = useQuery(firingQuery).data;
  const { lists, error, retry } = useLists(filter);
  if (lists === null) return <UnreadPage error={error} retry={retry} />;
  const isEmpty = lists.every(({ rows, hasMore, searchedTo }) => rows.length === 0 && !hasMore && searchedTo === null);
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <>
      <PageHead
        title={texts.incidents.title}
        sentence={firing === undefined ? '' : firingSentence(firing)}
        tone={firing === undefined || firing.data.length === 0 ? 'idle' : 'down'}
      />
      <Filters filter={filter} show={show} />
      <div className="stack">
        {isEmpty && !isFiltered ? (
          <section className="panel">
            <p className="soft">{texts.incidents.empty}</p>
          </section>
        ) : null}
        {isEmpty && isFiltered ? (
          <section className="panel panel-empty">
            <p>{own.noMatch}</p>
            <Clear show={show} />
          </section>
        ) : null}
        {isEmpty
          ? null
          : lists
              .filter(({ status, rows }) => status === null || rows.length > 0)
              .map((list) => (
                <List key={list.status} list={list}>
                  {list.rows.length === 0 ? <Clear show={show} /> : null}
                </List>
              ))}
      </div>
    </>
  );
}

function Clear({ show }: { show(filter: IncidentFilter): void }) {
  return (
    <Button variant="default" onClick={() => show({})}>
      {own.clear}
    </Button>
  );
}

function List({ list, children }: { list: IncidentList; children: React.ReactNode }) {
  const { status, rows, searchedTo } = list;
  return (
    <section className="panel">
      {status === null ? null : <h2>{texts.incidents[status]}</h2>}
      {children}
      <ul className="rows">
        {rows.map((incident) => (
          <li key={incident.id}>
            <IncidentRow incident={incident} />
          </li>
        ))}
      </ul>
      {searchedTo === null ? null : (
        <p className="soft">
          <Said words={(time) => own.searchedTo(time(searchedTo, 'long'))} />
        </p>
      )}
      {list.hasMore ? (
        <Button variant="default" loading={list.isReading} onClick={list.readMore}>
          {searchedTo === null ? texts.incidents.more : own.searchOlder}
        </Button>
      ) : null}
    </section>
  );
}
