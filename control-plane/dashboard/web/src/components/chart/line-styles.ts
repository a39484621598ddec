/**
 * How lines differ: by colour, chosen to differ in brightness too for people who see few colours, and by a mark that is
 * drawn on the line every now and then. Contrast with the surface is at least 3 in both schemes.
 */
export const LINE_COLOURS = {
  light: ['#2356c7', '#b4530a', '#0b7a75', '#93278f', '#5a5f69', '#846a00', '#c2417c', '#164a2f'],
  dark: ['#7fb0ff', '#f2a65a', '#3fcdbf', '#e08ff0', '#a5adba', '#e0c84a', '#ff9fc2', '#9bdcb4'],
} as const;

/** Marks, as SVG paths around 0, 0. */
const MARKS = [
  'M-3 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0z',
  'M-2.7-2.7h5.4v5.4h-5.4z',
  'M0-3.6L3.6 2.7h-7.2z',
  'M0-4L4 0 0 4-4 0z',
  'M0 3.6L3.6-2.7h-7.2z',
  'M-1-3.6h2v2.6h2.6v2h-2.6v2.6h-2v-2.6h-2.6v-2h2.6z',
  'M-3.6-3.6l1.4 0 2.2 2.2 2.2-2.2 1.4 0 0 1.4-2.2 2.2 2.2 2.2 0 1.4-1.4 0-2.2-2.2-2.2 2.2-1.4 0 0-1.4 2.2-2.2-2.2-2.2z',
  'M-4-1h8v2h-8z',
] as const;

/** What is drawn beside the lines. */
export const CHART_COLOURS = {
  light: { text: '#566072', grid: '#e7eaef', surface: '#ffffff', incident: '#c81e28', maintenance: '#0a66c2' },
  dark: { text: '#a3acba', grid: '#262b34', surface: '#16191f', incident: '#ff7070', maintenance: '#62adf5' },
} as const;

export type Scheme = keyof typeof LINE_COLOURS;

/** Returns the colour of the line with an index. */
export function lineColour(scheme: Scheme, index: number): string {
  return LINE_COLOURS[scheme][index % LINE_COLOURS[scheme].length] ?? LINE_COLOURS[scheme][0];
}

/** Returns the mark of the line with an index. */
export function lineMark(index: number): string {
  return MARKS[index % MARKS.length] ?? MARKS[0];
}
