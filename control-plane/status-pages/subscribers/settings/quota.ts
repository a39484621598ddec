import { countedQuota, type Quota } from '../../../plans/quotas.js';
import type { SubscriberStore } from '../store.js';

export function subscribersQuota({ named }: Pick<SubscriberStore, 'named'>): Quota {
  return countedQuota({
    name: 'status_page_subscribers',
    label: 'subscribers of status pages',
    limit: ({ statusPageSubscribers }) => statusPageSubscribers,
    things: named,
  });
}
