import type { Targets } from '../documents.js';
import type { Coverable } from '../maintenance.js';

/** The fields that name resources of a type; a type that is missing is never covered. */
const IDS: Readonly<Record<string, (targets: Targets) => readonly string[]>> = {
  monitor: ({ monitor_ids }) => monitor_ids,
  server: ({ server_ids }) => server_ids,
  blacklist_monitor: () => [],
};

/** Whether the window is for the resource. One whose targets were all deleted is for none. Pure. */
export function appliesTo(targets: Targets, { type, id, tags }: Omit<Coverable, 'workspaceId'>): boolean {
  const ids = IDS[type];
  if (ids === undefined) return false;
  return targets.everything || ids(targets).includes(id) || tags.some((tag) => targets.tags.includes(tag));
}
