import type { Collection, Filter } from 'mongodb';
import { createNamedCounts, type NamedCounts } from '../../storage/named-counts.js';
import type { MonitorDocument } from '../documents.js';

/** How many monitors there are of a kind, and the names of some. */
interface FoundMonitors {
  count: number;
  names: string[];
}

/** What the quotas read of monitors. Settings are those that the user set, also while the plan allows less. */
export interface QuotaReads {
  named: NamedCounts;
  /** Those with an interval below `seconds`. */
  moreOften(workspaceId: string, seconds: number, namesMax: number): Promise<FoundMonitors>;
  /** Those with more than `locations` locations. */
  fromMore(workspaceId: string, locations: number, namesMax: number): Promise<FoundMonitors>;
}

export function createQuotaReads(monitors: Collection<MonitorDocument>): QuotaReads {
  async function find(workspaceId: string, filter: Filter<MonitorDocument>, namesMax: number): Promise<FoundMonitors> {
    const things = createNamedCounts(
      monitors,
      ({ name }) => name,
      () => filter,
    );
    const [count, names] = await Promise.all([things.count(workspaceId), things.newest(workspaceId, namesMax)]);
    return { count, names };
  }

  return {
    named: createNamedCounts(monitors, ({ name }) => name),
    moreOften(workspaceId, seconds, namesMax) {
      const below = { $lt: seconds };
      const set = [{ wanted: null, interval_seconds: below }, { 'wanted.interval_seconds': below }];
      return find(workspaceId, { $or: set }, namesMax);
    },
    fromMore(workspaceId, locations, namesMax) {
      // A list has more than n elements if it has one with the index n.
      const set = [
        { [`locations.${locations}`]: { $exists: true } },
        { [`wanted.locations.${locations}`]: { $exists: true } },
      ];
      return find(workspaceId, { $or: set }, namesMax);
    },
  };
}
