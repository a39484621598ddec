import { atSecond, atTime, duration, longDay, longTime, secondTime, shortTime } from './format.ts';

const FORMS = {
  ...{ short: shortTime, second: secondTime, day: longDay, long: longTime },
  ...{ at: atTime, atSecond },
  ago: (iso: string, nowMs: number) => duration(nowMs - Date.parse(iso)),
} satisfies Record<string, (iso: string, nowMs: number) => string>;

/**
 * How a time in a sentence is written: to the minute, to the second, as a day, as a day with its time, with its
 * prepositions (`on 22 Nov at 10:21`), or as how long ago it was.
 */
export type TimeForm = keyof typeof FORMS;

export interface SaidTime {
  at: string;
  form: TimeForm;
}

/** A sentence of the catalogue in pieces: its text, and its times, which the page shows as elements. */
export type Said = readonly (string | SaidTime)[];

/** Returns the text that stands for a time while the catalogue makes the sentence. */
export type TimeMark = (at: string, form?: TimeForm) => string;

/** Two characters that no text has: Unicode keeps them for use within programs. */
const MARK = /\uFDD0(\d+)\uFDD1/;

/** Returns a sentence in pieces. `make` gets a function that stands for a time, for the catalogue's own function. Pure. */
export function say(make: (time: TimeMark) => string): Said {
  const times: SaidTime[] = [];
  const mark: TimeMark = (at, form = 'short') => `\uFDD0${times.push({ at, form }) - 1}\uFDD1`;
  // A split by a pattern with a group has the groups at the odd places.
  return make(mark)
    .split(MARK)
    .map((piece, index) => (index % 2 === 0 ? piece : (times[Number(piece)] ?? '')));
}

/** Returns a time of a sentence as text. */
export const timeText = ({ at, form }: SaidTime, nowMs: number): string => FORMS[form](at, nowMs);

/** Returns a sentence as text, for titles of tabs and labels. Pure. */
export const plainText = (said: Said, nowMs: number): string =>
  said.map((piece) => (typeof piece === 'string' ? piece : timeText(piece, nowMs))).join('');
