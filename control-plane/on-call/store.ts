import type { Db } from 'mongodb';
import type { Transaction } from '../storage/transaction.js';
import { LINK_VALID_MS } from './link-token.js';

interface RevocationDocument {
  /** The workspace or the channel whose links are revoked. */
  _id: string;
  workspace_id: string;
  /** Links of events until this time do not work any more. */
  revoked_at_ms: number;
  /** When all of these links have expired. */
  expires_at: Date;
}

/** Which links of notifications are revoked. The links themselves are not stored. */
export interface RevocationsStore {
  ensureIndexes(): Promise<void>;
  /** Revokes the links of the workspace or, with `channelId`, of one of its channels. */
  revoke(tx: Transaction, workspaceId: string, channelId: string | null, atMs: number): Promise<void>;
  /** Resolves to the time until which the links of the channel are revoked; 0 when none are. */
  revokedUntil(workspaceId: string, channelId: string): Promise<number>;
}

export function createRevocationsStore(db: Db): RevocationsStore {
  const revocations = db.collection<RevocationDocument>('on_call_revocations');
  return {
    async ensureIndexes() {
      await revocations.createIndexes([
        { key: { workspace_id: 1 } },
        { key: { expires_at: 1 }, name: 'expiry', expireAfterSeconds: 0 },
      ]);
    },
    async revoke(tx, workspaceId, channelId, atMs) {
      await revocations.updateOne(
        { _id: channelId ?? workspaceId, workspace_id: workspaceId },
        { $max: { revoked_at_ms: atMs, expires_at: new Date(atMs + LINK_VALID_MS) } },
        { session: tx.session, upsert: true },
      );
    },
    async revokedUntil(workspaceId, channelId) {
      const filter = { _id: { $in: [workspaceId, channelId] }, workspace_id: workspaceId };
      const found = await revocations.find(filter).toArray();
      return Math.max(0, ...found.map(({ revoked_at_ms }) => revoked_at_ms));
    },
  };
}
