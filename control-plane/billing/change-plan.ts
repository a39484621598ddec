import type { WorkspaceDocument } from '../accounts/documents.js';
import type { Actor } from '../actor.js';
import { AppError, notFound } from '../errors.js';
import { PLAN_NAMES, type PlanName } from '../plans/plans.js';
import type { SubscriptionState } from './documents.js';
import type { BillingNeeds, ConnectedStripe } from './needs.js';
import { overQuota, requireAccepted } from './over-quota.js';
import { changePlan } from './plan-change.js';
import type { PlanRequest } from './schema.js';
import { isLive } from './stripe/subscription.js';
import { syncSubscription } from './stripe/sync.js';

const ATTEMPT_BYTES = 12;

/**
 * Changes the plan of the actor's workspace. With a subscription, a larger plan begins at once, a smaller one and Free at
 * the end of the paid period. Without one, only operators can set a larger plan.
 */
export async function changeOwnPlan(needs: BillingNeeds, actor: Actor, request: PlanRequest): Promise<void> {
  const { store, stripe } = needs;
  const workspace = await needs.runTransaction((tx) => needs.workspaces.document(tx, actor.workspaceId));
  if (workspace === null) throw notFound('workspace');
  const account = await store.account(workspace._id);
  const subscription = account?.subscription ?? null;
  const isSubscribed = stripe !== null && account !== null && isLive(subscription);
  if (!isSubscribed) requireDecider(needs, actor, workspace, request.plan);
  const accepted = await acceptedOverQuota(needs, workspace, request);
  if (isSubscribed) {
    // An earlier change may have failed between two requests to Stripe and left a schedule whose event has not arrived yet,
    // so read the subscription first.
    const present = await stripe.api.subscription(account.customer_id);
    if (!isLive(present)) {
      // It has ended, and its event has not arrived yet. The request is decided as for a workspace without one.
      await syncSubscription(needs, stripe, { account, by: 'stripe', actor: null, event: null });
      return changeOwnPlan(needs, actor, request);
    }
    await changeAtStripe(needs, stripe, workspace, present, request.plan);
    return syncSubscription(needs, stripe, { account, by: 'owner', actor, event: null });
  }
  const by = actor.operator ? 'operator' : 'owner';
  await needs.runTransaction(async (tx) => {
    const present = await needs.workspaces.document(tx, workspace._id);
    if (present === null) throw notFound('workspace');
    await changePlan(needs, tx, { workspace: present, to: request.plan, by, actor, overQuota: accepted });
  });
}

/** Returns the names of what is over the plan's limits. Throws 409 if not all of it is accepted. */
export async function acceptedOverQuota(
  { quotas }: Pick<BillingNeeds, 'quotas'>,
  workspace: WorkspaceDocument,
  { plan, accept_over_quota: accepted = [] }: PlanRequest,
): Promise<string[]> {
  // A larger plan takes nothing away.
  if (rank(plan) >= rank(workspace.plan)) return [];
  return requireAccepted(await overQuota(quotas(), workspace._id, plan), plan, accepted);
}

function requireDecider({ stripe }: BillingNeeds, actor: Actor, workspace: WorkspaceDocument, plan: PlanName): void {
  if (actor.operator || plan === workspace.plan) return;
  if (stripe === null) {
    throw new AppError('conflict', 'The operators of this installation set the plans. Ask them for another plan.');
  }
  if (rank(plan) < rank(workspace.plan)) return;
  throw new AppError('conflict', 'This workspace has no subscription. Buy the plan: POST /v1/billing/checkout.');
}

async function changeAtStripe(
  { random }: BillingNeeds,
  { api }: ConnectedStripe,
  workspace: WorkspaceDocument,
  subscription: SubscriptionState,
  plan: PlanName,
): Promise<void> {
  const attempt = `${workspace._id}/${random.bytes(ATTEMPT_BYTES).toString('hex')}`;
  if (plan === 'Free') return api.cancelLater(subscription, attempt);
  const current = subscription.plan ?? workspace.plan;
  if (rank(plan) < rank(current)) return api.changeLater(subscription, plan, attempt);
  const isAsWanted = plan === subscription.plan && subscription.pending === null && subscription.ends_at_ms === null;
  if (!isAsWanted) await api.change(subscription, plan, attempt);
}

function rank(plan: PlanName): number {
  return PLAN_NAMES.indexOf(plan);
}
