import { type MonitorType, type Suggestion, type SuggestProblem, suggest } from '../pasted/address.ts';
import { pastedLines } from '../pasted/lines.ts';

/** More rows cannot be corrected by hand. */
export const ROWS_MAX = 500;

/** An address of a list, and what Picket makes of it. */
export interface Row {
  /** Stays the same while the row is corrected. */
  key: string;
  /** Of the list, counted from 1. */
  line: number;
  address: string;
  name: string;
  type: MonitorType;
  suggestion: Suggestion | SuggestProblem;
}

/** A monitor to create. */
export interface Wanted {
  name: string;
  type: MonitorType;
  url: string;
}

/** A list of addresses, as far as it is corrected. */
export interface PastedList {
  text: string;
  rows: readonly Row[];
}

export const listOf = (text: string): PastedList => ({ text, rows: rowsOf(text).slice(0, ROWS_MAX) });

/** Returns the lines of a list that repeat an earlier one, each with the earlier one. Pure. */
export function repeatedIn(text: string): (readonly [line: number, earlier: number])[] {
  return pastedLines(text).flatMap(({ line, repeats }) => (repeats === null ? [] : [[line, repeats] as const]));
}

/** Returns a row for each address of a list, each once. Pure. */
export function rowsOf(text: string): Row[] {
  return pastedLines(text)
    .filter(({ repeats }) => repeats === null)
    .map(({ line, address, name, found }, index) => {
      const row = rowOf({ key: String(index), line }, address);
      // Of a name and an address, only the address can be wrong.
      return { ...row, ...(name === '' ? {} : { name }), suggestion: found };
    });
}

/** Returns the row of an address, with what fits best. Pure. */
export function rowOf(place: Pick<Row, 'key' | 'line'>, address: string): Row {
  const suggestion = suggest(address);
  const [likeliest] = typeof suggestion === 'string' ? [] : suggestion.choices;
  const name = typeof suggestion === 'string' ? '' : suggestion.name;
  return { key: place.key, line: place.line, address, name, type: likeliest?.type ?? 'http', suggestion };
}

/** Returns the monitor of a row; null if its address is none. Pure. */
export function wantedOf({ name, type, suggestion }: Row): Wanted | null {
  if (typeof suggestion === 'string') return null;
  const url = suggestion.choices.find((choice) => choice.type === type)?.url;
  return url === undefined ? null : { name: name.trim(), type, url };
}
