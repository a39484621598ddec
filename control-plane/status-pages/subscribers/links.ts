import { type Actor, platformActor } from '../../actor.js';
import { PLANS } from '../../plans/plans.js';
import { questionTokenHash } from '../../recipients/tokens.js';
import type { Transaction } from '../../storage/transaction.js';
import type { StatusPageDocument } from '../documents.js';
import { subscriberAudited } from './audited.js';
import type { SubscriberDocument } from './documents.js';
import { endSubscription } from './end-subscription.js';
import type { SubscriberNeeds } from './needs.js';

/** What the page of a link shows. */
interface SubscriptionLink {
  address: string;
  page: Pick<StatusPageDocument, 'title' | 'color'>;
}

/** What whoever has a link from a mail can do. All resolve to null for a link that does not work. */
export interface SubscriptionLinks {
  /** Reads the link of a question, and leaves it usable. */
  question(token: string): Promise<SubscriptionLink | null>;
  /** Confirms the address of a question; `full` when the plan of the workspace allows no more subscribers. */
  confirm(token: string, requestId: string): Promise<SubscriptionLink | 'full' | null>;
  /** Reads the link that ends a subscription; `ended` when it has ended. */
  subscription(token: string): Promise<SubscriptionLink | 'ended' | null>;
  /** Ends the subscription, also of an address that was only asked. Idempotent, because mail clients send it twice. */
  unsubscribe(token: string, requestId: string): Promise<'ended' | null>;
}

export function createSubscriptionLinks(needs: SubscriberNeeds): SubscriptionLinks {
  const { subscribers, store, clock, tokens, runRequestTransaction } = needs;

  async function asked(token: string, tx?: Transaction) {
    const hash = questionTokenHash(token);
    const subscriber = hash === null ? null : await subscribers.findByToken(hash, clock.now(), tx);
    if (subscriber === null || (await isStopped(needs, subscriber))) return null;
    const page = await store.find(subscriber.workspace_id, subscriber.page_id, tx);
    return page === null ? null : { subscriber, page };
  }

  return {
    async question(token) {
      const found = await asked(token);
      return found === null ? null : linkOf(found);
    },
    confirm: (token, requestId) =>
      runRequestTransaction(async (tx) => {
        const found = await asked(token, tx);
        if (found === null) return null;
        const { subscriber } = found;
        const { question } = subscriber;
        if (question === null || question.answered === true) return linkOf(found);
        const isNew = subscriber.state !== 'confirmed';
        if (isNew && (await isFull(needs, tx, subscriber))) return 'full';
        const { language, component_ids, access } = question;
        await subscribers.confirm(tx, subscriber._id, { language, component_ids, access }, clock.now());
        await needs.watches.watch(tx, found.page, clock.now());
        const event = subscriberAudited('status_page.subscriber_confirmed', subscriber);
        await needs.audit.record(tx, linkActor(subscriber, requestId), event);
        return linkOf(found);
      }),
    async subscription(token) {
      const id = tokens.read(token);
      if (id === null) return null;
      const subscriber = await subscribers.findById(id);
      const page = subscriber === null ? null : await store.find(subscriber.workspace_id, subscriber.page_id);
      return subscriber === null || page === null ? 'ended' : linkOf({ subscriber, page });
    },
    unsubscribe: (token, requestId) =>
      runRequestTransaction(async (tx) => {
        const id = tokens.read(token);
        if (id === null) return null;
        const subscriber = await subscribers.findById(id, tx);
        if (subscriber !== null)
          await endSubscription(needs, tx, linkActor(subscriber, requestId), { subscriber, why: 'unsubscribed' });
        return 'ended';
      }),
  };
}

function linkOf({ subscriber, page }: { subscriber: SubscriberDocument; page: StatusPageDocument }): SubscriptionLink {
  return { address: subscriber.receiver, page };
}

async function isStopped({ standingOf }: SubscriberNeeds, { workspace_id }: SubscriberDocument): Promise<boolean> {
  return (await standingOf(workspace_id))?.stopped ?? true;
}

async function isFull(needs: SubscriberNeeds, tx: Transaction, { workspace_id }: SubscriberDocument): Promise<boolean> {
  const plan = (await needs.standingOf(workspace_id))?.plan ?? 'Free';
  const allowed = PLANS[plan].statusPageSubscribers;
  return (await needs.subscribers.lockAndCount(tx, workspace_id, allowed)) >= allowed;
}

/** Whoever has the link. No route accepts this actor, so it has no rights beyond what is called with it here. */
function linkActor({ workspace_id }: SubscriberDocument, requestId: string): Actor {
  return { ...platformActor(workspace_id), kind: 'link', email: 'subscriber', scopes: [], role: 'viewer', requestId };
}
