import type { QueryClient } from '@tanstack/react-query';
import { isAboutToLeave } from '../../api/loaded-for.ts';
import { DRAFTS, type KeptDraft } from './use-draft.ts';

/**
 * While something is entered that only this document has, whichever page is open, the browser asks before it loads another
 * document or is closed. It listens only then.
 */
export function askBeforeLoss(queries: QueryClient): void {
  const cache = queries.getQueryCache();
  cache.subscribe(({ query }) => {
    if (query.queryKey[0] !== DRAFTS) return;
    const drafts = cache.findAll({ queryKey: [DRAFTS] });
    const isAsking = drafts.some(({ state }) => (state.data as KeptDraft<unknown> | undefined)?.isUnsaved === true);
    if (isAsking) addEventListener('beforeunload', ask);
    else removeEventListener('beforeunload', ask);
  });
}

function ask(event: BeforeUnloadEvent): void {
  // The session is one of another page: nothing of this one can be saved.
  if (!isAboutToLeave()) event.preventDefault();
}
