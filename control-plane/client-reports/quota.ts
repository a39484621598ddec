import type { Clock } from '../../kernel/clock.js';
import type { Quota } from '../plans/quotas.js';
import type { ReportMonthsStore } from './months-store.js';

/** Returns the quota of reports. They are counted by month, so a smaller plan leaves nothing over its limit. */
export function reportsQuota(months: Pick<ReportMonthsStore, 'count'>, clock: Pick<Clock, 'now'>): Quota {
  return {
    ...{ name: 'reports_per_month', label: 'reports this month' },
    limit: ({ reportsPerMonth }) => reportsPerMonth,
    used: (workspaceId) => months.count(workspaceId, clock.now()),
    over: async () => null,
  };
}
