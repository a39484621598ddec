import type { Db } from 'mongodb';
import type { MembershipDocument } from '../accounts/documents.js';
import type { Transaction } from '../storage/transaction.js';

/** The owners of workspaces, who get the mails about payments. */
export interface OwnersStore {
  /** Resolves to the e-mail addresses of the first owners, at most `OWNERS_MAX`. */
  emails(tx: Transaction, workspaceId: string): Promise<string[]>;
}

const OWNERS_MAX = 20;

export function createOwnersStore(db: Db): OwnersStore {
  const memberships = db.collection<MembershipDocument>('memberships');
  return {
    async emails(tx, workspace_id) {
      const rows = await memberships
        .aggregate<{ email: string }>(
          [
            { $match: { workspace_id, role: 'owner' } },
            { $sort: { _id: 1 } },
            { $limit: OWNERS_MAX },
            { $lookup: { from: 'users', localField: 'user_id', foreignField: '_id', as: 'user' } },
            { $unwind: '$user' },
            { $project: { _id: 0, email: '$user.email' } },
          ],
          { session: tx.session },
        )
        .toArray();
      return rows.map(({ email }) => email);
    },
  };
}
