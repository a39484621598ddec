import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useRef } from 'react';
import './virtual-rows.css';

const OVERSCAN_ROWS = 10;
/** The next page is read when this many rows are left below the window. */
const AHEAD_ROWS = 60;

interface VirtualRowsProps<Row> {
  label: string;
  rows: readonly Row[];
  rowPx: number;
  list: Pick<UseInfiniteQueryResult, 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'>;
  children(row: Row): ReactNode;
}

/** A list of which only the rows near the window are in the page, so ten thousand cost no more than fifty. */
export function VirtualRows<Row extends { id: string }>({ label, rows, rowPx, list, children }: VirtualRowsProps<Row>) {
  const element = useRef<HTMLDivElement>(null);
  const virtual = useWindowVirtualizer({
    ...{ count: rows.length, estimateSize: () => rowPx, overscan: OVERSCAN_ROWS },
    scrollMargin: element.current?.offsetTop ?? 0,
    getItemKey: (index) => rows[index]?.id ?? index,
  });
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage && last >= rows.length - AHEAD_ROWS) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage, last, rows.length]);
  return (
    <div ref={element}>
      <ul className="virtual-rows" aria-label={label} style={{ height: virtual.getTotalSize() }}>
        {items.map(({ index, key, start }) => {
          const row = rows[index];
          if (row === undefined) return null;
          const style = { height: rowPx, transform: `translateY(${start - virtual.options.scrollMargin}px)` };
          const size = hasNextPage ? -1 : rows.length;
          return (
            <li key={String(key)} style={style} aria-setsize={size} aria-posinset={index + 1}>
              {children(row)}
            </li>
          );
        })}
      </ul>
    </div>
  );
}
