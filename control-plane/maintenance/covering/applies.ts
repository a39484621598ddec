import type { Targets } from '../documents.js';
import type { Coverable } from '../maintenance.js';

/**
 * Returns the function that tells whether a window is for a resource. One whose targets were all deleted is for none, and neither
 * is any for a resource of a type that it cannot name. Pure; each question takes time in proportion to the tags of the resource.
 */
export function createApplies(targets: Targets): (what: Omit<Coverable, 'workspaceId'>) => boolean {
  const tags = new Set(targets.tags);
  const ids: Readonly<Record<string, ReadonlySet<string>>> = {
    monitor: new Set(targets.monitor_ids),
    server: new Set(targets.server_ids),
    blacklist_monitor: new Set(),
  };
  return ({ type, id, tags: own }) => {
    const named = ids[type];
    if (named === undefined) return false;
    return targets.everything || named.has(id) || own.some((tag) => tags.has(tag));
  };
}
