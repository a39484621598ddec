import type { Collection, Document, Filter } from 'mongodb';

/** The things of a kind that a workspace has: how many, and what the newest are called. */
export interface NamedCounts {
  count(workspaceId: string): Promise<number>;
  /** Resolves to the names of the newest, at most `rowsMax`. */
  newest(workspaceId: string, rowsMax: number): Promise<string[]>;
}

/** Counts documents that have a `workspace_id`. `where` limits them, and is called for each read. */
export function createNamedCounts<T extends Document>(
  collection: Collection<T>,
  nameOf: (document: T) => string,
  where: () => Filter<T> = () => ({}),
): NamedCounts {
  const of = (workspaceId: string) => ({ ...where(), workspace_id: workspaceId }) as Filter<T>;
  return {
    count: (workspaceId) => collection.countDocuments(of(workspaceId)),
    async newest(workspaceId, rowsMax) {
      const found = await collection.find(of(workspaceId)).sort({ _id: -1 }).limit(rowsMax).toArray();
      return found.map((document) => nameOf(document as T));
    },
  };
}
