import type { Db } from 'mongodb';

/** Who does which of the tasks that one control plane at a time does. */
interface LeaseReads {
  /** Returns the leases that are held now, by name. */
  held(leasesMax: number): Promise<{ name: string; owner: string }[]>;
}

export function createLeaseReads(db: Db): LeaseReads {
  const leases = db.collection<{ _id: string; owner: string; until: Date }>('leases');
  return {
    async held(leasesMax) {
      const found = await leases
        .find({ $expr: { $gt: ['$until', '$$NOW'] } }, { projection: { owner: 1 } })
        .sort({ _id: 1 })
        .limit(leasesMax)
        .toArray();
      return found.map(({ _id, owner }) => ({ name: _id, owner }));
    },
  };
}
