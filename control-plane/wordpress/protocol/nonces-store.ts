import type { Db } from 'mongodb';
import type { Transaction } from '../../storage/transaction.js';

/** One document of `wp_nonces`: a signed request that was accepted. */
interface NonceDocument {
  /** `<site>/<nonce>`. */
  _id: string;
  workspace_id: string;
  expires_at: Date;
}

export interface NoncesStore {
  ensureIndexes(): Promise<void>;
  /** Throws a duplicate key error for a nonce that was used before. */
  insert(
    tx: Transaction,
    used: { workspaceId: string; siteId: string; nonce: string; expiresAtMs: number },
  ): Promise<void>;
}

export function createNoncesStore(db: Db): NoncesStore {
  const nonces = db.collection<NonceDocument>('wp_nonces');
  return {
    async ensureIndexes() {
      await nonces.createIndexes([{ key: { expires_at: 1 }, expireAfterSeconds: 0 }, { key: { workspace_id: 1 } }]);
    },
    async insert(tx, { workspaceId, siteId, nonce, expiresAtMs }) {
      const document = { _id: `${siteId}/${nonce}`, workspace_id: workspaceId, expires_at: new Date(expiresAtMs) };
      await nonces.insertOne(document, { session: tx.session });
    },
  };
}
