import type { Monitor, UpdateMonitor } from '../../../api/types.ts';

/** Returns the change that takes another change of a monitor back. `before` has its secrets. Pure. */
export function undoOf(before: Monitor, patch: UpdateMonitor): UpdateMonitor {
  const { http, ...top } = patch;
  const fields = Object.keys(top) as (keyof typeof top)[];
  const undo = Object.fromEntries(fields.map((field) => [field, before[field]])) as UpdateMonitor;
  if (patch.type !== undefined) return { ...undo, http: before.http };
  if (http === undefined || http === null || before.http === null) return undo;
  const past = before.http;
  const names = Object.keys(http) as (keyof typeof past)[];
  return { ...undo, http: Object.fromEntries(names.map((name) => [name, past[name]])) };
}
