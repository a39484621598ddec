import { Button, SegmentedControl, TextInput } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { type MonitorFilter, monitorsQuery } from '../../api/queries.ts';
import { useMayWrite } from '../../app/account.ts';
import { PageHead } from '../../components/page-head.tsx';
import { ProblemNote } from '../../components/problem-note.tsx';
import { PageSkeleton } from '../../components/skeleton.tsx';
import { texts } from '../../texts/app/texts.ts';
import { capital } from '../../texts/format.ts';
import { MonitorRows } from './rows.tsx';
import { Watch } from './watch/watch.tsx';
import './list.css';

const STATUSES = ['all', 'up', 'down', 'paused'] as const;
const TYPING_MS = 200;

export function MonitorsPage() {
  const filter: MonitorFilter = useSearch({ strict: false });
  const mayWrite = useMayWrite();
  const monitors = useInfiniteQuery({ ...monitorsQuery(filter), placeholderData: keepPreviousData });
  const isFiltered = filter.q !== undefined || filter.status !== undefined;
  if (monitors.data === undefined) {
    return monitors.isError ? (
      <ProblemNote error={monitors.error} retry={() => void monitors.refetch()} />
    ) : (
      <PageSkeleton />
    );
  }
  const rows = monitors.data.pages.flatMap(({ data }) => data);
  if (rows.length === 0 && !isFiltered && !monitors.isPlaceholderData) {
    return (
      <>
        <PageHead title={texts.watch.title} sentence={texts.watch.lead} />
        <Watch />
      </>
    );
  }
  return (
    <>
      <PageHead
        title={texts.monitors.title}
        sentence={texts.monitors.sentence(rows.length, monitors.hasNextPage)}
        actions={
          mayWrite ? (
            <Button component={Link} to="/monitors/new">
              {texts.monitors.add}
            </Button>
          ) : undefined
        }
      />
      <Filters filter={filter} />
      {rows.length === 0 ? <NoMatch /> : <MonitorRows rows={rows} list={monitors} />}
    </>
  );
}

/** The filter is in the URL, so that it can be sent to somebody, and survives a reload. */
function Filters({ filter }: { filter: MonitorFilter }) {
  const navigate = useNavigate();
  const { q = '', status } = filter;
  const [typed, setTyped] = useState(q);
  /** What this field last wrote into the URL: another text there comes from a link or from the history. */
  const written = useRef(q);
  useEffect(() => {
    if (q === written.current) return;
    written.current = q;
    setTyped(q);
  }, [q]);
  useEffect(() => {
    const wanted = typed.trim();
    if (wanted === written.current) return;
    const timer = setTimeout(() => {
      written.current = wanted;
      void navigate({ to: '/monitors', search: searchOf(wanted, status), replace: true });
    }, TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed, status, navigate]);
  const choose = (value: string) => {
    void navigate({ to: '/monitors', search: searchOf(q, value === 'all' ? undefined : value), replace: true });
  };
  return (
    <search className="filters">
      <TextInput
        {...{
          className: 'grow',
          type: 'search',
          value: typed,
          placeholder: texts.monitors.filter,
          'aria-label': texts.monitors.filter,
        }}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      <SegmentedControl
        {...{
          value: status ?? 'all',
          onChange: choose,
          transitionDuration: 0,
          'aria-label': texts.monitors.statusFilter,
        }}
        data={STATUSES.map((value) => ({
          value,
          label: value === 'all' ? texts.monitors.all : capital(texts.status[value]),
        }))}
      />
    </search>
  );
}

function searchOf(q: string, status: string | undefined): Record<string, string> {
  return { ...(q === '' ? {} : { q }), ...(status === undefined ? {} : { status }) };
}

function NoMatch() {
  return (
    <section className="panel empty">
      <p>{texts.monitors.none}</p>
      <Button variant="default" component={Link} to="/monitors">
        {texts.monitors.clear}
      </Button>
    </section>
  );
}
