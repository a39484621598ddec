import type { Actor } from '../../../actor.js';
import type { Transaction } from '../../../storage/transaction.js';
import { subscriberAudited } from '../audited.js';
import type { SubscriberDocument } from '../documents.js';
import type { SubscriberNeeds } from '../needs.js';

/** Ends a subscription. Resolves to false if it has ended already. */
export async function removeSubscriber(
  { subscribers, deliveries, audit }: Pick<SubscriberNeeds, 'subscribers' | 'deliveries' | 'audit'>,
  tx: Transaction,
  actor: Actor,
  { subscriber, action }: { subscriber: SubscriberDocument; action: 'removed' | 'left' },
): Promise<boolean> {
  if (!(await subscribers.remove(tx, subscriber))) return false;
  await deliveries.removeOfSubscriber(tx, subscriber.workspace_id, subscriber._id);
  const event =
    action === 'removed'
      ? subscriberAudited('status_page.subscriber_removed', subscriber)
      : subscriberAudited('status_page.subscriber_left', subscriber, { reason: 'unsubscribed' });
  await audit.record(tx, actor, event);
  return true;
}
