import { countedQuota, type Quota } from '../../plans/quotas.js';
import type { ScheduleStore } from './store.js';

export function schedulesQuota({ named }: Pick<ScheduleStore, 'named'>): Quota {
  return countedQuota({
    name: 'report_schedules',
    label: 'report schedules',
    limit: ({ reportSchedules }) => reportSchedules,
    things: named,
  });
}
