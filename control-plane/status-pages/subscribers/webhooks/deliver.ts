import type { Clock } from '../../../../kernel/clock.js';
import type { GuardedFetch } from '../../../../kernel/guard/guarded-fetch.js';
import type { Logger } from '../../../../kernel/logger.js';
import type { Random } from '../../../../kernel/random.js';
import { signatureHeaders } from '../../../../kernel/webhook-signature.js';
import { platformActor } from '../../../actor.js';
import type { AuditLog } from '../../../audit/audit.js';
import { postJson } from '../../../notifications/channels/post-json.js';
import { afterAttempt, RETRY_FOR_MS } from '../../../notifications/delivery/retry.js';
import {
  createLeasedPeriodicTask,
  type LeasedPeriodicTask,
  type LeasedPeriodicTaskNeeds,
} from '../../../storage/leases/leased-periodic-task.js';
import type { SecretBox } from '../../../storage/secret-box.js';
import type { RunTransaction } from '../../../storage/transaction.js';
import type { DeliveryDocument, SubscriberDocument } from '../documents.js';
import { type EndSubscriptionNeeds, endSubscription } from '../end-subscription.js';
import type { SubscriberStore } from '../store.js';
import type { DeliveryStore } from './deliveries-store.js';

const PERIOD_MS = 1_000;
const LEASE_MS = 30_000;
const ATTEMPT_TIMEOUT_MS = 10_000;
/** Sent at the same time: a receiver that hangs delays the others by one timeout at most. */
const AT_ONCE_MAX = 50;
/** Receivers of one workspace that hang leave the other places to others. */
const OF_WORKSPACE_MAX = 5;
/** Names what is sealed: the signing secrets of webhooks. */
export const SEALED_PURPOSE = 'status page subscriber';

interface DeliverNeeds extends LeasedPeriodicTaskNeeds, Pick<EndSubscriptionNeeds, 'tracked'> {
  subscribers: Pick<SubscriberStore, 'findById' | 'remove'>;
  deliveries: DeliveryStore;
  fetch: GuardedFetch;
  box: Pick<SecretBox, 'open'>;
  audit: AuditLog;
  runTransaction: RunTransaction;
  clock: Clock;
  random: Random;
  logger: Logger;
  /** For the User-Agent. */
  version: string;
  publicUrl: string;
}

/**
 * Delivers events to the webhooks of subscribers, in one control plane at a time, signed as all webhooks of Picket are. Each is
 * retried for 24 hours with the same `webhook-id`; it comes twice only if the control plane dies between sending and noting it.
 */
export function createDeliverWebhooks(needs: DeliverNeeds): LeasedPeriodicTask<void> {
  const { deliveries, clock, logger } = needs;
  return createLeasedPeriodicTask(needs, {
    name: 'status-page-webhooks',
    periodMs: PERIOD_MS,
    leaseMs: LEASE_MS,
    failure: 'failed to deliver webhooks of status pages, retrying',
    failureLevel: 'error',
    async work(lease) {
      const due = await deliveries.due(clock.now(), AT_ONCE_MAX, OF_WORKSPACE_MAX);
      await Promise.all(
        due.map((delivery) =>
          deliver(needs, delivery, lease.stopping).catch((err: unknown) => {
            logger.error({ err, subscriber: delivery.subscriber_id }, 'failed to deliver a webhook, retrying');
          }),
        ),
      );
    },
  });
}

async function deliver(needs: DeliverNeeds, delivery: DeliveryDocument, signal: AbortSignal): Promise<void> {
  const { deliveries, clock, random } = needs;
  const subscriber = await needs.subscribers.findById(delivery.subscriber_id);
  if (subscriber === null || subscriber.sealed === null) return deliveries.remove(delivery);
  const outcome = await send(needs, delivery, { subscriber, sealed: subscriber.sealed }, signal);
  // An attempt that the end of the process has cut off is none.
  if (signal.aborted && outcome.kind === 'retry') return;
  if (outcome.kind === 'gone') return removeGone(needs, subscriber);
  const attempts = delivery.attempts + 1;
  const refusals = delivery.refusals + (outcome.kind === 'refused' ? 1 : 0);
  const retryUntilMs = delivery.created_at_ms + RETRY_FOR_MS;
  const next = afterAttempt(outcome, { attempts, refusals, retryUntilMs }, clock.now(), random.fraction());
  if (next.state === 'pending') return deliveries.retry(delivery, { attempts, refusals, next_attempt_ms: next.atMs });
  if (next.state === 'failed')
    needs.logger.warn(
      { subscriber: subscriber._id, error: next.error },
      'a webhook of a status page was not delivered',
    );
  await deliveries.remove(delivery);
}

function send(
  { fetch, box, clock, version, publicUrl }: DeliverNeeds,
  { _id, body }: DeliveryDocument,
  { subscriber, sealed }: { subscriber: SubscriberDocument; sealed: string },
  stopping: AbortSignal,
) {
  const attemptMs = clock.now();
  const secret = box.open(sealed, { purpose: SEALED_PURPOSE, id: subscriber._id });
  const headers = {
    'user-agent': `Picket/${version} (+${publicUrl})`,
    ...signatureHeaders(secret, _id, attemptMs, body),
  };
  const context = { attemptMs, timeoutMs: ATTEMPT_TIMEOUT_MS, signal: stopping };
  return postJson(fetch, subscriber.receiver, { headers, body }, context);
}

/** 410 says that the receiver wants no more. */
async function removeGone(needs: DeliverNeeds, subscriber: SubscriberDocument): Promise<void> {
  await needs.runTransaction(async (tx) => {
    await endSubscription(needs, tx, platformActor(subscriber.workspace_id), { subscriber, why: 'gone' });
  });
}
