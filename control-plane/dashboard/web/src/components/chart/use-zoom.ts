import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import type { TimeRange } from './plot.ts';

/** What the URL of a page with charts has of them: milliseconds. */
export interface ZoomSearch {
  from?: number;
  to?: number;
}

/** Returns the part of a URL's search that belongs to charts, for `validateSearch` of a route. Pure. */
export function zoomSearch(search: Record<string, unknown>): ZoomSearch {
  const { from, to } = search;
  const isRange = Number.isSafeInteger(from) && Number.isSafeInteger(to) && Number(from) < Number(to);
  return isRange ? { from: Number(from), to: Number(to) } : {};
}

/** Returns the range that was selected in a chart, which the URL keeps, and a function that selects one. */
export function useZoom(): [TimeRange | null, (range: TimeRange | null) => void] {
  const { from, to }: ZoomSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const zoom = useMemo(() => (from === undefined || to === undefined ? null : { fromMs: from, toMs: to }), [from, to]);
  const select = useCallback(
    (range: TimeRange | null) => {
      const chosen = range === null ? { from: undefined, to: undefined } : { from: range.fromMs, to: range.toMs };
      void navigate({ to: '.', search: (old: object) => ({ ...old, ...chosen }), replace: true, resetScroll: false });
    },
    [navigate],
  );
  return [zoom, select];
}
