import { type QueryClient, useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useAccount } from '../account.ts';
import { PARTS } from '../parts.ts';
import type { PaletteKind, PalettePart, ReadRows } from './kind.ts';
import type { Entry } from './match.ts';

/** Something that the palette can open or do. */
export interface Found extends Entry {
  /** Shown behind the label. */
  detail: string;
  run(): void;
}

const TYPING_MS = 150;
const FRESH_MS = 10_000;
/** Names of what is in the browser already change rarely, and events say so. */
const LIST_FRESH_MS = 60_000;
/** As long as the API takes. */
const TYPED_CHARS_MAX = 200;

/** What all parts add to the palette. Each has a file of its own, which loads when the palette is opened. */
const partsQuery = {
  queryKey: ['palette', 'parts'],
  queryFn: (): Promise<PalettePart[]> =>
    Promise.all(PARTS.flatMap(({ palette }) => (palette === null ? [] : [palette()]))),
  staleTime: Number.POSITIVE_INFINITY,
};

/** Returns what the parts offer this person. */
export function useOffered(): PalettePart {
  const account = useAccount();
  const parts = useQuery(partsQuery).data ?? [];
  return {
    kinds: parts.flatMap(({ kinds }) => kinds).filter(({ isFor }) => isFor(account)),
    actions: parts.flatMap(({ actions }) => actions).filter(({ isFor }) => isFor(account)),
  };
}

/**
 * Returns the objects of each kind that may contain the text. The first rows of a kind are read once; only if there are
 * more, each text that somebody stops typing at is a request.
 */
export function useFound(typed: string, kinds: readonly PaletteKind[]) {
  const queries = useQueryClient();
  const text = useLater(typed.trim().slice(0, TYPED_CHARS_MAX));
  const isLoading = useQuery(partsQuery).isPending;
  const lists = useQueries({
    queries: kinds.map((kind) => ({
      queryKey: keyOf(kind, ''),
      queryFn: ({ signal }: { signal: AbortSignal }) => kind.read('', signal),
      staleTime: LIST_FRESH_MS,
      enabled: text !== '' || kind.isShownAtOnce,
    })),
  });
  const searches = useQueries({
    queries: kinds.map((kind, index) => ({
      queryKey: keyOf(kind, text),
      queryFn: ({ signal }: { signal: AbortSignal }) => kind.read(text, signal),
      placeholderData: () => latestSearch(queries, kind),
      staleTime: FRESH_MS,
      enabled: text !== '' && kind.hasSearch && lists[index]?.data?.isWhole === false,
    })),
  });
  return {
    isSearching: isLoading || text !== typed.trim() || [...lists, ...searches].some(({ isFetching }) => isFetching),
    isFailed: [...lists, ...searches].some(({ isError }) => isError),
    found: kinds.map((kind, index) => {
      const [list, search] = [lists[index], searches[index]];
      const isAsked = text !== '' && list?.data?.isWhole === false && search?.data !== undefined;
      // The API also finds by what is not shown, such as an address.
      const foundBy = isAsked && !search.isPlaceholderData ? text : '';
      const rows = isAsked ? search.data.rows : text === '' && !kind.isShownAtOnce ? [] : (list?.data?.rows ?? []);
      return { kind, rows: rows.map((row) => ({ ...row, keywords: `${row.keywords} ${foundBy}` })) };
    }),
  };
}

const keyOf = ({ key }: PaletteKind, text: string): readonly string[] => [...key, 'palette', text];

/** Returns what was found for the text before, which stays until the next one is found. */
function latestSearch(queries: QueryClient, kind: PaletteKind): ReadRows | undefined {
  const searched = queries
    .getQueryCache()
    .findAll({ queryKey: keyOf(kind, '').slice(0, -1) })
    .filter(({ queryKey }) => queryKey.at(-1) !== '');
  const [latest] = searched.toSorted((a, b) => b.state.dataUpdatedAt - a.state.dataUpdatedAt);
  return latest?.state.data as ReadRows | undefined;
}

/** Returns the text when nothing was typed for a moment. */
function useLater(text: string): string {
  const [later, setLater] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setLater(text), text === '' ? 0 : TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return later;
}
