import { type RefObject, useEffect, useRef, useState } from 'react';
import { withStyles } from '../../app/when-served.ts';
import type { AtCursor, Plot, PlotInput, TimeRange } from './plot.ts';

interface PlotEvents {
  onCursor(at: AtCursor | null): void;
  onZoom(range: TimeRange | null): void;
}

interface PlotUse {
  /** null until the library is there. */
  plot: Plot | null;
  hasFailed: boolean;
}

/** Draws in the element, and draws again when the input or the width changes. The library loads with the first chart. */
export function usePlot(element: RefObject<HTMLElement | null>, input: PlotInput, events: PlotEvents): PlotUse {
  const [plot, setPlot] = useState<Plot | null>(null);
  const [hasFailed, setFailed] = useState(false);
  const newest = useRef({ input, events });
  newest.current = { input, events };
  const count = input.lines.length;
  const { syncKey } = input;
  // Another number of lines or another key needs a new plot. Before the first values, only the library loads.
  useEffect(() => {
    let isWanted = true;
    let created: Plot | null = null;
    const observer = new ResizeObserver(([entry]) => created?.resize(Math.floor(entry?.contentRect.width ?? 0)));
    withStyles(() => import('./plot.ts')).then(
      ({ createPlot }) => {
        if (!isWanted || count === 0 || element.current === null) return;
        created = createPlot(element.current, newest.current.input, {
          onCursor: (at) => newest.current.events.onCursor(at),
          onZoom: (range) => newest.current.events.onZoom(range),
          onReset: () => newest.current.events.onZoom(null),
        });
        observer.observe(element.current);
        setPlot(created);
      },
      () => setFailed(true),
    );
    return () => {
      isWanted = false;
      observer.disconnect();
      created?.destroy();
      setPlot(null);
    };
  }, [count, syncKey, element]);
  useEffect(() => plot?.update(input), [plot, input]);
  return { plot, hasFailed };
}
