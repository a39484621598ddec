import { Button } from '@mantine/core';
import { type KeyboardEvent, type ReactNode, useId, useMemo, useRef, useState } from 'react';
import { useScheme } from '../../app/use-scheme.ts';
import { chartTime } from './axis-times.ts';
import type { ChartBand } from './bands.ts';
import { Legend } from './legend.tsx';
import { type ChartSeries, linesOf, shownIndexes } from './lines.ts';
import type { AtCursor, PlotInput, TimeRange } from './plot.ts';
import { nextIndex } from './reading.ts';
import { texts } from './texts/texts.ts';
import { usePlot } from './use-plot.ts';
import { ValueTable } from './value-table.tsx';
import './chart.css';

interface ChartProps {
  title: string;
  /** Such as `ms`, shown beside the title; `format` returns values with it. */
  unit: string;
  format(value: number): string;
  /** The values of each line at `times`: null is a gap. `aligned` makes both of the API's series. */
  series: readonly ChartSeries[];
  /** Milliseconds, ascending. */
  times: readonly number[];
  bands?: readonly ChartBand[];
  /** What the chart shows. */
  range: TimeRange;
  /** Whether `range` is a selected part, from which there is a way back. */
  isZoomed: boolean;
  /** Called with the selected part, and with null to go back to the whole range. `useZoom` keeps it in the URL. */
  onRange(range: TimeRange | null): void;
  /** Charts with the same key have a common cursor. */
  syncKey?: string;
  /** The axis of values reaches at least to this, such as 100 for percentages. */
  atLeast?: number;
  /** Controls beside the title, such as a choice of ranges. */
  /** What the values are, in a sentence below the chart. */
  note?: string;
  /** While the values are on their way, the chart does not say that there are none. */
  isLoading?: boolean;
  controls?: ReactNode;
}

const NO_BANDS: readonly ChartBand[] = [];

/**
 * A chart of values over time, with a legend that is a table. Arrow keys read it aloud. Keep `series`, `times`, `bands`
 * and `range` the same objects while they have the same content, with `useMemo`: another object draws the chart again.
 */
export function Chart(props: ChartProps) {
  const { title, unit, format, series, times, bands = NO_BANDS, range, isZoomed, onRange, controls } = props;
  const { syncKey, atLeast = 0, note, isLoading = false } = props;
  const id = useId();
  const scheme = useScheme();
  const element = useRef<HTMLDivElement>(null);
  const [cursor, setCursor] = useState<AtCursor | null>(null);
  const [isTable, setTable] = useState(false);
  const lines = useMemo(() => linesOf(series, texts.others), [series]);
  const shown = useMemo(() => shownIndexes(times, range.fromMs, range.toMs), [times, range]);
  const formatter = useRef(format);
  formatter.current = format;
  const input = useMemo<PlotInput>(
    () => ({ lines, times, bands, range, scheme, atLeast, syncKey, format: (value) => formatter.current(value) }),
    [lines, times, bands, range, scheme, atLeast, syncKey],
  );
  const { plot, hasFailed } = usePlot(element, input, { onCursor: setCursor, onZoom: onRange });
  const spanMs = range.toMs - range.fromMs;
  const time = cursor === null ? null : chartTime(times[cursor.index] ?? 0, spanMs);
  const spoken = useSpoken({ lines, times, bands, spanMs, format });
  const read = (event: KeyboardEvent) => {
    const index = nextIndex(event.key, { shown, at: cursor?.index ?? null });
    if (index === null || plot === null) return;
    event.preventDefault();
    const at = plot.moveTo(index);
    if (at !== null) spoken.say(at);
  };
  const shownBands = useMemo(
    () => bands.filter(({ fromMs, toMs }) => toMs >= range.fromMs && fromMs <= range.toMs),
    [bands, range],
  );
  const isEmpty = shown[0] >= shown[1] && !isLoading;
  return (
    <section className="panel chart" aria-labelledby={`${id}title`}>
      <div className="chart-head">
        <h2 id={`${id}title`}>
          {title} <span className="soft">{unit}</span>
        </h2>
        <div className="page-actions">
          {isZoomed ? (
            <Button variant="default" size="compact-sm" onClick={() => onRange(null)}>
              {texts.reset}
            </Button>
          ) : null}
          {controls}
        </div>
      </div>
      <div
        {...{ ref: element, className: 'chart-plot', role: 'application', tabIndex: 0, onKeyDown: read }}
        {...{ 'aria-labelledby': `${id}title`, 'aria-describedby': `${id}hint` }}
      >
        {isEmpty || hasFailed ? <p className="chart-note soft">{hasFailed ? texts.failed : texts.empty}</p> : null}
      </div>
      <p id={`${id}hint`} className="only-spoken">
        {texts.hint}
      </p>
      <p className="only-spoken" role="status">
        {spoken.text}
      </p>
      <BandsAtCursor bands={bands} atMs={cursor === null ? null : (times[cursor.index] ?? null)} />
      <Legend
        {...{ title, lines, shown, scheme, format }}
        cursor={cursor === null ? null : { time: time ?? '', values: cursor.values }}
      />
      <div className="chart-foot">
        <button type="button" className="link" aria-expanded={isTable} onClick={() => setTable(!isTable)}>
          {isTable ? texts.hideTable : texts.showTable}
        </button>
        {note === undefined ? null : <span className="soft">{note}</span>}
      </div>
      {isTable ? <ValueTable {...{ title, lines, times, bands: shownBands, shown, spanMs, format }} /> : null}
    </section>
  );
}

/** What explains the time at the cursor. Its line is always there, so that nothing below moves. */
function BandsAtCursor({ bands, atMs }: { bands: readonly ChartBand[]; atMs: number | null }) {
  if (bands.length === 0) return null;
  const here = bands.filter(({ fromMs, toMs }) => atMs !== null && fromMs <= atMs && atMs <= toMs);
  return (
    <p className="chart-bands cut" aria-hidden="true">
      {here.map(({ kind, label }) => texts[kind](label)).join(' · ')}
    </p>
  );
}

interface SpokenInput {
  lines: readonly ChartSeries[];
  times: readonly number[];
  bands: readonly ChartBand[];
  spanMs: number;
  format(value: number): string;
}

/** Keeps what the keyboard reads: "10:20, Frankfurt 41 ms". */
function useSpoken({ lines, times, bands, spanMs, format }: SpokenInput) {
  const [text, setText] = useState('');
  return {
    text,
    say({ index, values: found }: AtCursor) {
      const atMs = times[index] ?? 0;
      const values = lines.map(({ label }, line) => {
        const value = found[line] ?? null;
        return `${label} ${value === null ? texts.noValue : format(value)}`;
      });
      const here = bands.filter(({ fromMs, toMs }) => fromMs <= atMs && atMs <= toMs);
      const events = here.map(({ kind, label }) => texts[kind](label));
      setText(texts.spoken(chartTime(atMs, spanMs), [...values, ...events].join(', ')));
    },
  };
}
