import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { axisLabels } from './axis-times.ts';
import { type ChartBand, drawBands } from './bands.ts';
import { CHART_COLOURS, lineColour, lineMark, type Scheme } from './line-styles.ts';
import { type ChartSeries, lowerBound, type Value } from './lines.ts';

/** From and to, in milliseconds. */
export interface TimeRange {
  fromMs: number;
  toMs: number;
}

/** What a plot draws. */
export interface PlotInput {
  lines: readonly ChartSeries[];
  /** Milliseconds, ascending. */
  times: readonly number[];
  bands: readonly ChartBand[];
  range: TimeRange;
  scheme: Scheme;
  format(value: number): string;
  /** The axis of values reaches at least to this. */
  atLeast: number;
  syncKey: string | undefined;
}

/** What is at the cursor: an index of the times, and the value of each line. */
export interface AtCursor {
  index: number;
  values: readonly (number | null)[];
}

interface PlotEvents {
  onCursor(at: AtCursor | null): void;
  onZoom(range: TimeRange): void;
  onReset(): void;
}

/** A chart in an element of the page. */
export interface Plot {
  update(input: PlotInput): void;
  resize(width: number): void;
  /** Moves the cursor, and those of the charts with the same `syncKey`. Returns what is there. */
  moveTo(index: number): AtCursor | null;
  destroy(): void;
}

export const PLOT_HEIGHT_PX = 220;
const LINE_PX = 1.5;
const FONT = '12px system-ui, sans-serif';
const LABEL_PX_PER_CHARACTER = 7;
const LABEL_PX_MIN = 34;
/** Drags that are shorter than this are clicks. */
const DRAG_PX_MIN = 6;
const HEADROOM = 1.08;
/** Between two marks of a line. */
const MARK_EVERY_PX = 110;
/** Times of other lines that are skipped to find a place for a mark. */
const MARK_SEARCH = 20;
const TIME_LABEL_PX = 72;

/** Creates the chart. `first` gives its lines; an update with another number of lines needs a new plot. */
export function createPlot(element: HTMLElement, first: PlotInput, events: PlotEvents): Plot {
  let input = first;
  const plot = new uPlot(
    optionsOf(() => input, element.clientWidth, events),
    dataOf(input),
    element,
  );
  return {
    update(next) {
      const isRecoloured = next.scheme !== input.scheme || next.bands !== input.bands;
      const isNewData = next.lines !== input.lines || next.times !== input.times || next.atLeast !== input.atLeast;
      const isMoved = next.range.fromMs !== input.range.fromMs || next.range.toMs !== input.range.toMs;
      input = next;
      if (isNewData) plot.setData(dataOf(next), false);
      if (isNewData || isMoved) plot.setScale('x', { min: next.range.fromMs, max: next.range.toMs });
      else if (isRecoloured) plot.redraw(false);
    },
    resize(width) {
      if (width !== plot.width) plot.setSize({ width, height: PLOT_HEIGHT_PX });
    },
    moveTo(index) {
      const left = plot.valToPos(plot.data[0][index] ?? 0, 'x');
      // The third argument, which the types lack, moves the cursors of the other charts too.
      const setCursor: (at: { left: number; top: number }, fires: boolean, publishes: boolean) => void = plot.setCursor;
      setCursor({ left, top: 1 }, true, true);
      return atCursor(plot);
    },
    destroy: () => plot.destroy(),
  };
}

function dataOf({ times, lines }: PlotInput): uPlot.AlignedData {
  return [[...times], ...lines.map(({ values }) => [...values])];
}

function optionsOf(input: () => PlotInput, width: number, events: PlotEvents): uPlot.Options {
  const text = () => CHART_COLOURS[input().scheme].text;
  const grid = () => CHART_COLOURS[input().scheme].grid;
  return {
    ...{ width, height: PLOT_HEIGHT_PX, ms: 1, padding: [8, 12, 0, 0], legend: { show: false } },
    cursor: cursorOf(input, events),
    scales: {
      x: { time: true, range: (_, min, max) => [min, max], min: input().range.fromMs, max: input().range.toMs },
      y: { range: (_, __, max) => [0, Math.max(input().atLeast, (max ?? 0) * HEADROOM) || 1] },
    },
    axes: [
      {
        ...{ stroke: text, font: FONT, space: TIME_LABEL_PX, size: 28, grid: { show: false } },
        ticks: { stroke: grid, width: 1, size: 4 },
        values: (_, splits, __, ___, step) => axisLabels(splits, step),
      },
      {
        ...{ stroke: text, font: FONT, grid: { stroke: grid, width: 1 }, ticks: { show: false }, gap: 8 },
        values: (_, splits) => splits.map((value) => input().format(value)),
        size: (_, labels) =>
          Math.max(LABEL_PX_MIN, ...(labels ?? []).map((label) => label.length * LABEL_PX_PER_CHARACTER + 12)),
      },
    ],
    series: [
      {},
      ...input().lines.map((_, index) => ({
        ...{ width: LINE_PX, spanGaps: false, points: { size: 4 } },
        stroke: () => lineColour(input().scheme, index),
      })),
    ],
    hooks: {
      drawClear: [(plot) => drawBands(plot, input().bands, input().scheme)],
      draw: [(plot) => drawMarks(plot, input())],
      setSelect: [(plot) => zoomTo(plot, events)],
      setCursor: [(plot) => events.onCursor(atCursor(plot))],
    },
  };
}

/** Dragging selects along the times; a double click goes back to the whole range. */
function cursorOf(input: () => PlotInput, events: PlotEvents): uPlot.Cursor {
  const { syncKey } = input();
  return {
    drag: { x: true, y: false, setScale: false, dist: DRAG_PX_MIN },
    y: false,
    points: { size: 7, width: 0, fill: (_, index) => lineColour(input().scheme, index - 1) },
    bind: {
      dblclick: () => () => {
        events.onReset();
        return null;
      },
    },
    ...(syncKey === undefined
      ? {}
      : {
          sync: {
            key: syncKey,
            setSeries: false,
            scales: ['x', null],
            // Only the chart that was dragged says what was selected.
            filters: { pub: (type: string) => type === 'mousemove' || type === 'mouseleave', sub: () => true },
          },
        }),
  };
}

function zoomTo(plot: uPlot, { onZoom }: PlotEvents): void {
  const { left, width } = plot.select;
  if (width < DRAG_PX_MIN) return;
  const range = { fromMs: plot.posToVal(left, 'x'), toMs: plot.posToVal(left + width, 'x') };
  plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
  onZoom({ fromMs: Math.round(range.fromMs), toMs: Math.round(range.toMs) });
}

function atCursor(plot: uPlot): AtCursor | null {
  const { idx, idxs, left = -1 } = plot.cursor;
  if (left < 0 || idx === null || idx === undefined) return null;
  const values = plot.data.slice(1).map((line, index) => numberOf(line[idxs?.[index + 1] ?? idx]));
  return { index: idx, values };
}

function numberOf(value: Value): number | null {
  return typeof value === 'number' ? value : null;
}

/** Returns the index of the first value from `index` on that the line has, if there is one nearby. */
function firstOf(values: readonly Value[], index: number): number {
  let at = index;
  while (values[at] === undefined && at < index + MARK_SEARCH) at += 1;
  return at;
}

/** Marks the lines every now and then, each at other places than the line before. */
function drawMarks(plot: uPlot, { lines, times, scheme }: PlotInput): void {
  if (lines.length < 2) return;
  const { ctx, bbox } = plot;
  const ratio = devicePixelRatio;
  const every = MARK_EVERY_PX * ratio;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  for (const [index, { values }] of lines.entries()) {
    const mark = new Path2D(lineMark(index));
    ctx.fillStyle = lineColour(scheme, index);
    for (let x = bbox.left + (every * (index + 0.5)) / lines.length; x < bbox.left + bbox.width; x += every) {
      const at = firstOf(values, lowerBound(times, plot.posToVal(x, 'x', true)));
      const value = values[at];
      if (typeof value !== 'number') continue;
      const [left, top] = [plot.valToPos(times[at] ?? 0, 'x', true), plot.valToPos(value, 'y', true)];
      ctx.setTransform(ratio, 0, 0, ratio, left, top);
      ctx.fill(mark);
      ctx.setTransform(1, 0, 0, 1, 0, 0);
    }
  }
  ctx.restore();
}
