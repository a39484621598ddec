import { Button } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { billingQuery } from '../../../api/queries.ts';
import { useMayWrite } from '../../../app/account.ts';
import { PageHead } from '../../../components/page/page-head.tsx';
import { UnreadPage } from '../../../components/page/unread-page.tsx';
import { AddForm } from '../add-form.tsx';
import type { BlacklistFilter } from '../filter.ts';
import { blacklistMonitorsQuery, countOf, listedQuery, unknownQuery } from '../queries.ts';
import { texts } from '../texts/texts.ts';
import { Filters } from './filters.tsx';
import { listedSentence, listedTone } from './listed-sentence.ts';
import { BlacklistRows } from './rows.tsx';
import '../blacklists.css';

export function BlacklistsPage() {
  const filter: BlacklistFilter = useSearch({ strict: false });
  const monitors = useInfiniteQuery({ ...blacklistMonitorsQuery(filter), placeholderData: keepPreviousData });
  if (monitors.data === undefined) {
    return <UnreadPage error={monitors.error} retry={() => void monitors.refetch()} />;
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
  const unknown = useQuery(unknownQuery).data;
  const counts =
    all === undefined || listed === undefined || unknown === undefined
      ? null
      : { all, listed: countOf(listed), unknown: countOf(unknown) };
  return (
    <PageHead
      title={texts.title}
      sentence={counts === null ? '' : listedSentence(counts)}
      tone={counts === null ? 'idle' : listedTone(counts)}
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
