import { createHash } from 'node:crypto';
import type { Db } from 'mongodb';
import type { ProbeShareDocument } from '../documents.js';
import { SHARES_MAX, type Share } from './share-history.js';

/** Stores the shares of probes, so that any control plane knows what a probe was assigned. */
export interface ShareStore {
  ensureIndexes(): Promise<void>;
  /** Returns the shares of a probe, the latest first, at most `SHARES_MAX`. */
  of(nodeId: string): Promise<Share[]>;
  /**
   * Widens the stored times to include these. Idempotent and independent of the order of writes, because the control
   * planes that a probe moves between may write at the same time.
   */
  save(nodeId: string, shares: readonly Share[]): Promise<void>;
}

/** Longer than raw results are kept, so that the oldest result that is accepted finds its share. */
const KEPT_S = 90 * 86_400;

export function createShareStore(db: Db): ShareStore {
  const shares = db.collection<ProbeShareDocument>('probe_shares');
  return {
    async ensureIndexes() {
      await shares.createIndexes([{ key: { node_id: 1, last: -1 } }, { key: { last: 1 }, expireAfterSeconds: KEPT_S }]);
    },
    async of(nodeId) {
      const found = await shares.find({ node_id: nodeId }).sort({ last: -1 }).limit(SHARES_MAX).toArray();
      return found.map(({ members, from, last }) => ({ members, fromMs: from.getTime(), lastMs: last.getTime() }));
    },
    async save(nodeId, saved) {
      if (saved.length === 0) return;
      await shares.bulkWrite(
        saved.map(({ members, fromMs, lastMs }) => ({
          updateOne: {
            filter: { _id: shareId(nodeId, members) },
            update: {
              $setOnInsert: { node_id: nodeId, members: [...members] },
              $min: { from: new Date(fromMs) },
              $max: { last: new Date(lastMs) },
            },
            upsert: true,
          },
        })),
        { ordered: false },
      );
    },
  };
}

/** The members can be many, so their hash is in the id. */
function shareId(nodeId: string, members: readonly string[]): string {
  return `${nodeId}/${createHash('sha256').update(members.join()).digest('hex').slice(0, 32)}`;
}
