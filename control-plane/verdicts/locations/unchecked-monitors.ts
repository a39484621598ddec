import type { AssignmentSource, LocationDirectory } from '../../nodes/nodes.js';
import { isPresent } from '../../nodes/nodes.js';
import type { VerdictStore } from '../store.js';

/** The monitors that no location can check, for an alert. */
export interface Unchecked {
  count: number;
  /** The names of the oldest ones. */
  names: string[];
}

/** An alert names at most this many monitors. */
const NAMED_MAX = 5;

/** Returns a function that finds the monitors of a location that no location can check. */
export function createUncheckedMonitors(needs: {
  assignments: Pick<AssignmentSource, 'monitors'>;
  locations: Pick<LocationDirectory, 'codes' | 'presence'>;
  store: Pick<VerdictStore, 'loadMany'>;
}): (code: string, nowMs: number) => Promise<Unchecked> {
  const { assignments, locations, store } = needs;
  return async (code, nowMs) => {
    const able = new Set(locations.codes().filter((one) => one !== code && isPresent(locations.presence(one), nowMs)));
    const ids: string[] = [];
    for (const monitor of assignments.monitors(code)) {
      if (!monitor.locations.some((one) => able.has(one))) ids.push(monitor.id);
    }
    ids.sort();
    if (ids.length === 0) return { count: 0, names: [] };
    const named = new Map((await store.loadMany(ids.slice(0, NAMED_MAX))).map(({ _id, name }) => [_id, name]));
    return { count: ids.length, names: ids.slice(0, NAMED_MAX).map((id) => named.get(id) ?? id) };
  };
}
