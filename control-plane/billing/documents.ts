import type { PlanName } from '../plans/plans.js';

/** What Picket knows of a workspace at Stripe. One document of `billing_accounts`. */
export interface BillingAccountDocument {
  /** The workspace. */
  _id: string;
  /** `cus_...`; unique. */
  customer_id: string;
  /** Counts the writes of `subscription`, so that an older state never replaces a newer one. */
  revision: number;
  subscription: SubscriptionState | null;
}

/** The subscription that decides the plan, as Stripe returned it last. */
export interface SubscriptionState {
  id: string;
  /** As Stripe names it: `active`, `past_due`. */
  status: string;
  /** The plan of its price; null for a price that is no setting of this installation. */
  plan: PlanName | null;
  item_id: string;
  price_id: string;
  schedule_id: string | null;
  period_end_ms: number;
  /** When it ends; null while it is renewed. */
  ends_at_ms: number | null;
  /** The plan from then on; null without a change. */
  pending: { plan: PlanName; at_ms: number } | null;
}

/** One document of `billing_invoices`. Amounts are in the smallest unit of the currency. */
export interface InvoiceDocument {
  /** `in_...` */
  _id: string;
  workspace_id: string;
  number: string | null;
  status: 'paid' | 'payment_failed';
  currency: string;
  amount: number;
  created_at_ms: number;
  /** The page of Stripe that shows it; null without one. */
  url: string | null;
}

/** An event of Stripe that was applied. One document of `billing_events`, removed by TTL. */
export interface BillingEventDocument {
  /** `evt_...` */
  _id: string;
  type: string;
  at: Date;
}
