import type { Db } from 'mongodb';
import { createBillingStore } from './store.js';
import { isLive } from './stripe/subscription.js';

/**
 * Returns a function that resolves to whether Stripe will charge for a workspace again. Such a workspace must not be
 * deleted, because nobody could end its subscription afterwards.
 */
export function createHasRenewingSubscription(db: Db): (workspaceId: string) => Promise<boolean> {
  const store = createBillingStore(db);
  return async (workspaceId) => {
    const subscription = (await store.account(workspaceId))?.subscription ?? null;
    return isLive(subscription) && subscription.ends_at_ms === null;
  };
}
