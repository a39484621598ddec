import { Button } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useEffect, useMemo, useState } from 'react';
import { billingQuery } from '../../api/queries.ts';
import { useMayWrite } from '../../app/account.ts';
import { PageHead } from '../../components/page/page-head.tsx';
import { UnreadPage } from '../../components/page/unread-page.tsx';
import type { ServerFilter } from './filter.ts';
import { Filters } from './filters.tsx';
import { Join } from './join/join.tsx';
import { worstServersFirst } from './order.ts';
import { offlineQuery, pendingQuery, serversQuery } from './queries.ts';
import { ServerRows } from './rows.tsx';
import { sentenceOf } from './sentence-of.ts';
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
  // The page stays while a person waits for their first server, which makes the list no longer empty.
  const [isJoining, setJoining] = useState(false);
  const rows = useMemo(() => worstServersFirst(data ?? []), [data]);
  if (data === undefined) {
    return <UnreadPage error={servers.error} retry={() => void servers.refetch()} />;
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
  const pending = useQuery(pendingQuery).data;
  const isKnown = all !== undefined && offline !== undefined && pending !== undefined;
  return (
    <PageHead
      title={texts.title}
      {...(isKnown ? sentenceOf(all, offline, pending) : { sentence: '', tone: 'idle' })}
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
