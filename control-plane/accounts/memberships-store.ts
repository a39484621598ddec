import type { Db } from 'mongodb';
import type { Transaction } from '../storage/transaction.js';
import type { MembershipDocument } from './documents.js';

export interface MembershipsStore {
  ensureIndexes(): Promise<void>;
  insert(tx: Transaction, document: MembershipDocument): Promise<void>;
  /** Resolves to null when the person is not a member of the workspace. */
  find(tx: Transaction, workspaceId: string, userId: string): Promise<MembershipDocument | null>;
  /** Resolves to the membership that a person got last; null without any. */
  newestOf(tx: Transaction, userId: string): Promise<MembershipDocument | null>;
}

export function createMembershipsStore(db: Db): MembershipsStore {
  const memberships = db.collection<MembershipDocument>('memberships');
  return {
    async ensureIndexes() {
      await memberships.createIndex({ user_id: 1 });
    },
    async insert(tx, document) {
      await memberships.insertOne(document, { session: tx.session });
    },
    find: (tx, workspaceId, userId) =>
      memberships.findOne({ _id: membershipId(workspaceId, userId) }, { session: tx.session }),
    newestOf: (tx, user_id) =>
      memberships.findOne({ user_id }, { session: tx.session, sort: { created_at_ms: -1, _id: -1 } }),
  };
}

export function membershipId(workspaceId: string, userId: string): string {
  return `${workspaceId}/${userId}`;
}
