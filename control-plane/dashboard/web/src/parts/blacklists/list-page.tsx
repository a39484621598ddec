import { Button } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { billingQuery } from '../../api/queries.ts';
import { useMayWrite } from '../../app/account.ts';
import { PageHead } from '../../components/page-head.tsx';
import { ProblemNote } from '../../components/problem-note.tsx';
import { PageSkeleton } from '../../components/skeleton.tsx';
import { AddForm } from './add-form.tsx';
import type { BlacklistFilter } from './filter.ts';
import { Filters } from './filters.tsx';
import { blacklistMonitorsQuery, listedQuery } from './queries.ts';
import { BlacklistRows } from './rows.tsx';
import { texts } from './texts/texts.ts';
import './blacklists.css';

export function BlacklistsPage() {
  const filter: BlacklistFilter = useSearch({ strict: false });
  const monitors = useInfiniteQuery({ ...blacklistMonitorsQuery(filter), placeholderData: keepPreviousData });
  if (monitors.data === undefined) {
    return monitors.isError ? (
      <ProblemNote error={monitors.error} retry={() => void monitors.refetch()} />
    ) : (
      <PageSkeleton />
    );
  }
  const isFiltered = filter.q !== undefined || filter.status !== undefined;
  const isEmpty = monitors.data.length === 0 && !monitors.hasNextPage && !monitors.isPlaceholderData;
  if (isEmpty && !isFiltered) return <Empty />;
  return (
    <>
      <Head />
      <Filters filter={filter} />
      {isEmpty ? <NoMatch /> : <BlacklistRows rows={monitors.data} list={monitors} />}
    </>
  );
}

function Head() {
  const mayWrite = useMayWrite();
  const all = useQuery(billingQuery).data?.quotas.find(({ name }) => name === 'blacklist_monitors')?.used;
  const listed = useQuery(listedQuery).data;
  const count = listed?.data.length ?? 0;
  const words = texts.sentence;
  const shown = listed?.next_cursor == null ? String(count) : words.atLeast(count);
  return (
    <PageHead
      title={texts.title}
      sentence={
        all === undefined || listed === undefined ? '' : count === 0 ? words.clean(all) : words.listed(shown, all)
      }
      tone={listed === undefined ? 'idle' : count === 0 ? 'up' : 'down'}
      actions={
        mayWrite ? (
          <>
            <Button variant="default" component={Link} to="/blacklists/check">
              {texts.check}
            </Button>
            <Button component={Link} to="/blacklists/new">
              {texts.add}
            </Button>
          </>
        ) : undefined
      }
    />
  );
}

function NoMatch() {
  return (
    <section className="panel empty">
      <p>{texts.none}</p>
      <Button variant="default" component={Link} to="/blacklists">
        {texts.clear}
      </Button>
    </section>
  );
}

/** What the page is for, and the one next step. */
function Empty() {
  const mayWrite = useMayWrite();
  return (
    <>
      <PageHead
        title={texts.empty.title}
        sentence={texts.empty.lead}
        actions={
          mayWrite ? (
            <Button variant="default" component={Link} to="/blacklists/check">
              {texts.check}
            </Button>
          ) : undefined
        }
      />
      {mayWrite ? (
        <AddForm />
      ) : (
        <section className="panel empty">
          <p>{texts.empty.viewer}</p>
        </section>
      )}
    </>
  );
}
