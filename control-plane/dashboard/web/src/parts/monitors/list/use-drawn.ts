import { startTransition, useEffect, useRef, useState } from 'react';
import { idsInPlaces, newRows, type Shown } from './places.ts';

/** A slow phone draws this many new rows, with all that they show, in a frame. */
const ROWS_AT_ONCE = 4;
/** Longer than between two frames of scrolling, or between two keys of somebody who types fast. */
const STILL_MS = 120;

/**
 * Returns which monitors have their figures on the page: bars, uptime and what else stands beside the name. Where many
 * rows change at once, as one scrolls far or types a filter, the names come first: there is no time for all of it in one
 * frame, and nobody reads figures that fly by. Null: all have them, as on a page that has just been opened.
 */
export function useDrawn(now: Shown, pool: number, around: number): ReadonlySet<string> | null {
  const [drawn, setDrawn] = useState<ReadonlySet<string> | null>(null);
  const before = useRef(drawn);
  before.current = drawn;
  useEffect(() => {
    // The window has not been measured yet.
    if (now.first === now.last) return setDrawn(null);
    const draw = () => startTransition(() => setDrawn(idsInPlaces(now, pool, around)));
    const added = before.current === null ? 1 : newRows(now, before.current);
    if (added > 0 && added <= ROWS_AT_ONCE) return draw();
    const timer = setTimeout(draw, STILL_MS);
    return () => clearTimeout(timer);
  }, [now, pool, around]);
  return drawn;
}
