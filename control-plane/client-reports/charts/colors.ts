import type { Tone } from '../content/content.js';

export const INK = '#1c2430';
export const MUTED = '#5b6675';
export const LINE = '#d9dee5';
export const PALE = '#f4f6f9';
export const NO_DATA = '#e3e7ec';

export const TONE_COLORS: Readonly<Record<Tone, string>> = {
  good: '#1a7f4b',
  fair: '#9a6700',
  bad: '#b3261e',
  none: INK,
};

/** The colours of charts, in which areas are large. */
export const CHART_COLORS: Readonly<Record<Tone, string>> = {
  good: '#4caf7a',
  fair: '#e0a43a',
  bad: '#d1453b',
  none: '#8b97a7',
};

/** WCAG 2.2, 1.4.3. */
const CONTRAST_MIN = 4.5;
const DARKER = 0.9;

/** Returns black or white, whichever is easier to read on the colour. */
export function textOn(color: string): string {
  return contrast(color, '#ffffff') >= contrast(color, '#000000') ? '#ffffff' : '#000000';
}

/** Returns the colour, darker if text in it could not be read on white. */
export function readableOnWhite(color: string): string {
  let channels = channelsOf(color);
  while (contrast(hexOf(channels), '#ffffff') < CONTRAST_MIN) channels = channels.map((value) => value * DARKER);
  return hexOf(channels);
}

function contrast(a: string, b: string): number {
  const [light = 1, dark = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (light + 0.05) / (dark + 0.05);
}

/** Relative luminance by WCAG 2.2. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(color).map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function channelsOf(color: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
}

function hexOf(channels: readonly number[]): string {
  return `#${channels.map((value) => Math.floor(value).toString(16).padStart(2, '0')).join('')}`;
}
