import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { read } from '../../../api/read.ts';
import type { Monitor, Page } from '../../../api/types.ts';
import { type State, StatusMark } from '../../../components/status-mark.tsx';
import { texts as appTexts } from '../../../texts/app/texts.ts';
import { responseTime } from '../../../texts/format.ts';
import { outcomeOf } from '../bulk/job/outcome.ts';
import { changeQuery } from '../bulk/job/queries.ts';
import { UndoButton } from '../bulk/job/undo-button.tsx';
import { texts as bulk } from '../bulk/texts/texts.ts';
import { stateOf } from '../state-of.ts';
import { cannotAgree, isUnchecked } from './answered.ts';
import type { CreatedList } from './created-list.ts';
import { Fired } from './fired.tsx';
import { texts } from './texts.ts';
import { WithoutProbe } from './without-probe.tsx';
import '../bulk/bulk.css';

const PAGE_ROWS = 200;
const WAITING_MS = 2_000;
const SETTLED_MS = 15_000;
/** More rows do not help; the list has all. */
const ROWS_MAX = 100;

/** Shows the first answers of monitors that were created together. Each has its row from the beginning. */
export function ManyAnswers({ created, restart }: { created: CreatedList; restart(): void }) {
  const { job, names } = created;
  const queries = useQueryClient();
  const change = useQuery(changeQuery(job.id)).data ?? job;
  const { data: monitors = [] } = useQuery({
    queryKey: ['monitors', 'created', job.id],
    queryFn: ({ signal }) => newest(created, signal),
    refetchInterval: ({ state: { data } }) =>
      data !== undefined && settledOf(data).length === names.length ? SETTLED_MS : WAITING_MS,
  });
  // The overview then counts them.
  useEffect(
    () => () => {
      void queries.invalidateQueries({ queryKey: ['billing'] });
      void queries.invalidateQueries({ queryKey: ['monitors'] });
    },
    [queries],
  );
  const isUndone = change.state === 'undone';
  const undone = useRef(restart);
  undone.current = restart;
  useEffect(() => {
    if (isUndone) undone.current();
  }, [isUndone]);
  const settled = settledOf(monitors).length;
  return (
    <section className="panel watch watch-wide">
      <p className="watch-sentence" role="status">
        {change.state === 'applied' ? sentence(monitors, names.length) : outcomeOf(change)}
      </p>
      {settled < names.length ? (
        <progress
          {...{ className: 'bulk-progress', value: settled, max: names.length }}
          aria-label={texts.answers.progress}
        />
      ) : null}
      <Fired ids={monitors.map(({ id }) => id)} />
      <WithoutProbe
        {...{
          locations: withoutProbe(monitors),
          hasOthers: monitors.length === 0 || !monitors.every(isUnchecked),
        }}
        areTooFew={monitors.some(cannotAgree)}
      />
      <Rows {...{ names, monitors }} />
      <p className="soft">{texts.answers.saved}</p>
      <p className="soft">
        {bulk.preview.undoable} <Link to="/monitors/changes">{bulk.history}</Link>
      </p>
      <div className="page-actions">
        <Button component={Link} to="/monitors">
          {texts.answers.open}
        </Button>
        <Button variant="default" onClick={restart}>
          {appTexts.watch.another}
        </Button>
        {change.undo_until === null ? null : <UndoButton change={change} />}
      </div>
    </section>
  );
}

/** Those that are not read yet are being checked, too. */
function Rows({ names, monitors }: { names: readonly string[]; monitors: readonly Monitor[] }) {
  const byName = new Map(monitors.map((monitor) => [monitor.name, monitor]));
  return (
    <ul className="rows">
      {names.slice(0, ROWS_MAX).map((name) => {
        const monitor = byName.get(name);
        const row = (
          <>
            <StatusMark state={monitor === undefined ? 'unknown' : markOf(monitor)} quiet />
            <span className="row-main">
              <bdi className="two-lines">{name}</bdi>
            </span>
            <span className="row-side">{monitor === undefined ? texts.answers.checking : answerOf(monitor)}</span>
          </>
        );
        return (
          <li key={name}>
            {monitor === undefined ? (
              <div className="row">{row}</div>
            ) : (
              <Link to={`/monitors/${monitor.id}`} className="row">
                {row}
              </Link>
            )}
          </li>
        );
      })}
    </ul>
  );
}

function checkedOf(monitors: readonly Monitor[]): Monitor[] {
  return monitors.filter(({ last_checked_at }) => last_checked_at !== null);
}

/** The monitors that have an answer, and those that cannot have one. */
function settledOf(monitors: readonly Monitor[]): Monitor[] {
  return monitors.filter((monitor) => monitor.last_checked_at !== null || isUnchecked(monitor));
}

/** The codes of all locations without a probe, each once. */
function withoutProbe(monitors: readonly Monitor[]): string[] {
  const silent = monitors
    .flatMap(({ location_status }) => location_status)
    .filter(({ status }) => status === 'no_probe');
  return [...new Set(silent.map(({ location }) => location))];
}

function sentence(monitors: readonly Monitor[], all: number): string {
  const checked = checkedOf(monitors);
  const settled = settledOf(monitors).length;
  const down = checked.filter(isFailing).length;
  if (settled < all) return texts.answers.waiting(checked.length, all);
  if (checked.length === 0) return texts.answers.noneChecked;
  if (checked.length < all) return texts.answers.someUnchecked(checked.length - down, down, all - checked.length);
  return down === 0 ? texts.answers.allUp(all) : texts.answers.mixed(all - down, down);
}

/** Before it is sure of an outage, the locations already say what they see. */
function isFailing({ location_status }: Monitor): boolean {
  return location_status.some(({ status }) => status === 'down');
}

function markOf(monitor: Monitor): State {
  const state = stateOf(monitor);
  return state === 'up' && isFailing(monitor) ? 'warning' : state;
}

function answerOf(monitor: Monitor): string {
  if (isUnchecked(monitor)) return appTexts.status.no_probe;
  if (monitor.last_checked_at === null) return texts.answers.checking;
  if (monitor.status === 'down') return appTexts.status.down;
  if (isFailing(monitor)) return texts.answers.failing;
  return monitor.response_time_ms === null ? appTexts.status.up : responseTime(monitor.response_time_ms);
}

/** Resolves to the monitors of a job. The list begins with the newest, so they are on its first pages. */
async function newest({ job, names }: CreatedList, signal: AbortSignal): Promise<Monitor[]> {
  const wanted = new Set(names);
  const found: Monitor[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: Page<Monitor> = await read('/v1/monitors', { limit: String(PAGE_ROWS), cursor }, signal);
    const since = page.data.filter(({ created_at: at }) => Date.parse(at) >= Date.parse(job.requested_at));
    found.push(...since.filter(({ name }) => wanted.has(name)));
    cursor = since.length < page.data.length || found.length === names.length ? null : page.next_cursor;
  }
  return found;
}
