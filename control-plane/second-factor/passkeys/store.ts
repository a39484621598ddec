import type { Db } from 'mongodb';
import { newestFirst, type PageRequest } from '../../storage/page.js';
import type { Transaction } from '../../storage/transaction.js';
import type { PasskeyDocument } from '../documents.js';

export interface PasskeysStore {
  ensureIndexes(): Promise<void>;
  /** Throws a duplicate key error when the credential is registered already, by whomever. */
  insert(tx: Transaction, document: PasskeyDocument): Promise<void>;
  /** Returns the passkeys of a person, newest first. */
  list(userId: string, page: PageRequest): Promise<PasskeyDocument[]>;
  /** Returns the passkeys of a person as the transaction sees them, up to `max`. */
  allOf(tx: Transaction, userId: string, max: number): Promise<PasskeyDocument[]>;
  find(userId: string, id: string): Promise<PasskeyDocument | null>;
  /** Takes no user, because the passkey determines who logs in. */
  findByCredential(tx: Transaction, credentialId: string): Promise<PasskeyDocument | null>;
  /** Resolves to the passkey as it was before; null when the person has no such passkey. */
  rename(tx: Transaction, userId: string, id: string, name: string): Promise<PasskeyDocument | null>;
  /** Resolves to null when the person has no such passkey. */
  remove(tx: Transaction, userId: string, id: string): Promise<PasskeyDocument | null>;
  removeAll(tx: Transaction, userId: string): Promise<void>;
  /** Stores the new counter. Resolves to false when the passkey was used or removed since it was read. */
  used(tx: Transaction, passkey: PasskeyDocument, use: { counter: number; atMs: number }): Promise<boolean>;
}

export function createPasskeysStore(db: Db): PasskeysStore {
  const passkeys = db.collection<PasskeyDocument>('passkeys');
  return {
    async ensureIndexes() {
      await passkeys.createIndex({ credential_id: 1 }, { unique: true });
      await passkeys.createIndex({ user_id: 1, _id: -1 });
    },
    async insert(tx, document) {
      await passkeys.insertOne(document, { session: tx.session });
    },
    list(user_id, page) {
      const { filter, sort } = newestFirst(page.after);
      return passkeys
        .find({ user_id, ...filter })
        .sort(sort)
        .limit(page.rowsMax)
        .toArray();
    },
    allOf: (tx, user_id, max) => passkeys.find({ user_id }, { session: tx.session, limit: max }).toArray(),
    find: (user_id, _id) => passkeys.findOne({ _id, user_id }),
    findByCredential: (tx, credential_id) => passkeys.findOne({ credential_id }, { session: tx.session }),
    rename: (tx, user_id, _id, name) =>
      passkeys.findOneAndUpdate(
        { _id, user_id },
        { $set: { name }, $inc: { version: 1 } },
        { session: tx.session, returnDocument: 'before' },
      ),
    remove: (tx, user_id, _id) => passkeys.findOneAndDelete({ _id, user_id }, { session: tx.session }),
    async removeAll(tx, user_id) {
      await passkeys.deleteMany({ user_id }, { session: tx.session });
    },
    async used(tx, { _id, user_id, counter }, use) {
      const { matchedCount } = await passkeys.updateOne(
        { _id, user_id, counter },
        { $set: { counter: use.counter }, $max: { last_used_at_ms: use.atMs } },
        { session: tx.session },
      );
      return matchedCount === 1;
    },
  };
}
