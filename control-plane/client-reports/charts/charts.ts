import type { Block, ChartBlock } from '../content/content.js';
import { CHART_COLORS, LINE, MUTED, NO_DATA } from './colors.js';

/** Charts as SVG. Their texts are dates and figures of our own, and are escaped all the same. */

export const CHART_WIDTH = 505;
const HEIGHT = 118;
const LEFT = 44;
const TOP = 8;
const BOTTOM = 20;
const PLOT_WIDTH = CHART_WIDTH - LEFT - 4;
const PLOT_HEIGHT = HEIGHT - TOP - BOTTOM;
const LABELS_MAX = 8;
/** A day with little downtime must be visible. */
const DOWN_HEIGHT_MIN = 3;
const FONT_SIZE = 7;

/** Returns what the colours of a chart mean; nothing for one line. */
export function legendOf(chart: ChartBlock): { name: string; color: string }[] {
  switch (chart.type) {
    case 'uptime':
      return [
        { name: 'up', color: CHART_COLORS.good },
        { name: 'down', color: CHART_COLORS.bad },
        { name: 'no data', color: NO_DATA },
      ];
    case 'line':
      return [];
    case 'stacked':
      return chart.series.map(({ name, tone }) => ({ name, color: CHART_COLORS[tone] }));
  }
}

/** Returns a chart. `color` is that of lines without a meaning of their own. */
export function chartSvg(chart: ChartBlock, color: string): string {
  switch (chart.type) {
    case 'uptime':
      return svg([...frame(chart.days, 100, (value) => `${value} %`), ...uptimeBars(chart.days)]);
    case 'line': {
      const max = roundMax(Math.max(0, ...chart.days.map(({ value }) => value ?? 0)));
      const unit = (value: number) => `${value} ${chart.unit}`;
      return svg([...frame(chart.days, max, unit), ...linePath(chart.days, max, color)]);
    }
    case 'stacked': {
      const sums = chart.days.map(({ values }) => values.reduce((sum, value) => sum + value, 0));
      const max = roundMax(Math.max(0, ...sums));
      return svg([...frame(chart.days, max, String), ...stackedBars(chart, max)]);
    }
  }
}

function svg(parts: readonly string[]): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${CHART_WIDTH}" height="${HEIGHT}" viewBox="0 0 ${CHART_WIDTH} ${HEIGHT}">${parts.join('')}</svg>`;
}

/** Returns the lines and labels at 0, the half and the maximum, and the dates. */
function frame(days: readonly { label: string }[], max: number, labelOf: (value: number) => string): string[] {
  const lines = [0, max / 2, max].flatMap((value) => {
    const y = yOf(value, max);
    return [
      `<line x1="${LEFT}" y1="${y}" x2="${LEFT + PLOT_WIDTH}" y2="${y}" stroke="${LINE}" stroke-width="0.5"/>`,
      text(LEFT - 5, y + 2.5, 'end', labelOf(value)),
    ];
  });
  const every = Math.ceil(days.length / LABELS_MAX);
  const dates = days.flatMap(({ label }, place) => {
    const isLabelled = place % every === 0;
    return isLabelled ? [text(centreOf(place, days.length), HEIGHT - 6, 'middle', label)] : [];
  });
  return [...lines, ...dates];
}

function uptimeBars(days: readonly { percent: number | null }[]): string[] {
  return days.flatMap(({ percent }, place) => {
    if (percent === null) return [bar(place, days.length, TOP, PLOT_HEIGHT, NO_DATA)];
    const down = percent >= 100 ? 0 : Math.max(DOWN_HEIGHT_MIN, ((100 - percent) / 100) * PLOT_HEIGHT);
    return [
      bar(place, days.length, TOP + down, PLOT_HEIGHT - down, CHART_COLORS.good),
      ...(down > 0 ? [bar(place, days.length, TOP, down, CHART_COLORS.bad)] : []),
    ];
  });
}

/** The line has a gap where there is no value. A value between two gaps is a dot. */
function linePath(days: readonly { value: number | null }[], max: number, color: string): string[] {
  const runs: { x: number; y: number }[][] = [[]];
  for (const [place, { value }] of days.entries()) {
    if (value === null) runs.push([]);
    else runs.at(-1)?.push({ x: centreOf(place, days.length), y: yOf(value, max) });
  }
  return runs.flatMap((run) => {
    const [first] = run;
    if (first === undefined) return [];
    if (run.length === 1) return [`<circle cx="${first.x}" cy="${first.y}" r="1.6" fill="${color}"/>`];
    const points = run.map(({ x, y }) => `${x},${y}`).join(' ');
    return [`<polyline points="${points}" fill="none" stroke="${color}" stroke-width="1.4"/>`];
  });
}

function stackedBars({ series, days }: Extract<Block, { type: 'stacked' }>, max: number): string[] {
  return days.flatMap(({ values }, place) => {
    let below = 0;
    return values.flatMap((value, index) => {
      if (value === 0) return [];
      const y = yOf(below + value, max);
      const height = yOf(below, max) - y;
      below += value;
      return [bar(place, days.length, y, height, CHART_COLORS[series[index]?.tone ?? 'none'])];
    });
  });
}

function bar(place: number, places: number, y: number, height: number, color: string): string {
  const step = PLOT_WIDTH / places;
  const gap = step > 4 ? 1 : 0;
  return `<rect x="${rounded(LEFT + place * step + gap / 2)}" y="${rounded(y)}" width="${rounded(step - gap)}" height="${rounded(height)}" fill="${color}"/>`;
}

function text(x: number, y: number, anchor: 'end' | 'middle', content: string): string {
  return `<text x="${rounded(x)}" y="${rounded(y)}" font-family="DejaVu" font-size="${FONT_SIZE}" fill="${MUTED}" text-anchor="${anchor}">${escaped(content)}</text>`;
}

function centreOf(place: number, places: number): number {
  return rounded(LEFT + ((place + 0.5) * PLOT_WIDTH) / places);
}

function yOf(value: number, max: number): number {
  return rounded(TOP + PLOT_HEIGHT - (max === 0 ? 0 : value / max) * PLOT_HEIGHT);
}

/** Returns the next of 2, 4, 10, 20, 40, 100 … that is not below the value: its half is a whole number too. */
function roundMax(value: number): number {
  for (let power = 1; ; power *= 10) {
    for (const step of [2, 4, 6, 10]) if (step * power >= value) return step * power;
  }
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}

function escaped(content: string): string {
  return content.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
