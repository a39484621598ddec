import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { read } from '../../../api/read.ts';
import type { Monitor, Page } from '../../../api/types.ts';
import { type State, StatusMark } from '../../../components/status-mark.tsx';
import { texts as appTexts } from '../../../texts/app/texts.ts';
import { milliseconds } from '../../../texts/format.ts';
import { stateOf } from '../state-of.ts';
import { texts } from './texts.ts';

const PAGE_ROWS = 200;
const WAITING_MS = 2_000;
const SETTLED_MS = 15_000;
/** More rows do not help; the list has all. */
const ROWS_MAX = 100;

/** Shows the first answers of monitors that were created together. */
export function ManyAnswers({ ids, restart }: { ids: readonly string[]; restart(): void }) {
  const queries = useQueryClient();
  const { data: monitors = [] } = useQuery({
    queryKey: ['monitors', 'created', ids],
    queryFn: ({ signal }) => newest(ids, signal),
    refetchInterval: ({ state: { data } }) =>
      data !== undefined && answeredOf(data).length === ids.length ? SETTLED_MS : WAITING_MS,
  });
  // The overview then counts them.
  useEffect(
    () => () => {
      void queries.invalidateQueries({ queryKey: ['billing'] });
      void queries.invalidateQueries({ queryKey: ['monitors'] });
    },
    [queries],
  );
  return (
    <section className="panel watch watch-wide">
      <p className="watch-sentence" role="status">
        {sentence(monitors, ids.length)}
      </p>
      <ul className="rows">
        {monitors.slice(0, ROWS_MAX).map((monitor) => (
          <li key={monitor.id}>
            <Link to={`/monitors/${monitor.id}`} className="row">
              <StatusMark state={markOf(monitor)} quiet />
              <span className="row-main">
                <bdi className="two-lines">{monitor.name}</bdi>
              </span>
              <span className="row-side">{answerOf(monitor)}</span>
            </Link>
          </li>
        ))}
      </ul>
      <p className="soft">{texts.answers.saved}</p>
      <div className="page-actions">
        <Button component={Link} to="/monitors">
          {texts.answers.open}
        </Button>
        <Button variant="default" onClick={restart}>
          {appTexts.watch.another}
        </Button>
      </div>
    </section>
  );
}

function answeredOf(monitors: readonly Monitor[]): Monitor[] {
  return monitors.filter(({ last_checked_at }) => last_checked_at !== null);
}

function sentence(monitors: readonly Monitor[], all: number): string {
  const answered = answeredOf(monitors);
  const down = answered.filter(isFailing).length;
  if (answered.length < all) return texts.answers.waiting(answered.length, all);
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
  if (monitor.last_checked_at === null) return texts.answers.noAnswer;
  if (monitor.status === 'down') return appTexts.status.down;
  if (isFailing(monitor)) return texts.answers.failing;
  return monitor.response_time_ms === null ? appTexts.status.up : milliseconds(monitor.response_time_ms);
}

/** Resolves to the monitors with these ids. The list begins with the newest, so they are on its first pages. */
async function newest(ids: readonly string[], signal: AbortSignal): Promise<Monitor[]> {
  const wanted = new Set(ids);
  const found: Monitor[] = [];
  const pages = Math.ceil(ids.length / PAGE_ROWS) + 1;
  for (let page = 0, cursor = ''; page < pages; page += 1) {
    const { data, next_cursor: next } = await read<Page<Monitor>>(
      '/v1/monitors',
      { limit: String(PAGE_ROWS), cursor },
      signal,
    );
    found.push(...data.filter(({ id }) => wanted.has(id)));
    if (next === null || found.length === ids.length) break;
    cursor = next;
  }
  return found;
}
