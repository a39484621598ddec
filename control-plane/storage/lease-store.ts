import type { Db } from 'mongodb';
import { isDuplicateKey } from './transaction.js';

/**
 * Lets one control plane at a time do a job. It saves work; it never guards it: whoever works under a lease writes
 * with the fence, so that a holder who was away too long cannot overwrite what its successor wrote.
 */
export interface LeaseStore {
  /**
   * The fence when `owner` now holds the lease for `forMs` by the database's own clock, null while another does.
   * The fence grows with each change of the owner. Calling it again renews.
   */
  acquire(name: string, owner: string, forMs: number): Promise<number | null>;
  /** Lets the next owner in at once. */
  release(name: string, owner: string): Promise<void>;
}

interface LeaseDocument {
  _id: string;
  owner: string;
  fence: number;
  until: Date;
}

export function createLeaseStore(db: Db): LeaseStore {
  const leases = db.collection<LeaseDocument>('leases');
  return {
    async acquire(name, owner, forMs) {
      const isMine = { $eq: ['$owner', owner] };
      // A missing `until`, of a lease that nobody has held yet, is less than any date.
      const isFree = { $or: [isMine, { $lt: ['$until', '$$NOW'] }] };
      const whenFree = (value: unknown, otherwise: string) => ({ $cond: [isFree, value, otherwise] });
      try {
        const lease = await leases.findOneAndUpdate(
          { _id: name },
          [
            {
              $set: {
                fence: whenFree({ $cond: [isMine, '$fence', { $add: [{ $ifNull: ['$fence', 0] }, 1] }] }, '$fence'),
                until: whenFree({ $add: ['$$NOW', forMs] }, '$until'),
                owner: whenFree(owner, '$owner'),
              },
            },
          ],
          { upsert: true, returnDocument: 'after' },
        );
        return lease?.owner === owner ? lease.fence : null;
      } catch (error) {
        // Two made the lease's document at the same moment, and the other was first.
        if (isDuplicateKey(error)) return null;
        throw error;
      }
    },
    async release(name, owner) {
      await leases.updateOne({ _id: name, owner }, [{ $set: { until: { $subtract: ['$$NOW', 1] } } }]);
    },
  };
}
