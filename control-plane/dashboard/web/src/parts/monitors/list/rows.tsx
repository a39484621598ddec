import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type MouseEvent, useEffect, useMemo, useRef, useState } from 'react';
import { useScheme } from '../../../app/use-scheme.ts';
import { paintOf } from './history/draw.ts';
import { createHistoryCache } from './history/history-cache.ts';
import { type Item, idsBetween, nextMonitor } from './items.ts';
import { type ListAction, useListKeys } from './keys.ts';
import { readSteps } from './queries.ts';
import { Row } from './row.tsx';
import { isSelected, type Selection, withSelected } from './selection.ts';
import { texts } from './texts/texts.ts';

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
    rangeExtractor: ({ startIndex, count }) => placesFrom(startIndex - OVERSCAN_ROWS, count, pool),
  });
  const shown = virtual.getVirtualItems();
  const ids = shown.flatMap(({ index }) => {
    const item = items[index];
    return item?.kind === 'monitor' ? [item.row.monitor.id] : [];
  });
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
  useListKeys((action: ListAction) => {
    const at = focusedRow(element.current);
    if (action === 'select') {
      if (at !== null) toggle(at, false);
      return;
    }
    const step = action === 'next' ? 1 : -1;
    const from = at === null ? (virtual.range?.startIndex ?? 0) : at + step;
    const next = nextMonitor(items, from, at === null ? 1 : step);
    if (next !== null) focus(next);
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
    // biome-ignore lint/a11y/useKeyWithClickEvents: links and checkboxes turn keys into clicks.
    <ul
      ref={element}
      className={`monitor-rows ${maySelect ? 'may-select' : ''}`}
      aria-label={texts.title}
      style={{ height: virtual.getTotalSize() }}
      onClick={click}
    >
      {shown.map(({ index, start }) => {
        const item = items[index];
        const style = { transform: `translateY(${start - virtual.options.scrollMargin}px)` };
        return item === undefined ? null : (
          // Rows that leave the window become those that enter it: making new ones takes longer than a frame.
          <li key={index % pool} style={style} aria-setsize={items.length} aria-posinset={index + 1}>
            {item.kind === 'group' ? (
              <Group item={item} />
            ) : (
              <Row
                {...{ row: item.row, index, maySelect, window, history, paint }}
                isSelected={isSelected(selection, item.row.monitor.id)}
              />
            )}
          </li>
        );
      })}
    </ul>
  );
}

/** Returns the places of the rows in the page: as many each time, so that all of them are used again. */
function placesFrom(first: number, count: number, pool: number): number[] {
  const size = Math.min(count, pool);
  const from = Math.max(0, Math.min(first, count - size));
  return Array.from({ length: size }, (_, offset) => from + offset);
}

function Group({ item: { tag, count, down } }: { item: Extract<Item, { kind: 'group' }> }) {
  return (
    <p className="monitor-group">
      <bdi className="strong cut">{tag ?? texts.noTag}</bdi>
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

/** Returns a function that moves the focus to a row, also to one that is not in the page yet. */
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
  return (index: number) => {
    pending.current = index;
    scrollTo(index);
    settle();
  };
}
