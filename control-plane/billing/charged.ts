import type { Db } from 'mongodb';
import { createBillingStore } from './store.js';
import { isLive } from './stripe/subscription.js';

/**
 * Returns whether Stripe goes on charging for a workspace. Nobody could end the subscription of a workspace that is deleted.
 */
export function createIsCharged(db: Db): (workspaceId: string) => Promise<boolean> {
  const store = createBillingStore(db);
  return async (workspaceId) => {
    const subscription = (await store.account(workspaceId))?.subscription ?? null;
    return isLive(subscription) && subscription.ends_at_ms === null;
  };
}
