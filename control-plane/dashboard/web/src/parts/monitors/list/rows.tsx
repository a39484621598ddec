import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type MouseEvent, useEffect, useMemo, useRef, useState } from 'react';
import { useScheme } from '../../../app/use-scheme.ts';
import { paintOf } from './history/draw.ts';
import { createHistoryCache } from './history/history-cache.ts';
import { useReading } from './history/use-reading.ts';
import { type Item, idsBetween, nextMonitor } from './items.ts';
import { type ListAction, useListKeys } from './keys.ts';
import { inPlaces, type Shown } from './places.ts';
import { readSteps } from './queries.ts';
import { Row } from './row.tsx';
import { isSelected, type Selection, withSelected } from './selection.ts';
import { texts } from './texts/texts.ts';
import { useDrawn } from './use-drawn.ts';
import { useSettled } from './use-settled.ts';

const ROW_PX = 52;
const OVERSCAN_ROWS = 4;

interface MonitorRowsProps {
  items: readonly Item[];
  window: '24h' | '30d';
  maySelect: boolean;
  selection: Selection;
  select(selection: Selection): void;
  open(id: string): void;
}

/** The list of monitors. Only the rows near the window are in the page, so ten thousand cost no more than fifty. */
export function MonitorRows({ items, window, maySelect, selection, select, open }: MonitorRowsProps) {
  const element = useRef<HTMLUListElement>(null);
  const scheme = useScheme();
  const paint = useMemo(() => paintOf(scheme), [scheme]);
  const history = useHistory(window);
  const [top, setTop] = useState(0);
  useEffect(() => setTop(element.current?.offsetTop ?? 0), []);
  const pool = Math.ceil(globalThis.innerHeight / ROW_PX) + 1 + 2 * OVERSCAN_ROWS;
  const virtual = useWindowVirtualizer({
    ...{ count: items.length, estimateSize: () => ROW_PX, overscan: OVERSCAN_ROWS, scrollMargin: top },
    // Which rows are in the page is decided below.
    rangeExtractor: () => [],
  });
  const { startIndex: first, endIndex: last } = virtual.calculateRange() ?? { startIndex: 0, endIndex: 0 };
  const now: Shown = useMemo(() => ({ items, first, last }), [items, first, last]);
  // The rows above and below the window follow when the list stands still: nobody sees them yet.
  const late = useSettled(now);
  const shown = inPlaces(now, late, pool, OVERSCAN_ROWS);
  const drawn = useDrawn(now, pool, OVERSCAN_ROWS);
  const ids = shown.flatMap(({ item }) => (item.kind === 'monitor' ? [item.row.monitor.id] : []));
  const wanted = ids.join();
  useEffect(() => history.want(wanted === '' ? [] : wanted.split(',')), [history, wanted]);

  const anchor = useRef(0);
  const toggle = (index: number, isRange: boolean) => {
    const item = items[index];
    if (!maySelect || item?.kind !== 'monitor') return;
    const ids = isRange ? idsBetween(items, anchor.current, index) : [item.row.monitor.id];
    select(withSelected(selection, ids, !isSelected(selection, item.row.monitor.id)));
    anchor.current = index;
  };
  const focus = useFocus(element, (index) => virtual.scrollToIndex(index));
  const reading = useReading(history, window);
  useListKeys((action: ListAction) => {
    // Somebody who holds a key is ahead of the rows that come into the page.
    const awaited = focus.awaited(items.length);
    const at = awaited ?? focusedRow(element.current);
    const item = at === null ? undefined : items[at];
    if (action === 'open') {
      if (awaited === null || item?.kind !== 'monitor') return false;
      open(item.row.monitor.id);
      return true;
    }
    if (action === 'earlier' || action === 'later') {
      return item?.kind === 'monitor' && reading.move(item.row, action === 'later' ? 1 : -1);
    }
    if (action === 'select') {
      if (at !== null) toggle(at, false);
      return at !== null;
    }
    const step = action === 'next' ? 1 : -1;
    const from = at === null ? (virtual.range?.startIndex ?? 0) : at + step;
    const next = nextMonitor(items, from, at === null ? 1 : step);
    if (next !== null) focus.moveTo(next);
    return true;
  });
  const click = (event: MouseEvent) => {
    const target = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-row]') : null;
    const index = Number(target?.dataset['row']);
    const item = items[index];
    if (target === null || item?.kind !== 'monitor') return;
    if (target instanceof HTMLInputElement) return toggle(index, event.shiftKey);
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0) return;
    event.preventDefault();
    open(item.row.monitor.id);
  };
  return (
    <>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: links and checkboxes turn keys into clicks. */}
      <ul
        ref={element}
        className={`monitor-rows ${maySelect ? 'may-select' : ''}`}
        aria-label={texts.title}
        style={{ height: virtual.getTotalSize() }}
        onClick={click}
      >
        {shown.map(({ place, index, item }) => (
          // Rows that leave the window become those that enter it: making new ones takes longer than a frame.
          <li
            key={place}
            style={{ transform: `translateY(${index * ROW_PX}px)` }}
            aria-setsize={items.length}
            aria-posinset={index + 1}
          >
            {item.kind === 'group' ? (
              <Group item={item} />
            ) : (
              <Row
                {...{ row: item.row, index, maySelect, window, history, paint }}
                isBrief={drawn !== null && !drawn.has(item.row.monitor.id)}
                isSelected={isSelected(selection, item.row.monitor.id)}
              />
            )}
          </li>
        ))}
      </ul>
      <p className="list-reading" role="status">
        {reading.text}
      </p>
    </>
  );
}

function Group({ item: { tag, count, down } }: { item: Extract<Item, { kind: 'group' }> }) {
  return (
    <p className="monitor-group">
      <bdi className="strong two-lines">{tag ?? texts.noTag}</bdi>
      <span className={down > 0 ? 'tone-down' : 'soft'}>{texts.inGroup(count, down)}</span>
    </p>
  );
}

function useHistory(window: '24h' | '30d') {
  const history = useMemo(() => createHistoryCache((ids, signal) => readSteps(ids, window, signal)), [window]);
  useEffect(() => history.resume(), [history]);
  return history;
}

/** Returns the place of the row that has the focus; null without one. */
function focusedRow(list: HTMLElement | null): number | null {
  const focused = document.activeElement;
  if (!(focused instanceof HTMLElement) || list?.contains(focused) !== true) return null;
  return focused.dataset['row'] === undefined ? null : Number(focused.dataset['row']);
}

/** Moves the focus to a row, also to one that is not in the page yet, which is awaited then. */
function useFocus(element: { current: HTMLElement | null }, scrollTo: (index: number) => void) {
  const pending = useRef<number | null>(null);
  const settle = () => {
    if (pending.current === null) return;
    const link = element.current?.querySelector<HTMLElement>(`a[data-row="${pending.current}"]`);
    if (link === null || link === undefined) return;
    pending.current = null;
    link.focus({ preventScroll: true });
  };
  // Whenever rows come into the page.
  useEffect(settle);
  return {
    /** Of a list with `count` lines. */
    awaited: (count: number) => (pending.current === null ? null : Math.min(pending.current, count - 1)),
    moveTo(index: number) {
      pending.current = index;
      scrollTo(index);
      settle();
    },
  };
}
