import { createHash } from 'node:crypto';
import type { Db } from 'mongodb';
import type { Transaction } from '../../storage/transaction.js';
import type { IdentityDocument } from '../documents.js';

/** Which subject of which provider is which user. `provider` is a workspace, or `installation`. */
export interface IdentitiesStore {
  ensureIndexes(): Promise<void>;
  find(tx: Transaction, provider: string, issuer: string, subject: string): Promise<IdentityDocument | null>;
  /** Resolves to the identity that a user has at a provider. */
  ofUser(tx: Transaction, provider: string, issuer: string, userId: string): Promise<IdentityDocument | null>;
  /** Throws a duplicate key error when the user has another subject at this issuer. */
  insert(tx: Transaction, identity: Omit<IdentityDocument, '_id'>): Promise<void>;
  touch(tx: Transaction, id: string, atMs: number): Promise<void>;
  /** Forgets one; without it, the user's account has been deleted. */
  remove(tx: Transaction, id: string): Promise<void>;
  removeOfUser(tx: Transaction, provider: string, userId: string): Promise<number>;
  removeAll(tx: Transaction, provider: string): Promise<void>;
}

export function createIdentitiesStore(db: Db): IdentitiesStore {
  const identities = db.collection<IdentityDocument>('single_sign_on_identities');
  return {
    async ensureIndexes() {
      await identities.createIndex({ provider: 1, issuer: 1, user_id: 1 }, { unique: true });
      await identities.createIndex({ user_id: 1 });
    },
    find: (tx, provider, issuer, subject) =>
      identities.findOne({ _id: identityId(provider, issuer, subject) }, { session: tx.session }),
    ofUser: (tx, provider, issuer, user_id) =>
      identities.findOne({ provider, issuer, user_id }, { session: tx.session }),
    async insert(tx, identity) {
      const _id = identityId(identity.provider, identity.issuer, identity.subject);
      await identities.insertOne({ _id, ...identity }, { session: tx.session });
    },
    async touch(tx, _id, last_used_at_ms) {
      await identities.updateOne({ _id }, { $set: { last_used_at_ms } }, { session: tx.session });
    },
    async remove(tx, _id) {
      await identities.deleteOne({ _id }, { session: tx.session });
    },
    async removeOfUser(tx, provider, user_id) {
      const done = await identities.deleteMany({ provider, user_id }, { session: tx.session });
      return done.deletedCount;
    },
    async removeAll(tx, provider) {
      await identities.deleteMany({ provider }, { session: tx.session });
    },
  };
}

/** JSON, so that no two triples have the same text. */
function identityId(provider: string, issuer: string, subject: string): string {
  return createHash('sha256')
    .update(JSON.stringify([provider, issuer, subject]))
    .digest('hex');
}
