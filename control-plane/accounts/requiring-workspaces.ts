import type { Db } from 'mongodb';
import type { Transaction } from '../storage/transaction.js';
import type { MembershipDocument, WorkspaceDocument } from './documents.js';

/**
 * Resolves to the workspaces of a person that require a second factor of everybody, in the order of their names, up to
 * `REQUIRING_WORKSPACES_MAX`.
 */
export type RequiringWorkspaces = (userId: string, tx?: Transaction) => Promise<{ id: string; name: string }[]>;

const REQUIRING_WORKSPACES_MAX = 100;

/** A store: it reads the memberships of one person and their workspaces in one query. */
export function createRequiringWorkspaces(db: Db): RequiringWorkspaces {
  const memberships = db.collection<MembershipDocument>('memberships');
  return async (userId, tx) => {
    const found = await memberships
      .aggregate<WorkspaceDocument>(
        [
          { $match: { user_id: userId } },
          { $lookup: { from: 'workspaces', localField: 'workspace_id', foreignField: '_id', as: 'workspace' } },
          { $replaceRoot: { newRoot: { $ifNull: [{ $first: '$workspace' }, {}] } } },
          { $match: { requires_second_factor: true } },
          { $sort: { name: 1, _id: 1 } },
          { $limit: REQUIRING_WORKSPACES_MAX },
        ],
        tx === undefined ? {} : { session: tx.session },
      )
      .toArray();
    return found.map(({ _id, name }) => ({ id: _id, name }));
  };
}
