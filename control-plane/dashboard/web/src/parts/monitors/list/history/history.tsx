import { useLayoutEffect, useRef, useSyncExternalStore } from 'react';
import type { Listed } from '../listed.ts';
import { drawHistory, HISTORY_PX, type Paint } from './draw.ts';
import type { HistoryCache } from './history-cache.ts';
import { shownSteps } from './shown-steps.ts';
import { spoken } from './spoken.ts';

interface HistoryProps {
  row: Listed;
  history: HistoryCache;
  window: '24h' | '30d';
  paint: Paint;
}

/** One bar for each hour or day, and a line of the response times. One canvas for both costs half of two. */
export function History({ row, history, window, paint }: HistoryProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const steps = useSyncExternalStore(history.subscribe, () => history.get(row.monitor.id));
  const shown = shownSteps(row, steps, window);
  useLayoutEffect(() => {
    if (canvas.current !== null) drawHistory(canvas.current, shown, paint);
  });
  const label = spoken(shown, window);
  return (
    <canvas ref={canvas} className="cell-history" style={HISTORY_PX} role="img" aria-label={label} title={label} />
  );
}
