import { ApiProblem } from '../../api/client.ts';

/** What names the thing that was to be deleted, as the API answers with 409. */
export interface UsedBy {
  total: number;
  /** The first of them that the person may read. */
  items: { type: string; id: string; name: string }[];
}

/** Returns what kept a thing from being deleted; null if it was something else. Pure. */
export function usedByIn(error: unknown): UsedBy | null {
  if (!(error instanceof ApiProblem)) return null;
  const used: unknown = error.body['used_by'];
  return typeof used === 'object' && used !== null && 'items' in used ? (used as UsedBy) : null;
}
