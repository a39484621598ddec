import { isLine, type ShownSteps } from './shown-steps.ts';

const BARS_PX = { width: 144, height: 22 };
const LINE_PX = { width: 84, height: 22 };
const GAP_PX = 16;
export const HISTORY_PX = { width: BARS_PX.width + GAP_PX + LINE_PX.width, height: BARS_PX.height };

/** The colours of a scheme as a canvas needs them. */
export interface Paint {
  up: string;
  warning: string;
  down: string;
  idle: string;
}

/** Returns the colours of a scheme. A canvas does not understand the variables themselves. */
export function paintOf(scheme: 'light' | 'dark'): Paint {
  const probe = document.createElement('span');
  probe.style.colorScheme = scheme;
  document.body.append(probe);
  const colour = (name: string) => {
    probe.style.color = `var(--${name})`;
    return getComputedStyle(probe).color;
  };
  const paint = { up: colour('up'), warning: colour('warning'), down: colour('down'), idle: colour('border-strong') };
  probe.remove();
  return paint;
}

/** The canvases that are not empty. */
const drawn = new WeakSet<HTMLCanvasElement>();

/** Draws the bars and the line of a row; null for nothing. */
export function drawHistory(canvas: HTMLCanvasElement, steps: ShownSteps | null, paint: Paint): void {
  // While one scrolls, most rows have nothing to draw yet.
  if (steps === null && !drawn.has(canvas)) return;
  const context = cleared(canvas);
  if (steps === null) drawn.delete(canvas);
  if (context === null || steps === null) return;
  drawn.add(canvas);
  drawBars(context, steps.uptime, paint);
  context.translate(BARS_PX.width + GAP_PX, 0);
  drawLine(context, steps.response, paint);
}

/** Returns an empty canvas in the pixels of the screen; null if the browser has no room for it. */
function cleared(canvas: HTMLCanvasElement): CanvasRenderingContext2D | null {
  // Memory of the graphics card for each of these small pictures costs more than it saves.
  const context = canvas.getContext('2d', { willReadFrequently: true });
  const ratio = Math.max(1, globalThis.devicePixelRatio);
  const [wide, high] = [Math.round(HISTORY_PX.width * ratio), Math.round(HISTORY_PX.height * ratio)];
  if (canvas.width !== wide || canvas.height !== high) {
    canvas.width = wide;
    canvas.height = high;
  }
  context?.setTransform(ratio, 0, 0, ratio, 0, 0);
  context?.clearRect(0, 0, HISTORY_PX.width, HISTORY_PX.height);
  return context;
}

/**
 * Draws one bar for each step: high when there was no outage, lower the more there was, a dot where nothing was
 * observed. So the bars read without colour.
 */
function drawBars(context: CanvasRenderingContext2D, uptime: ShownSteps['uptime'], paint: Paint): void {
  const { width, height } = BARS_PX;
  const step = width / uptime.length;
  for (const [index, value] of uptime.entries()) {
    const bar = barOf(value, height, paint);
    context.fillStyle = bar.colour;
    context.fillRect(Math.round(index * step), height - bar.height, Math.max(2, Math.round(step) - 2), bar.height);
  }
}

function barOf(value: number | null, height: number, paint: Paint): { height: number; colour: string } {
  if (value === null) return { height: 2, colour: paint.idle };
  if (value === 100) return { height, colour: paint.up };
  if (value === 0) return { height: height * 0.35, colour: paint.down };
  // An outage of seconds is still seen: no flawed step is higher than three quarters.
  return { height: height * (0.4 + (value / 100) * 0.35), colour: value < 50 ? paint.down : paint.warning };
}

/** Draws response times as a line from zero. A gap is a gap. */
function drawLine(context: CanvasRenderingContext2D, response: ShownSteps['response'], paint: Paint): void {
  if (!isLine(response)) return;
  const max = Math.max(0, ...response.map((value) => value ?? 0));
  if (max === 0) return;
  const { width, height } = LINE_PX;
  const x = (index: number) => 2 + (index / Math.max(1, response.length - 1)) * (width - 4);
  const y = (value: number) => height - 2 - (value / max) * (height - 4);
  context.lineWidth = 1.5;
  context.strokeStyle = paint.idle;
  context.fillStyle = paint.idle;
  context.beginPath();
  for (const [index, value] of response.entries()) {
    if (value === null) continue;
    const before = response[index - 1] ?? null;
    const after = response[index + 1] ?? null;
    if (before === null && after === null) context.fillRect(x(index) - 1, y(value) - 1, 2, 2);
    else if (before === null) context.moveTo(x(index), y(value));
    else context.lineTo(x(index), y(value));
  }
  context.stroke();
}
