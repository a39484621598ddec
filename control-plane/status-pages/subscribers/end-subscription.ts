import type { Actor } from '../../actor.js';
import type { AuditLog } from '../../audit/audit.js';
import type { TrackedMails } from '../../mail/mailer.js';
import type { Transaction } from '../../storage/transaction.js';
import { subscriberAudited } from './audited.js';
import type { SubscriberDocument } from './documents.js';
import type { SubscriberStore } from './store.js';
import type { DeliveryStore } from './webhooks/deliveries-store.js';

/**
 * Why a subscription ends. removed: by a member. The others are of the receiver: unsubscribed: by its link. refused: the mail server
 * says that there is no such mailbox. gone: the webhook has answered 410.
 */
type SubscriptionEnd = 'removed' | 'unsubscribed' | 'refused' | 'gone';

export interface EndSubscriptionNeeds {
  subscribers: Pick<SubscriberStore, 'remove'>;
  deliveries: Pick<DeliveryStore, 'removeOfSubscriber'>;
  tracked: Pick<TrackedMails, 'withdraw'>;
  audit: AuditLog;
}

/** Ends a subscription. What waits to be sent is not sent. Resolves to false if it has ended already. */
export async function endSubscription(
  { subscribers, deliveries, tracked, audit }: EndSubscriptionNeeds,
  tx: Transaction,
  actor: Actor,
  { subscriber, why }: { subscriber: SubscriberDocument; why: SubscriptionEnd },
): Promise<boolean> {
  const { _id: id, workspace_id: workspaceId } = subscriber;
  if (!(await subscribers.remove(tx, subscriber))) return false;
  await deliveries.removeOfSubscriber(tx, workspaceId, id);
  await tracked.withdraw(tx, workspaceId, id);
  const event =
    why === 'removed'
      ? subscriberAudited('status_page.subscriber_removed', subscriber)
      : subscriberAudited('status_page.subscriber_left', subscriber, { reason: why });
  await audit.record(tx, actor, event);
  return true;
}
