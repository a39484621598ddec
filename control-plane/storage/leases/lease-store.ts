import type { Db } from 'mongodb';
import { isDuplicateKey } from '../transaction.js';

/**
 * Leases let one control plane at a time do a task. A lease avoids duplicate work and protects no data: the owner also
 * writes its fence, so that an owner that was paused too long cannot overwrite what the next owner has written.
 */
export interface LeaseStore {
  /**
   * Acquires or renews the lease for `forMs` by the database's clock. Resolves to the fence, which grows with each
   * change of the owner; null while another owner holds the lease.
   */
  acquire(name: string, owner: string, forMs: number): Promise<number | null>;
  /** Lets the next owner acquire the lease at once. */
  release(name: string, owner: string): Promise<void>;
}

/** The clocks of two members of a replica set may differ by the time of a lease, so that a new primary frees none. */
const CLOCKS_DIFFER = 2;

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
      // A new lease has no `until`, which is less than any date. One that lasts longer than it was acquired for is from
      // before the clock of the database was set back; its owner may be gone, and would block the task until then.
      const isTooLong = { $gt: ['$until', { $add: ['$$NOW', CLOCKS_DIFFER * forMs] }] };
      const isFree = { $or: [isMine, { $lt: ['$until', '$$NOW'] }, isTooLong] };
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
        // Another control plane has inserted the lease's document at the same moment.
        if (isDuplicateKey(error)) return null;
        throw error;
      }
    },
    async release(name, owner) {
      await leases.updateOne({ _id: name, owner }, [{ $set: { until: { $subtract: ['$$NOW', 1] } } }]);
    },
  };
}
