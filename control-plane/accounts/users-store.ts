import type { Db } from 'mongodb';
import type { Transaction } from '../storage/transaction.js';
import type { UserDocument } from './documents.js';

export interface UsersStore {
  ensureIndexes(): Promise<void>;
  /** Throws a duplicate key error when another user has the address. */
  insert(tx: Transaction, document: UserDocument): Promise<void>;
  find(id: string): Promise<UserDocument | null>;
  /** Like `find`, as the transaction sees it. */
  findIn(tx: Transaction, id: string): Promise<UserDocument | null>;
  /** `email` is in lower case. */
  findByEmail(email: string): Promise<UserDocument | null>;
  /** Like `findByEmail`, as the transaction sees it. */
  findByEmailIn(tx: Transaction, email: string): Promise<UserDocument | null>;
  setLastWorkspace(tx: Transaction, id: string, workspaceId: string): Promise<void>;
}

export function createUsersStore(db: Db): UsersStore {
  const users = db.collection<UserDocument>('users');
  return {
    async ensureIndexes() {
      await users.createIndex({ email: 1 }, { unique: true });
    },
    async insert(tx, document) {
      await users.insertOne(document, { session: tx.session });
    },
    find: (_id) => users.findOne({ _id }),
    findIn: (tx, _id) => users.findOne({ _id }, { session: tx.session }),
    findByEmail: (email) => users.findOne({ email }),
    findByEmailIn: (tx, email) => users.findOne({ email }, { session: tx.session }),
    async setLastWorkspace(tx, _id, last_workspace_id) {
      await users.updateOne({ _id }, { $set: { last_workspace_id } }, { session: tx.session });
    },
  };
}
