import type { BulkRequest } from '../../../../api/types.ts';
import { tagsOf, tagsText } from '../../../../components/form/tags.ts';
import type { Selection } from '../../list/selection.ts';

/** What is done with the selected monitors. */
export type Operation = Pick<BulkRequest, 'operation' | 'set' | 'tags' | 'monitors'>;

/** Returns the request for an operation on a selection. Pure. */
export function requestOf(operation: Operation, selection: Selection): BulkRequest {
  if (selection.kind === 'ids') return { ...operation, ids: [...selection.ids] };
  const { filter, except } = selection;
  const set = Object.entries(filter).filter(([, value]) => (value ?? '').trim() !== '');
  return { ...operation, filter: Object.fromEntries(set), ...(except.size === 0 ? {} : { except: [...except] }) };
}

/** Returns how many monitors a request is about, if it is one on this selection of `count`, perhaps without some. Pure. */
export function countIn(request: BulkRequest, selection: Selection, count: number): number {
  if (request.ids !== undefined) return request.ids.length;
  const before = selection.kind === 'ids' ? 0 : selection.except.size;
  return Math.max(0, count + before - (request.except?.length ?? 0));
}

/** Twenty tags with the longest names, and what separates them. */
export const TAGS_CHARS_MAX = 1_050;

/** Returns the text with this tag, or without it. Pure. */
export function withTag(text: string, tag: string, isIn: boolean): string {
  const others = tagsOf(text).filter((one) => one !== tag);
  return tagsText(isIn ? [...others, tag] : others);
}

/** Returns the request without some of its monitors. Pure. */
export function without(request: BulkRequest, left: readonly string[]): BulkRequest {
  if (request.ids !== undefined) return { ...request, ids: request.ids.filter((id) => !left.includes(id)) };
  return { ...request, except: [...new Set([...(request.except ?? []), ...left])] };
}
