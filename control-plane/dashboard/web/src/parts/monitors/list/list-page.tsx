import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { useMayWrite } from '../../../app/account.ts';
import { useTyped } from '../../../components/form/use-typed.ts';
import { PageHead } from '../../../components/page-head.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { PageSkeleton } from '../../../components/skeleton.tsx';
import { BulkBar } from '../bulk/bulk-bar.tsx';
import { FirstMinute } from '../watch/first-minute.tsx';
import { Choices, TextFilter } from './filters.tsx';
import { groupedByTag, ungrouped } from './items.ts';
import { type Listed, matching, sorted } from './listed.ts';
import { summaryQuery } from './queries.ts';
import { MonitorRows } from './rows.tsx';
import { SavedViews } from './saved-views.tsx';
import { compact, filterOf, isFiltering, type ListSearch } from './search.ts';
import { NOTHING, type Selection } from './selection.ts';
import { SelectionBar } from './selection-bar.tsx';
import { texts } from './texts/texts.ts';
import './list.css';

/** The address follows what is typed after this time without a key. */
const TYPING_MS = 300;

export function MonitorsPage() {
  const summary = useQuery(summaryQuery);
  const search: ListSearch = useSearch({ strict: false });
  if (summary.data === undefined) {
    return summary.isError ? (
      <ProblemNote error={summary.error} retry={() => void summary.refetch()} />
    ) : (
      <PageSkeleton />
    );
  }
  return (
    <FirstMinute isEmpty={summary.data.length === 0 && !isFiltering(filterOf(search))}>
      <List all={summary.data} search={search} />
    </FirstMinute>
  );
}

function List({ all, search }: { all: readonly Listed[]; search: ListSearch }) {
  const navigate = useNavigate();
  const mayWrite = useMayWrite();
  const show = useCallback(
    (next: ListSearch) => void navigate({ to: '/monitors', search: () => next, replace: true }),
    [navigate],
  );
  // What is typed filters at once; the address follows, so that it can be sent to somebody and survives a reload.
  const [typed, setTyped] = useTyped(search.q ?? '', (q) => show(compact({ ...search, q })), TYPING_MS);
  const { sort = 'worst', group, window = '24h', tag, status, type } = search;
  const ordered = useMemo(() => sorted(all, sort, window), [all, sort, window]);
  const tags = useMemo(() => tagsOf(all), [all]);
  const filter = useMemo(() => filterOf(compact({ q: typed, tag, status, type })), [typed, tag, status, type]);
  const rows = useMemo(() => matching(ordered, filter), [ordered, filter]);
  const items = useMemo(() => (group === 'tag' ? groupedByTag(rows) : ungrouped(rows)), [rows, group]);
  const [selection, setSelection] = useSelection(filter);
  const choose = useCallback(
    (change: { [Name in keyof ListSearch]?: string | undefined }) =>
      show(compact({ ...search, ...change } as ListSearch)),
    [search, show],
  );
  return (
    <>
      <Head all={all} mayWrite={mayWrite} />
      <search className="filters monitor-filters">
        <TextFilter typed={typed} type={setTyped} />
        <Choices search={search} tags={tags} choose={choose} />
        <SavedViews search={compact({ ...search, q: typed })} show={show} />
      </search>
      <SelectionBar {...{ selection, filter, matching: rows.length, mayWrite }} select={setSelection} />
      {mayWrite ? <BulkBar selection={selection} filter={filter} /> : null}
      {rows.length === 0 ? (
        <NoMatch clear={() => show(compact({ ...search, q: '', tag: '', status: undefined, type: undefined }))} />
      ) : (
        <section className="panel monitor-list">
          <Columns window={window} />
          <MonitorRows
            {...{ items, window, selection, maySelect: mayWrite, select: setSelection }}
            open={(id) => void navigate({ to: `/monitors/${id}` })}
          />
        </section>
      )}
    </>
  );
}

/** The state in words, of all monitors and not only of those that match. */
function Head({ all, mayWrite }: { all: readonly Listed[]; mayWrite: boolean }) {
  const count = (state: Listed['state']) => all.filter((row) => row.state === state).length;
  const [down, up, paused, waiting] = [count('down'), count('up'), count('paused'), count('unknown')];
  const { sentence } = texts;
  const words =
    down > 0
      ? sentence.down(down, all.length)
      : up === all.length
        ? sentence.up(up)
        : sentence.mixed(up, paused, waiting);
  const add = (
    <Button component={Link} to="/monitors/new">
      {texts.add}
    </Button>
  );
  return (
    <PageHead
      {...{
        title: texts.title,
        sentence: words,
        tone: down > 0 ? 'down' : 'idle',
        actions: mayWrite ? add : undefined,
      }}
    />
  );
}

function Columns({ window }: { window: '24h' | '30d' }) {
  const { name, uptime, response, certificate } = texts.columns;
  return (
    <div className="monitor-head" aria-hidden="true">
      <span>{name}</span>
      <span className="cell-history" />
      <span className="cell-uptime">{uptime(window)}</span>
      <span className="cell-response">{response}</span>
      <span className="cell-certificate">{certificate}</span>
    </div>
  );
}

function NoMatch({ clear }: { clear(): void }) {
  return (
    <section className="panel empty">
      <p>{texts.none}</p>
      <Button variant="default" onClick={clear}>
        {texts.clear}
      </Button>
    </section>
  );
}

function tagsOf(all: readonly Listed[]): string[] {
  return [...new Set(all.flatMap(({ monitor }) => monitor.tags))].sort((a, b) => a.localeCompare(b));
}

/** The selection. One of all that match ends when the filter changes, because it was of other monitors. */
function useSelection(filter: ReturnType<typeof filterOf>): [Selection, (selection: Selection) => void] {
  const [selection, setSelection] = useState(NOTHING);
  const isOutdated = selection.kind === 'matching' && JSON.stringify(selection.filter) !== JSON.stringify(filter);
  useEffect(() => {
    if (isOutdated) setSelection(NOTHING);
  }, [isOutdated]);
  return [isOutdated ? NOTHING : selection, setSelection];
}
