import { type Suggestion, type SuggestProblem, suggest } from './address.ts';
import { isOneUrl } from './one-url.ts';

/** What somebody means by a line, or by one of several addresses in a line. */
export interface Pasted {
  /** Counted from 1, with the empty ones. */
  line: number;
  /** The address; of what is not understood, the whole line. */
  address: string;
  /** The name that the line has for it; empty without one. */
  name: string;
  found: Suggestion | SuggestProblem;
  /** The line that has the same address already; null for the first one. */
  repeats: number | null;
}

/** Of a name and an address; the API accepts 200 and 2,048. Looking for a name in more takes long. */
const NAMED_CHARS_MAX = 2_500;

/**
 * Returns what lines mean, in their order. A line is an address; several addresses with blanks, commas or semicolons
 * between; or a name and an address. Both the name and a URL can contain separators. Empty lines mean nothing. Every field
 * that takes addresses reads them with this. Pure.
 */
export function pastedLines(text: string): Pasted[] {
  const first = new Map<string, number>();
  return text.split(/\r\n|\r|\n/).flatMap((raw, index) =>
    partsOf(raw.replace(/[,;\s]+$/, '').trim()).map(({ name, address, whole }): Pasted => {
      const line = index + 1;
      const found = suggest(address);
      const [choice] = typeof found === 'string' ? [] : found.choices;
      const key = choice === undefined ? `? ${address}` : `${choice.type} ${choice.url}`;
      const repeats = first.get(key) ?? null;
      if (repeats === null) first.set(key, line);
      return { line, address: typeof found === 'string' ? whole : address, name, found, repeats };
    }),
  );
}

interface Part {
  name: string;
  address: string;
  /** What a person is shown if the address is none. */
  whole: string;
}

function partsOf(line: string): Part[] {
  if (line === '') return [];
  if (isOneUrl(line)) return [{ name: '', address: line, whole: line }];
  const words = wordsOf(line);
  if (words.length > 1 && words.every(isAddress)) {
    return words.map((word) => ({ name: '', address: word, whole: word }));
  }
  const [name, address] = (line.length > NAMED_CHARS_MAX ? null : (namedUrl(line) ?? named(line))) ?? ['', line];
  return [{ name: unquoted(name), address, whole: line }];
}

/** Returns what blanks, commas and semicolons separate, apart from those within a URL. */
function wordsOf(line: string): string[] {
  const parts = line.split(/[,;]*\s+|[,;]+(?=https?:\/\/)/i);
  return parts.flatMap((part) => (isOneUrl(part) ? [part] : part.split(/[,;]+/))).filter((word) => word !== '');
}

/** Words of names can be host names too, but have none of these characters. */
function isAddress(word: string): boolean {
  return /[.:/]/.test(word) && typeof suggest(word) !== 'string';
}

function namedUrl(line: string): [name: string, address: string] | null {
  const [, name, url] = /^(.*?)[,;\s]\s*(https?:\/\/\S+)$/i.exec(line) ?? [];
  return name !== undefined && url !== undefined && isOneUrl(url) ? [name, url] : null;
}

/** The address is behind the last separator; a blank is one if what follows can be nothing else. */
function named(line: string): [name: string, address: string] | null {
  const [, name, address] = /^(.*)[,;\t]\s*([^,;\t]+)$/.exec(line) ?? [];
  if (name !== undefined && address !== undefined) return [name, address];
  const [, before, last] = /^(.*\S)\s+(\S+)$/.exec(line) ?? [];
  return before !== undefined && last !== undefined && isAddress(last) ? [before, last] : null;
}

/** Spreadsheets put quotes around names with commas. */
function unquoted(name: string): string {
  return name
    .trim()
    .replace(/[,;]+$/, '')
    .replace(/^"(.*)"$/, '$1')
    .replaceAll('""', '"')
    .trim();
}
