import type { MonitorFilter } from '../../../api/queries.ts';

/**
 * The monitors that a person has selected: single ones, or all that match a filter, apart from some. The second form
 * also has monitors that are added while it is selected.
 */
export type Selection =
  | { kind: 'ids'; ids: ReadonlySet<string> }
  | { kind: 'matching'; filter: ApiFilter; except: ReadonlySet<string> };

/** A filter that means the same to the API, which has degraded and unchecked monitors under `up`. */
type ApiFilter = Omit<MonitorFilter, 'status'> & { status?: 'down' | 'paused' };

export const NOTHING: Selection = { kind: 'ids', ids: new Set() };

/** Whether a monitor is selected. It is one of those that the filter shows. */
export function isSelected(selection: Selection, id: string): boolean {
  return selection.kind === 'ids' ? selection.ids.has(id) : !selection.except.has(id);
}

/** Returns how many monitors are selected, when `matching` match the filter. */
export function selectedCount(selection: Selection, matching: number): number {
  return selection.kind === 'ids' ? selection.ids.size : Math.max(0, matching - selection.except.size);
}

/** Returns the selection in which these monitors are selected, or are not. */
export function withSelected(selection: Selection, ids: readonly string[], areSelected: boolean): Selection {
  const before = selection.kind === 'ids' ? selection.ids : selection.except;
  const after = new Set(before);
  for (const id of ids) {
    if (areSelected === (selection.kind === 'ids')) after.add(id);
    else after.delete(id);
  }
  return selection.kind === 'ids' ? { kind: 'ids', ids: after } : { ...selection, except: after };
}

/** Returns the selection of all monitors that match the filter: those that `matching` returns now, if the API does not know it. */
export function allMatching({ status, ...filter }: MonitorFilter, matching: () => readonly string[]): Selection {
  if (status === undefined) return { kind: 'matching', filter, except: new Set() };
  if (status === 'down' || status === 'paused') {
    return { kind: 'matching', filter: { ...filter, status }, except: new Set() };
  }
  return { kind: 'ids', ids: new Set(matching()) };
}
