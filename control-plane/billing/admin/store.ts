import type { Db, Filter } from 'mongodb';
import type { WorkspaceDocument } from '../../accounts/documents.js';
import { newestFirst, type PageRequest } from '../../storage/page.js';
import type { ListWorkspaces } from './schema.js';

/** All workspaces of the installation, for its operators. */
export interface AdminWorkspacesStore {
  ensureIndexes(): Promise<void>;
  /** Newest first. */
  list(filter: Pick<ListWorkspaces, 'q' | 'plan' | 'suspended'>, page: PageRequest): Promise<WorkspaceDocument[]>;
  find(id: string): Promise<WorkspaceDocument | null>;
}

export function createAdminWorkspacesStore(db: Db): AdminWorkspacesStore {
  const workspaces = db.collection<WorkspaceDocument>('workspaces');
  return {
    async ensureIndexes() {
      await workspaces.createIndexes([
        { key: { plan: 1, _id: -1 } },
        { key: { 'suspended.at_ms': 1, _id: -1 }, name: 'suspended', sparse: true },
      ]);
    },
    list(query, page) {
      const { filter, sort } = newestFirst(page.after);
      return workspaces
        .find({ $and: [filterOf(query), filter] })
        .sort(sort)
        .limit(page.rowsMax)
        .toArray();
    },
    find: (id) => workspaces.findOne({ _id: id }),
  };
}

function filterOf({ q, plan, suspended }: Pick<ListWorkspaces, 'q' | 'plan' | 'suspended'>) {
  const filter: Filter<WorkspaceDocument> = {};
  if (plan !== undefined) filter.plan = plan;
  if (suspended !== undefined) filter['suspended.at_ms'] = suspended ? { $gt: 0 } : null;
  if (q !== undefined) {
    const part = { $regex: q.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'), $options: 'i' };
    filter.$or = [{ _id: q }, { name: part }];
  }
  return filter;
}
