import type { BulkRequest } from '../../../api/types.ts';
import type { Selection } from '../list/selection.ts';

/** What is done with the selected monitors. */
export type Operation = Pick<BulkRequest, 'operation' | 'set' | 'tags' | 'monitors'>;

/** Returns the request for an operation on a selection. Pure. */
export function requestOf(operation: Operation, selection: Selection): BulkRequest {
  if (selection.kind === 'ids') return { ...operation, ids: [...selection.ids] };
  const { filter, except } = selection;
  const set = Object.entries(filter).filter(([, value]) => (value ?? '').trim() !== '');
  return { ...operation, filter: Object.fromEntries(set), ...(except.size === 0 ? {} : { except: [...except] }) };
}

/** What the form for editing has. An empty text leaves the setting of each monitor as it is. */
export interface EditedFields {
  interval_seconds: string;
  retries: string;
  confirmations: string;
  timeout_ms: string;
}

export const UNEDITED: EditedFields = { interval_seconds: '', retries: '', confirmations: '', timeout_ms: '' };
/** The value of `confirmations` that means a majority. */
export const MAJORITY = 'majority';

/** Returns the settings that somebody chose; null if there are none. Pure. */
export function settingsOf(edited: EditedFields): NonNullable<BulkRequest['set']> | null {
  const set: NonNullable<BulkRequest['set']> = {};
  if (edited.interval_seconds !== '') set.interval_seconds = Number(edited.interval_seconds);
  if (edited.retries !== '') set.retries = Number(edited.retries);
  if (edited.timeout_ms !== '') set.timeout_ms = Number(edited.timeout_ms);
  if (edited.confirmations !== '') {
    set.confirmations = edited.confirmations === MAJORITY ? null : Number(edited.confirmations);
  }
  return Object.keys(set).length === 0 ? null : set;
}

/** Returns the tags of a text in which they are separated by commas. Pure. */
export function tagsOf(text: string): string[] {
  const tags = text.split(',').map((tag) => tag.trim());
  return [...new Set(tags.filter((tag) => tag !== ''))];
}
