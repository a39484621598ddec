import type { Db } from 'mongodb';
import type { Transaction } from '../storage/transaction.js';
import type { Deletion, UserDocument } from './documents.js';

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
  /** Resolves to the addresses by id, without people who do not exist. */
  emails(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Sets another address, which is confirmed. Throws a duplicate key error when another user has it. */
  setEmail(tx: Transaction, id: string, address: { email: string; confirmedAtMs: number }): Promise<void>;
  setPassword(tx: Transaction, id: string, passwordHash: string): Promise<void>;
  /** Removes the password of a person whose address was just proved, because somebody else may have chosen it. */
  giveToOwner(tx: Transaction, id: string): Promise<void>;
  /** Replaces the hash of the same password; nothing when the password was changed meanwhile. */
  replaceHash(id: string, before: string, after: string): Promise<void>;
  setDeletion(tx: Transaction, id: string, deletion: Deletion | null): Promise<void>;
  /**
   * Notes that somebody tried to sign up with the address. Resolves to false when that was noted after `notSinceMs`, and
   * for an address without an account.
   */
  noteSignUpAttempt(tx: Transaction, email: string, note: Note): Promise<boolean>;
  /** Notes that a mail with a link for a new password was asked for at `atMs`, the `unused`-th in a row of which nobody made use. */
  noteResetMail(tx: Transaction, id: string, note: { atMs: number; unused: number }): Promise<void>;
  setLastWorkspace(tx: Transaction, id: string, workspaceId: string): Promise<void>;
  /** Removes the mark by which earlier versions recognized operators from all users. */
  removeOperatorMarks(tx: Transaction): Promise<void>;
}

/** A thing that is noted at `atMs`, and at most once in a while. */
interface Note {
  atMs: number;
  notSinceMs: number;
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
    async emails(ids) {
      const found = await users.find({ _id: { $in: [...new Set(ids)] } }, { projection: { email: 1 } }).toArray();
      return new Map(found.map(({ _id, email }) => [_id, email]));
    },
    async setEmail(tx, _id, { email, confirmedAtMs }) {
      const set = { email, email_confirmed_at_ms: confirmedAtMs };
      await users.updateOne({ _id }, { $set: set, $unset: { email_assumed: 1 } }, { session: tx.session });
    },
    async setPassword(tx, _id, password_hash) {
      const change = { $set: { password_hash }, $unset: { reset_mails_unused: true } } as const;
      await users.updateOne({ _id }, change, { session: tx.session });
    },
    async giveToOwner(tx, _id) {
      await users.updateOne({ _id }, { $set: { password_hash: null } }, { session: tx.session });
    },
    async replaceHash(_id, before, after) {
      await users.updateOne({ _id, password_hash: before }, { $set: { password_hash: after } });
    },
    async setDeletion(tx, _id, deletion) {
      await users.updateOne({ _id }, { $set: { deletion } }, { session: tx.session });
    },
    async noteSignUpAttempt(tx, email, note) {
      const { matchedCount } = await users.updateOne(
        { email, sign_up_attempted_at_ms: { $not: { $gt: note.notSinceMs } } },
        { $set: { sign_up_attempted_at_ms: note.atMs } },
        { session: tx.session },
      );
      return matchedCount === 1;
    },
    async noteResetMail(tx, _id, { atMs, unused }) {
      const change = { $set: { reset_requested_at_ms: atMs, reset_mails_unused: unused } };
      await users.updateOne({ _id }, change, { session: tx.session });
    },
    async setLastWorkspace(tx, _id, last_workspace_id) {
      await users.updateOne({ _id }, { $set: { last_workspace_id } }, { session: tx.session });
    },
    async removeOperatorMarks({ session }) {
      // The field is in no document of this version, so it is not in its type.
      const marked = { operator: { $exists: true } } as object;
      await users.updateMany(marked, { $unset: { operator: 1 } } as object, { session });
    },
  };
}
