import type { Collection, Filter } from 'mongodb';

/** Reads a collection that is only ever added to, of all workspaces, by ids that sort by the time of their creation. */
export interface EntriesById<Entry> {
  /** Returns the ids from this one on, in their order. Reads nothing but the index. */
  idsFrom(id: string, max: number): Promise<string[]>;
  /** Returns those that exist, in the order of their ids. */
  entries(ids: readonly string[]): Promise<Entry[]>;
}

export function createEntriesById<Document extends { _id: string }, Entry>(
  collection: Collection<Document>,
  entryOf: (document: Document) => Entry,
): EntriesById<Entry> {
  const byId = { _id: 1 } as const;
  const filterOf = (_id: unknown) => ({ _id }) as Filter<Document>;
  return {
    async idsFrom(id, max) {
      const rows = await collection
        .find(filterOf({ $gte: id }))
        .project<{ _id: string }>(byId)
        .sort(byId)
        .hint(byId)
        .limit(max)
        .toArray();
      return rows.map(({ _id }) => _id);
    },
    async entries(ids) {
      const rows = await collection
        .find(filterOf({ $in: [...ids] }))
        .sort(byId)
        .hint(byId)
        .toArray();
      return rows.map((row) => entryOf(row as Document));
    },
  };
}
