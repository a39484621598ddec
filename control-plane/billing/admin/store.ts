import type { Db, Filter } from 'mongodb';
import type { MembershipDocument, UserDocument, WorkspaceDocument } from '../../accounts/documents.js';
import { canonicalEmail } from '../../http/input/email-address.js';
import { containing } from '../../storage/containing.js';
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
  const users = db.collection<UserDocument>('users');
  const memberships = db.collection<MembershipDocument>('memberships');

  /** Resolves to the ids of the workspaces of a person. There are at most 100. */
  async function workspacesOf(email: string): Promise<string[]> {
    const user = await users.findOne({ email: canonicalEmail(email) }, { projection: { _id: 1 } });
    if (user === null) return [];
    const found = await memberships.find({ user_id: user._id }, { projection: { workspace_id: 1 } }).toArray();
    return found.map(({ workspace_id }) => workspace_id);
  }

  return {
    async ensureIndexes() {
      await workspaces.createIndexes([
        { key: { plan: 1, _id: -1 } },
        { key: { 'suspended.at_ms': 1, _id: -1 }, name: 'suspended', sparse: true },
      ]);
    },
    async list(query, page) {
      const { filter, sort } = newestFirst(page.after);
      const { q } = query;
      const ids = q?.includes('@') === true ? await workspacesOf(q) : [];
      return workspaces
        .find({ $and: [filterOf(query, ids), filter] })
        .sort(sort)
        .limit(page.rowsMax)
        .batchSize(page.rowsMax)
        .toArray();
    },
    find: (id) => workspaces.findOne({ _id: id }),
  };
}

/** `ids` are those of the workspaces of the person with the address `q`. Names are searched only if there is nobody. */
function filterOf({ q, plan, suspended }: Pick<ListWorkspaces, 'q' | 'plan' | 'suspended'>, ids: readonly string[]) {
  const filter: Filter<WorkspaceDocument> = {};
  if (plan !== undefined) filter.plan = plan;
  if (suspended !== undefined) filter['suspended.at_ms'] = suspended ? { $gt: 0 } : null;
  if (q !== undefined) {
    const part = containing(q);
    if (ids.length > 0) filter._id = { $in: [...ids] };
    else filter.$or = [{ _id: q }, { name: part }];
  }
  return filter;
}
