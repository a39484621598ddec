import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { memo, useCallback, useEffect, useMemo, useRef } from 'react';
import { useMayWrite } from '../../../app/account.ts';
import { useKept } from '../../../app/history/kept.ts';
import { useTyped } from '../../../components/form/use-typed.ts';
import { PageHead } from '../../../components/page/page-head.tsx';
import { UnreadPage } from '../../../components/page/unread-page.tsx';
import { Explained } from '../../../components/time/explained.tsx';
import { texts as app } from '../../../texts/app/texts.ts';
import { BulkBar } from '../bulk/bulk-bar.tsx';
import { EarlierChanges, RunningChange } from '../bulk/running.tsx';
import { FirstMinute } from '../watch/first-minute.tsx';
import { Choices, TextFilter } from './filters.tsx';
import { groupedByTag, ungrouped } from './items.ts';
import { createMatcher, type Listed, sorted, tagsInUse } from './listed.ts';
import { summaryQuery } from './queries.ts';
import { MonitorRows } from './rows.tsx';
import { SavedViews } from './saved-views.tsx';
import { compact, filterOf, isFiltering, type ListSearch } from './search.ts';
import { NOTHING, type Selection, selectedCount } from './selection.ts';
import { SelectionBar } from './selection-bar.tsx';
import { texts } from './texts/texts.ts';
import './list.css';

/** The address follows what is typed after this time without a key. */
const TYPING_MS = 300;

export function MonitorsPage() {
  const summary = useQuery(summaryQuery);
  const search: ListSearch = useSearch({ strict: false });
  if (summary.data === undefined) {
    return <UnreadPage error={summary.error} retry={() => void summary.refetch()} />;
  }
  const isEmpty = summary.data.length === 0;
  return (
    <>
      <FirstMinute asks={isEmpty && !isFiltering(filterOf(search))}>
        <List all={summary.data} search={search} />
      </FirstMinute>
      {isEmpty ? <EarlierChanges /> : null}
    </>
  );
}

function List({ all, search }: { all: readonly Listed[]; search: ListSearch }) {
  const navigate = useNavigate();
  const mayWrite = useMayWrite();
  const show = useCallback(
    (next: ListSearch) => void navigate({ to: '/monitors', search: () => next, replace: true }),
    [navigate],
  );
  // What is typed filters at once; the address follows, so that it can be shared and survives a reload.
  const [typed, setTyped] = useTyped(search.q ?? '', (q) => show(compact({ ...search, q })), TYPING_MS);
  const { sort = 'worst', group, window = '24h', tag, status, type } = search;
  const ordered = useMemo(() => sorted(all, sort, window), [all, sort, window]);
  const tags = useMemo(() => tagsInUse(all).sort((a, b) => a.localeCompare(b)), [all]);
  const filter = useMemo(() => filterOf(compact({ q: typed, tag, status, type })), [typed, tag, status, type]);
  const match = useMemo(() => createMatcher(ordered), [ordered]);
  const rows = useMemo(() => match(filter), [match, filter]);
  const items = useMemo(() => (group === 'tag' ? groupedByTag(rows) : ungrouped(rows)), [rows, group]);
  const [selection, setSelection] = useSelection(filter);
  // What a view keeps is asked for when it is saved, so that a key does not draw the menu of views again.
  const shown = useRef(search);
  shown.current = compact({ ...search, q: typed });
  const current = useCallback(() => shown.current, []);
  const choose = useCallback(
    (change: { [Name in keyof ListSearch]?: string | undefined }) =>
      show(compact({ ...search, ...change } as ListSearch)),
    [search, show],
  );
  const views = useMemo(() => <SavedViews current={current} show={show} />, [current, show]);
  return (
    <>
      <Head all={all} mayWrite={mayWrite} />
      <RunningChange />
      <search className="filters monitor-filters">
        <TextFilter typed={typed} type={setTyped} />
        <Choices {...{ search, tags, choose, views }} />
      </search>
      <div className="list-tools">
        <SelectionBar {...{ selection, filter, rows, mayWrite }} select={setSelection} />
        {mayWrite ? <BulkBar selection={selection} count={selectedCount(selection, rows.length)} /> : null}
      </div>
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
const Head = memo(function Head({ all, mayWrite }: { all: readonly Listed[]; mayWrite: boolean }) {
  const count = (state: Listed['state']) => all.filter((row) => row.state === state).length;
  const [down, degraded, paused, waiting] = [count('down'), count('degraded'), count('paused'), count('unknown')];
  const up = count('up') + degraded;
  const { sentence } = texts;
  const words =
    down > 0
      ? sentence.down(down, all.length)
      : up === all.length && degraded === 0
        ? sentence.up(up)
        : sentence.mixed(up, degraded, paused, waiting);
  return (
    <PageHead
      {...{
        title: texts.title,
        sentence: words,
        tone: down > 0 ? 'down' : degraded > 0 ? 'warning' : 'idle',
      }}
      actions={
        <>
          <Button variant="default" component={Link} to="/monitors/changes">
            {texts.changes}
          </Button>
          {mayWrite ? (
            <Button component={Link} to="/monitors/new">
              {texts.add}
            </Button>
          ) : null}
        </>
      }
    />
  );
});

function Columns({ window }: { window: '24h' | '30d' }) {
  const { name, history, uptime, response, certificate } = texts.columns;
  return (
    <div className="monitor-head">
      <span aria-hidden="true">{name}</span>
      <span className="cell-history" aria-hidden="true">
        {history(window)}
      </span>
      <span className="cell-uptime">
        <Explained text={app.monitor.observedHelp}>{uptime(window)}</Explained>
      </span>
      <span className="cell-response" aria-hidden="true">
        {response}
      </span>
      <span className="cell-certificate" aria-hidden="true">
        {certificate}
      </span>
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

/** The selection, also after the way back from a monitor. One of all that match ends when the filter changes, because it was of other monitors. */
function useSelection(filter: ReturnType<typeof filterOf>): [Selection, (selection: Selection) => void] {
  const [selection, setSelection] = useKept('selection', NOTHING);
  const isOutdated = selection.kind === 'matching' && JSON.stringify(selection.filter) !== JSON.stringify(filter);
  useEffect(() => {
    if (isOutdated) setSelection(NOTHING);
  }, [isOutdated, setSelection]);
  return [isOutdated ? NOTHING : selection, setSelection];
}
