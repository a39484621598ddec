import { useEffect, useLayoutEffect, useRef, useSyncExternalStore } from 'react';
import { milliseconds } from '../../../texts/format.ts';
import { BARS_PX, drawBars, drawLine, LINE_PX, type Paint } from './draw.ts';
import type { HistoryCache } from './history-cache.ts';
import type { Listed } from './listed.ts';
import { countSteps, responseRange, type ShownSteps, shownSteps } from './shown-steps.ts';
import { texts } from './texts/texts.ts';

interface HistoryProps {
  row: Listed;
  history: HistoryCache;
  window: '24h' | '30d';
  paint: Paint;
}

/** Returns what is known of the history of a row; null until it is read. */
export function useShownSteps({ row, history, window }: Omit<HistoryProps, 'paint'>): ShownSteps | null {
  const steps = useSyncExternalStore(history.subscribe, () => history.get(row.monitor.id));
  return shownSteps(row, steps, window);
}

interface CellProps {
  steps: ShownSteps | null;
  paint: Paint;
}

/** One bar for each hour or day. */
export function Bars({ steps, paint, window }: CellProps & Pick<HistoryProps, 'window'>) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useLayoutEffect(() => {
    if (canvas.current !== null) drawBars(canvas.current, steps?.uptime ?? [], paint);
  });
  const label = steps === null ? texts.nothingObserved : texts.bars(window, countSteps(steps.uptime));
  return <canvas ref={canvas} className="cell-bars" style={BARS_PX} role="img" aria-label={label} title={label} />;
}

/** The response times of the same steps. */
export function Line({ steps, paint }: CellProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    if (canvas.current !== null) drawLine(canvas.current, steps?.response ?? [], paint);
  });
  const range = steps === null ? null : responseRange(steps.response);
  const label = range === null ? undefined : texts.line(...spoken(range));
  return (
    <canvas
      ref={canvas}
      className="cell-line"
      style={LINE_PX}
      {...(label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label, title: label })}
    />
  );
}

function spoken({ min, max, last }: { min: number; max: number; last: number }): [string, string, string] {
  return [milliseconds(min), milliseconds(max), milliseconds(last)];
}
