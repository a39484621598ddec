import type { Actor } from '../actor.js';
import { notFound } from '../errors.js';
import { actionRoute, type Route, readRoute } from '../http/route.js';
import { changeOwnPlan } from './change-plan.js';
import type { BillingNeeds } from './needs.js';
import { openPortal, startCheckout } from './purchase.js';
import { Billing, CheckoutRequest, PlanRequest, Received, Redirect } from './schema.js';
import { createWebhook } from './stripe/webhook.js';
import { billingOf } from './view.js';

const TAG = 'Billing';

export function createBillingRoutes(needs: BillingNeeds): Route[] {
  const show = async (reader: Actor) => {
    const workspace = await needs.runTransaction((tx) => needs.workspaces.document(tx, reader.workspaceId));
    if (workspace === null) throw notFound('workspace');
    return billingOf(needs, workspace, reader);
  };
  return [
    readRoute({
      method: 'GET',
      path: '/v1/billing',
      access: 'view',
      whileStopped: 'always',
      tag: TAG,
      summary: 'Get the plan, what the workspace uses of it, and its invoices',
      replies: { 200: Billing },
      handle: async ({ actor }) => ({ status: 200, data: await show(actor) }),
    }),
    actionRoute({
      method: 'POST',
      path: '/v1/billing/plan',
      access: 'owner_session',
      fresh: true,
      refusedAs: 'billing.change_refused',
      tag: TAG,
      summary: 'Change the plan',
      description:
        'With a subscription, a larger plan begins at once, and a smaller one at the end of the paid period. Setting the current plan again cancels a pending change. Without a subscription, a plan is bought with `POST /v1/billing/checkout`; without Stripe, operators set it.\n\nA smaller plan deletes nothing. What is over its limits stays readable and continues to work, and nothing further can be added (402): monitors keep their settings, and are checked at the shortest interval of the plan and from as many of their locations as it allows; API keys with scopes work. Audit forwarders stop. History is kept as before for 7 days, then as the new plan says.\n\nIf anything is over the limits of the new plan, the response is 409, and `over_quota` names it. To go on, repeat the request with these names in `accept_over_quota`.',
      body: PlanRequest,
      errors: ['conflict', 'unavailable'],
      replies: { 200: Billing },
      async handle({ actor, body }) {
        await changeOwnPlan(needs, actor, body);
        return { status: 200, data: await show(actor) };
      },
    }),
    ...stripeRoutes(needs),
  ];
}

function stripeRoutes(needs: BillingNeeds): Route[] {
  const { stripe } = needs;
  const receive = stripe === null ? null : createWebhook(needs, stripe);
  return [
    actionRoute({
      method: 'POST',
      path: '/v1/billing/checkout',
      access: 'owner_session',
      fresh: true,
      refusedAs: 'billing.change_refused',
      tag: TAG,
      summary: 'Buy a plan at Stripe',
      description: 'Returns the page of Stripe. The plan changes when Stripe reports the purchase.',
      body: CheckoutRequest,
      errors: ['conflict', 'unavailable'],
      replies: { 200: Redirect },
      handle: async ({ actor, body }) => ({ status: 200, data: { url: await startCheckout(needs, actor, body.plan) } }),
    }),
    actionRoute({
      method: 'POST',
      path: '/v1/billing/portal',
      access: 'owner_session',
      fresh: true,
      // A suspended workspace may have to pay, and one that is being deleted may have a subscription to cancel.
      whileStopped: 'always',
      refusedAs: 'billing.change_refused',
      tag: TAG,
      summary: 'Manage payments and invoices at Stripe',
      description: 'Returns the page of Stripe. It also works while the workspace is suspended or is being deleted.',
      errors: ['conflict', 'unavailable'],
      replies: { 200: Redirect },
      handle: async ({ actor }) => ({ status: 200, data: { url: await openPortal(needs, actor) } }),
    }),
    actionRoute({
      method: 'POST',
      path: '/v1/billing/stripe-webhook',
      access: 'public',
      tag: TAG,
      summary: 'Receive an event of Stripe',
      description:
        'Stripe calls this. The header `Stripe-Signature` proves that the event is from Stripe and at most 5 minutes old. Each event takes effect once; unknown events are acknowledged. 404 on an installation without Stripe.',
      rawBody: {
        type: 'application/json',
        headers: ['stripe-signature'],
        description: 'An event of Stripe, signed.',
      },
      errors: ['not_found', 'unavailable'],
      replies: { 200: Received },
      async handle({ raw }) {
        if (receive === null || raw === null) throw notFound('path');
        await receive(raw.bytes, raw.headers['stripe-signature'] ?? '');
        return { status: 200, data: { received: true } };
      },
    }),
  ];
}
