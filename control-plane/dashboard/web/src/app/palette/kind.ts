import { read } from '../../api/read.ts';
import { readAll } from '../../api/read-all.ts';
import type { Account, Page } from '../../api/types.ts';
import type { Entry } from './match.ts';

/** A page of an object that the palette can open. */
interface FoundPage extends Entry {
  /** Shown behind the label. */
  detail: string;
  to: string;
}

/** What the palette has read of a kind. */
export interface ReadRows {
  rows: readonly FoundPage[];
  /** Whether nothing is missing, so that the browser can search. */
  isWhole: boolean;
}

/** A kind of objects that the palette finds by their names. */
export interface PaletteKind {
  /** The heading above what was found. */
  title: string;
  /** The beginning of the keys of its queries, so that events about these objects make the palette read them again. */
  key: readonly string[];
  /** Whether the person may read these objects; the API decides in the end. */
  isFor(account: Account): boolean;
  /** Whether the palette shows them before something is typed. */
  isShownAtOnce: boolean;
  /** Whether the API can search for a text when not everything was read. */
  hasSearch: boolean;
  /** Reads what contains the text, or the first rows for ''. */
  read(q: string, signal: AbortSignal): Promise<ReadRows>;
}

/** A page where the person begins to do something. */
export interface PaletteAction {
  label: string;
  to: string;
  search: Readonly<Record<string, string | boolean>>;
  isFor(account: Account): boolean;
}

/** What one part of the product adds to the palette. */
export interface PalettePart {
  kinds: readonly PaletteKind[];
  actions: readonly PaletteAction[];
}

interface Kind<Row> extends Omit<PaletteKind, 'read'> {
  path: string;
  query: Readonly<Record<string, string>>;
  entry(row: Row): FoundPage;
}

/** With fewer objects, which most workspaces have, one request is enough for everything that is typed. */
const FIRST_ROWS = '50';
const SEARCH_ROWS = '6';
/** 1,000 rows: the lists without a search are short by their nature. */
const PAGES_MAX = 5;

/** Returns a kind whose objects the API lists. */
export function paletteKind<Row>({ path, query, entry, ...kind }: Kind<Row>): PaletteKind {
  return {
    ...kind,
    async read(q, signal) {
      if (!kind.hasSearch) {
        const { rows, isWhole } = await readAll<Row>(path, query, PAGES_MAX, signal);
        return { rows: rows.map(entry), isWhole };
      }
      const limit = q === '' ? FIRST_ROWS : SEARCH_ROWS;
      const page = await read<Page<Row>>(path, { ...query, q, limit }, signal);
      return { rows: page.data.map(entry), isWhole: page.next_cursor === null };
    },
  };
}
