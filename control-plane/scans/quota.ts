import type { Clock } from '../../kernel/clock.js';
import type { Quota } from '../plans/quotas.js';
import type { ScanDaysStore } from './days-store.js';

/** Returns the quota of scans. They are counted by day, so a smaller plan leaves nothing over its limit. */
export function scansQuota(days: Pick<ScanDaysStore, 'count'>, clock: Pick<Clock, 'now'>): Quota {
  return {
    name: 'scans_per_day',
    label: 'security scans today',
    limit: ({ scansPerDay }) => scansPerDay,
    used: (workspaceId) => days.count(workspaceId, clock.now()),
    over: async () => null,
  };
}
