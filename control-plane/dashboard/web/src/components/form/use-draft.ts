import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';

/** What the keys of drafts in the cache begin with. */
export const DRAFTS = 'draft';

/** What a person has entered into a form of this page, also after they have looked at another one. */
export interface Draft<Values> {
  /** What was entered before; null if nothing was. */
  readonly entered: Values | null;
  /** The browser asks before it loads another document while something is kept that `isUnsaved`. */
  keep(values: Values, isUnsaved: boolean): void;
  /** When it was sent, or the person has said that they do not want it. */
  forget(): void;
}

/** What the cache has of a draft. */
export interface KeptDraft<Values> {
  values: Values;
  isUnsaved: boolean;
}

/** Keeps what is entered into the form of this name until the page is loaded again: it may contain a secret. */
export function useDraft<Values>(form: string): Draft<Values> {
  const queries = useQueryClient();
  return useMemo(() => {
    const queryKey = [DRAFTS, form];
    queries.setQueryDefaults(queryKey, { gcTime: Number.POSITIVE_INFINITY });
    return {
      entered: queries.getQueryData<KeptDraft<Values>>(queryKey)?.values ?? null,
      keep: (values, isUnsaved) => void queries.setQueryData<KeptDraft<Values>>(queryKey, { values, isUnsaved }),
      forget: () => queries.removeQueries({ queryKey }),
    };
  }, [queries, form]);
}

/** Returns the name of the form that edits what has this path in the API. */
export const editOf = (path: string): string => `edit ${path}`;

/**
 * When the person has deleted what has this path in the API: they do not want what they typed about it. Undo brings back what
 * was stored.
 */
export function forgetEdit(queries: QueryClient, path: string): void {
  queries.removeQueries({ queryKey: [DRAFTS, editOf(path)] });
}

/**
 * For a page that has no form of this name to show, because what it edits does not exist or the person may not change it: what
 * was typed can be neither saved nor discarded. Null while the page has the form. Comes after the hook that keeps the draft.
 */
export function useForgotten(form: string | null): void {
  const queries = useQueryClient();
  useEffect(() => {
    if (form !== null) queries.removeQueries({ queryKey: [DRAFTS, form] });
  }, [queries, form]);
}
