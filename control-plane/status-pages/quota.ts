import { countedQuota, type Quota } from '../plans/quotas.js';
import type { StatusPageStore } from './store.js';

export function statusPagesQuota({ named }: Pick<StatusPageStore, 'named'>): Quota {
  return countedQuota({
    name: 'status_pages',
    label: 'status pages',
    limit: ({ statusPages }) => statusPages,
    things: named,
  });
}
