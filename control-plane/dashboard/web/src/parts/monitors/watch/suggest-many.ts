import { isOneUrl } from './one-url.ts';
import { type MonitorType, type Suggestion, type SuggestProblem, suggest } from './suggest.ts';

/** More addresses at once are a file for the import of the API. */
export const ADDRESSES_MAX = 500;

/** An address of a list, and what Picket makes of it. */
export interface Row {
  /** Stays the same while the row is corrected. */
  key: string;
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

/** Returns the addresses in a text, each once, in their order. A comma within a URL separates nothing. Pure. */
export function addressesIn(text: string): string[] {
  const found = text.split(/\s+/).flatMap((word) => {
    const address = word.replace(/[,;]+$/, '');
    return isOneUrl(address) ? [address] : address.split(/[,;]+/);
  });
  return [...new Set(found.filter((address) => address !== ''))];
}

/** Returns a row for each address, at most `ADDRESSES_MAX`. Pure. */
export function suggestMany(text: string): Row[] {
  return addressesIn(text)
    .slice(0, ADDRESSES_MAX)
    .map((address, index) => rowOf(String(index), address));
}

/** Returns the row of an address, with what fits best. Pure. */
export function rowOf(key: string, address: string): Row {
  const suggestion = suggest(address);
  const [likeliest] = typeof suggestion === 'string' ? [] : suggestion.choices;
  const name = typeof suggestion === 'string' ? '' : suggestion.name;
  return { key, address, name, type: likeliest?.type ?? 'http', suggestion };
}

/** Returns the monitor of a row; null if its address is none. Pure. */
export function wantedOf({ name, type, suggestion }: Row): Wanted | null {
  if (typeof suggestion === 'string') return null;
  const url = suggestion.choices.find((choice) => choice.type === type)?.url;
  return url === undefined ? null : { name: name.trim(), type, url };
}
