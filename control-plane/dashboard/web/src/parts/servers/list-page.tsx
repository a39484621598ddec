import { Button } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useEffect, useMemo, useState } from 'react';
import { billingQuery } from '../../api/queries.ts';
import { useMayWrite } from '../../app/account.ts';
import { PageHead } from '../../components/page-head.tsx';
import { ProblemNote } from '../../components/problem-note.tsx';
import { PageSkeleton } from '../../components/skeleton.tsx';
import type { ServerFilter } from './filter.ts';
import { Filters } from './filters.tsx';
import { Join } from './join/join.tsx';
import { worstServersFirst } from './order.ts';
import { offlineQuery, serversQuery } from './queries.ts';
import { ServerRows } from './rows.tsx';
import { texts } from './texts/texts.ts';
import './servers.css';

export function ServersPage() {
  const filter: ServerFilter = useSearch({ strict: false });
  const servers = useInfiniteQuery({ ...serversQuery(filter), placeholderData: keepPreviousData });
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = servers;
  // The order is by values that only the whole list has.
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  // The page stays while somebody waits for their first server, which makes the list no longer empty.
  const [isJoining, setJoining] = useState(false);
  const rows = useMemo(() => worstServersFirst(data ?? []), [data]);
  if (data === undefined) {
    return servers.isError ? (
      <ProblemNote error={servers.error} retry={() => void servers.refetch()} />
    ) : (
      <PageSkeleton />
    );
  }
  const isFiltered = Object.keys(filter).length > 0;
  const isEmpty = rows.length === 0 && !hasNextPage && !servers.isPlaceholderData;
  if (isJoining || (isEmpty && !isFiltered)) return <Empty setJoining={setJoining} />;
  return (
    <>
      <Head />
      <Filters filter={filter} />
      {isEmpty ? <NoMatch /> : <ServerRows rows={rows} list={servers} />}
    </>
  );
}

function Head() {
  const mayWrite = useMayWrite();
  const all = useQuery(billingQuery).data?.quotas.find(({ name }) => name === 'servers')?.used;
  const offline = useQuery(offlineQuery).data;
  const count = offline?.data.length ?? 0;
  const words = texts.sentence;
  const shown = offline?.next_cursor == null ? String(count) : words.atLeast(count);
  return (
    <PageHead
      title={texts.title}
      sentence={
        all === undefined || offline === undefined ? '' : count === 0 ? words.online(all) : words.offline(shown, all)
      }
      tone={offline === undefined ? 'idle' : count === 0 ? 'up' : 'down'}
      actions={
        mayWrite ? (
          <Button component={Link} to="/servers/new">
            {texts.add}
          </Button>
        ) : undefined
      }
    />
  );
}

function NoMatch() {
  return (
    <section className="panel empty">
      <p>{texts.none}</p>
      <Button variant="default" component={Link} to="/servers">
        {texts.clear}
      </Button>
    </section>
  );
}

/** What the page is for, and the one next step. */
function Empty({ setJoining }: { setJoining(isJoining: boolean): void }) {
  const mayWrite = useMayWrite();
  return (
    <>
      <PageHead title={texts.empty.title} sentence={texts.empty.lead} />
      {mayWrite ? (
        <Join started={() => setJoining(true)} done={() => setJoining(false)} />
      ) : (
        <section className="panel empty">
          <p>{texts.empty.viewer}</p>
        </section>
      )}
    </>
  );
}
