import type { WorkspaceDocument } from '../../accounts/documents.js';
import { type Actor, systemActor } from '../../actor.js';
import { AppError } from '../../errors.js';
import type { Transaction } from '../../storage/transaction.js';
import type { BillingAccountDocument, BillingEventDocument, SubscriptionState } from '../documents.js';
import type { BillingNeeds, ConnectedStripe } from '../needs.js';
import { overQuota } from '../over-quota.js';
import { changePlan, type DecidedBy } from '../plan-change.js';
import { planOf } from './subscription.js';

/** Concurrent events of one customer. Each try reads the subscription again. */
const TRIES_MAX = 10;

/** Another event of the customer was applied since the subscription was read. */
class Outdated extends Error {}

interface Sync {
  account: BillingAccountDocument;
  by: DecidedBy;
  /** null: Stripe decided, by an event. */
  actor: Actor | null;
  /** The event to record in the same transaction; a duplicate key error says that it was applied before. */
  event: BillingEventDocument | null;
  /** What else the event does. */
  also?(tx: Transaction, workspace: WorkspaceDocument, actor: Actor): Promise<void>;
}

type SyncNeeds = Pick<
  BillingNeeds,
  'store' | 'workspaces' | 'standings' | 'quotas' | 'audit' | 'runTransaction' | 'logger'
>;

/**
 * Reads the subscription from Stripe and applies its plan. Nothing depends on the order of events: what is written was read
 * after the newest revision that it replaces, or it is read again.
 */
export async function syncSubscription(needs: SyncNeeds, { api }: ConnectedStripe, sync: Sync): Promise<void> {
  const { store, quotas, runTransaction, logger } = needs;
  let account: BillingAccountDocument | null = sync.account;
  for (let attempt = 0; attempt < TRIES_MAX && account !== null; attempt++) {
    const known: BillingAccountDocument = account;
    const state = await api.subscription(known.customer_id);
    const plan = planOf(state);
    if (plan === null) {
      const { _id: workspace } = known;
      logger.error({ workspace, price: state?.price_id }, 'a subscription has an unknown price; the plan stays');
    }
    const over = plan === null ? [] : (await overQuota(quotas(), known._id, plan)).map(({ name }) => name);
    try {
      await runTransaction((tx) => apply(needs, tx, sync, { known, state, over }));
      return;
    } catch (error) {
      if (!(error instanceof Outdated)) throw error;
    }
    account = await store.account(known._id);
  }
  throw new AppError('unavailable', 'Too many events of this customer arrive at once. Retry later.', {
    headers: { 'Retry-After': '5' },
  });
}

async function apply(
  { store, workspaces, standings, audit }: SyncNeeds,
  tx: Transaction,
  sync: Sync,
  read: { known: BillingAccountDocument; state: SubscriptionState | null; over: readonly string[] },
): Promise<void> {
  const { known, state, over } = read;
  if (sync.event !== null) await store.recordEvent(tx, sync.event);
  if (!(await store.setSubscription(tx, known, state))) throw new Outdated();
  const workspace = await workspaces.document(tx, known._id);
  // Deleted since; its customer at Stripe remains.
  if (workspace === null) return;
  const actor = sync.actor ?? systemActor({ id: workspace._id, name: workspace.name, plan: workspace.plan }, 'stripe');
  const [before, to] = [planOf(known.subscription), planOf(state)];
  // Only a change of the subscription changes the plan, so that a plan set by an operator without one stays.
  if (to !== null && to !== before) {
    await changePlan({ standings, audit }, tx, { workspace, to, by: sync.by, actor, overQuota: over });
  }
  await sync.also?.(tx, workspace, actor);
}
