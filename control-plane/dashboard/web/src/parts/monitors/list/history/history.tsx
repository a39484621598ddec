import { useLayoutEffect, useRef, useSyncExternalStore } from 'react';
import { milliseconds } from '../../../../texts/format.ts';
import type { Listed } from '../listed.ts';
import { texts } from '../texts/texts.ts';
import { drawHistory, HISTORY_PX, type Paint } from './draw.ts';
import type { HistoryCache } from './history-cache.ts';
import { countSteps, responseRange, type ShownSteps, shownSteps } from './shown-steps.ts';

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

/** Returns what the picture shows, in words. */
function spoken(shown: ShownSteps | null, window: '24h' | '30d'): string {
  if (shown === null) return texts.nothingObserved;
  const bars = texts.bars(window, countSteps(shown.uptime));
  const range = responseRange(shown.response);
  if (range === null) return bars;
  return `${bars}. ${texts.line(milliseconds(range.min), milliseconds(range.max), milliseconds(range.last))}`;
}
