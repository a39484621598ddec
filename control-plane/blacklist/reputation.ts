import type { BlacklistMonitorStore, MonitorStatus } from './store.js';
import { statusOf } from './view.js';

/** A blacklist monitor in few words, for reports. Policy listings are left out, because they open no incident. */
interface Reputation {
  target: string;
  status: MonitorStatus;
  score: number | null;
  checkedMs: number | null;
  listings: { list: string; sinceMs: number }[];
}

/** Returns the function that reads the blacklist monitors of a workspace, the newest first. */
export function createReadReputation({ list }: Pick<BlacklistMonitorStore, 'list'>) {
  return async (workspaceId: string, rowsMax: number): Promise<Reputation[]> =>
    (await list(workspaceId, {}, null, rowsMax)).map((monitor) => ({
      target: monitor.target,
      status: statusOf(monitor),
      score: monitor.last?.score ?? null,
      checkedMs: monitor.last?.checked_at_ms ?? null,
      listings: monitor.listings
        .filter(({ policy }) => !policy)
        .map(({ provider_name, listed_since_ms }) => ({ list: provider_name, sinceMs: listed_since_ms })),
    }));
}
