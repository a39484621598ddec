import type { Actor } from '../actor.js';
import { AppError } from '../errors.js';
import type { PlanName } from '../plans/plans.js';
import type { BillingNeeds, ConnectedStripe } from './needs.js';
import { isLive } from './stripe/subscription.js';

const ATTEMPT_BYTES = 12;

/** Resolves to the page of Stripe on which the actor buys a plan. Throws 409 if the workspace has a subscription. */
export async function startCheckout(needs: BillingNeeds, actor: Actor, plan: PlanName): Promise<string> {
  const stripe = requireStripe(needs);
  const { store, random, publicUrl } = needs;
  const account = await store.account(actor.workspaceId);
  if (isLive(account?.subscription ?? null)) {
    throw new AppError('conflict', 'This workspace has a subscription. Change it: POST /v1/billing/plan.');
  }
  // The invoices go to who buys now, not to who bought first, who may have left.
  const attempt = `${actor.workspaceId}/${random.bytes(ATTEMPT_BYTES).toString('hex')}`;
  if (account !== null)
    await stripe.api.updateCustomer({ customerId: account.customer_id, email: actor.email, attempt });
  return stripe.api.checkout({
    customerId: account?.customer_id ?? (await createCustomer(needs, stripe, actor)),
    workspaceId: actor.workspaceId,
    plan,
    returnUrl: `${publicUrl}/billing`,
    attempt,
  });
}

/** Resolves to the page of Stripe with payment methods and invoices. Throws 409 if the workspace has never bought anything. */
export async function openPortal(needs: BillingNeeds, actor: Actor): Promise<string> {
  const stripe = requireStripe(needs);
  const account = await needs.store.account(actor.workspaceId);
  if (account === null) throw new AppError('conflict', 'This workspace has not bought anything yet.');
  return stripe.api.portal(account.customer_id, `${needs.publicUrl}/billing`);
}

function requireStripe({ stripe }: BillingNeeds): ConnectedStripe {
  if (stripe !== null) return stripe;
  throw new AppError('conflict', 'Plans cannot be bought on this installation. Its operators set the plans.');
}

/** Two at once get the same customer, because the idempotency key is the same. */
async function createCustomer(
  { store, runTransaction }: BillingNeeds,
  { api }: ConnectedStripe,
  { workspaceId: id, workspaceName: name, email }: Actor,
): Promise<string> {
  const customerId = await api.createCustomer({ id, name, email });
  await runTransaction((tx) => store.createAccount(tx, id, customerId));
  return (await store.account(id))?.customer_id ?? customerId;
}
