import type { Transaction } from '../../storage/transaction.js';
import type { IncidentDocument } from '../documents.js';

/** Returns those of the things that exist, with their tags, in no order. */
export type ReadTagged = (
  workspaceId: string,
  ids: readonly string[],
  tx?: Transaction,
) => Promise<readonly { _id: string; tags: readonly string[] }[]>;

/** What can have tags, by the type of an incident's resource. */
export type TaggedResources = Readonly<Record<string, ReadTagged>>;

type OfResource = Pick<IncidentDocument, 'workspace_id' | 'resource'>;

/** Returns the tags that the resources of incidents have now. Those without any, and deleted ones, are left out. */
export type TagsNow = (
  incidents: readonly OfResource[],
  tx?: Transaction,
) => Promise<(incident: OfResource) => readonly string[]>;

/** One query for each workspace and type of resource among the incidents. */
export function createTagsNow(resources: TaggedResources): TagsNow {
  return async (incidents, tx) => {
    const wanted = new Map<string, { workspaceId: string; type: string; ids: Set<string> }>();
    for (const { workspace_id: workspaceId, resource } of incidents) {
      const { type, id } = resource;
      const group = wanted.get(`${workspaceId} ${type}`) ?? { workspaceId, type, ids: new Set() };
      wanted.set(`${workspaceId} ${type}`, group);
      group.ids.add(id);
    }
    const tags = new Map<string, readonly string[]>();
    for (const { workspaceId, type, ids } of wanted.values()) {
      const found = (await resources[type]?.(workspaceId, [...ids], tx)) ?? [];
      for (const one of found) tags.set(`${type} ${one._id}`, one.tags);
    }
    return ({ resource }) => tags.get(`${resource.type} ${resource.id}`) ?? [];
  };
}
