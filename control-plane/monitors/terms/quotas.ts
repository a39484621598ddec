import { countedQuota, OVER_EXAMPLES_MAX, type Quota } from '../../plans/quotas.js';
import { count } from '../../wording.js';
import type { QuotaReads } from './quota-store.js';

/** Returns what plans limit of monitors: their number, the shortest interval and the locations of each. */
export function monitorQuotas(store: QuotaReads): Quota[] {
  return [
    countedQuota({
      name: 'monitors',
      label: 'monitors',
      limit: (limits) => limits.monitors,
      things: store.named,
    }),
    {
      name: 'monitor_interval',
      label: 'shortest interval in seconds',
      limit: (limits) => limits.intervalSecondsMin,
      used: null,
      async over(workspaceId, { intervalSecondsMin: seconds }) {
        const found = await store.moreOften(workspaceId, seconds, OVER_EXAMPLES_MAX);
        if (found.count === 0) return null;
        const detail = `${count(found.count, 'monitor')} set to check more often than every ${seconds} s. The settings stay, but the checks are made every ${seconds} s.`;
        return { count: found.count, detail, examples: found.names };
      },
    },
    {
      name: 'monitor_locations',
      label: 'locations per monitor',
      limit: (limits) => limits.locationsPerMonitor,
      used: null,
      async over(workspaceId, { locationsPerMonitor: most }) {
        const found = await store.fromMore(workspaceId, most, OVER_EXAMPLES_MAX);
        if (found.count === 0) return null;
        const detail = `${count(found.count, 'monitor')} with more than ${most} locations. The settings stay, but the checks are made from the first ${most} locations.`;
        return { count: found.count, detail, examples: found.names };
      },
    },
  ];
}
