import type uPlot from 'uplot';
import { CHART_COLOURS, type Scheme } from './line-styles.ts';

/** A time that explains what the lines do. */
export interface ChartBand {
  fromMs: number;
  /** After the range of the chart while it lasts. */
  toMs: number;
  kind: 'incident' | 'maintenance';
  label: string;
}

const FILL_ALPHA = 0.13;
const EDGE_PX = 2;
const HATCH_PX = 7;
/** Short bands stay visible. */
const WIDTH_PX_MIN = 2;

/** Draws the bands below the lines: incidents are red, maintenance is hatched in blue. */
export function drawBands(plot: uPlot, bands: readonly ChartBand[], scheme: Scheme): void {
  const { ctx, bbox } = plot;
  const ratio = devicePixelRatio;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  for (const { fromMs, toMs, kind } of bands) {
    const left = Math.max(bbox.left, plot.valToPos(fromMs, 'x', true));
    const right = Math.min(bbox.left + bbox.width, plot.valToPos(toMs, 'x', true));
    if (right < bbox.left || left > bbox.left + bbox.width) continue;
    const width = Math.max(WIDTH_PX_MIN * ratio, right - left);
    ctx.fillStyle = CHART_COLOURS[scheme][kind];
    ctx.strokeStyle = ctx.fillStyle;
    if (kind === 'maintenance') hatch(ctx, { left, width, top: bbox.top, height: bbox.height }, ratio);
    else fill(ctx, { left, width, top: bbox.top, height: bbox.height });
    ctx.globalAlpha = 1;
    ctx.fillRect(left, bbox.top, width, EDGE_PX * ratio);
  }
  ctx.restore();
}

interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

function fill(ctx: CanvasRenderingContext2D, { left, top, width, height }: Box): void {
  ctx.globalAlpha = FILL_ALPHA;
  ctx.fillRect(left, top, width, height);
}

function hatch(ctx: CanvasRenderingContext2D, { left, top, width, height }: Box, ratio: number): void {
  ctx.save();
  ctx.beginPath();
  ctx.rect(left, top, width, height);
  ctx.clip();
  ctx.globalAlpha = FILL_ALPHA * 3;
  ctx.lineWidth = ratio;
  ctx.beginPath();
  for (let x = left - height; x < left + width; x += HATCH_PX * ratio) {
    ctx.moveTo(x, top + height);
    ctx.lineTo(x + height, top);
  }
  ctx.stroke();
  ctx.restore();
}
