import type { Db } from 'mongodb';
import type { Pager } from '../http/paging.js';
import type { OpenedSlice, Slice } from '../slice.js';
import { createAdminRoutes } from './admin/routes.js';
import { createAdminWorkspacesStore } from './admin/store.js';
import type { BillingNeeds, ConnectedStripe } from './needs.js';
import { createOwnersStore } from './owners-store.js';
import { createBillingRoutes } from './routes.js';
import { createBillingStore } from './store.js';
import { createStripeApi, createStripeClient } from './stripe/api.js';
import type { StripeSettings } from './stripe/settings.js';
import { createVerifyEvent } from './stripe/verify.js';

interface OpenBillingNeeds extends Omit<BillingNeeds, 'store' | 'owners' | 'stripe'> {
  db: Db;
  pager: Pager;
  /** null: plans cannot be bought. */
  stripe: StripeSettings | null;
}

/** Plans, what workspaces use of them, purchases at Stripe, and the workspaces as operators see them. */
export const billingSlice: Slice<'billing', OpenBillingNeeds, OpenedSlice> = {
  name: 'billing',
  auditActions: [
    'billing.plan_changed',
    'billing.invoice_paid',
    'billing.payment_failed',
    'billing.change_refused',
    'workspace.suspended',
    'workspace.resumed',
  ],
  async open({ db, pager, ...needs }) {
    const [store, all] = [createBillingStore(db), createAdminWorkspacesStore(db)];
    const stripe = needs.stripe === null ? null : await connect(needs.stripe, needs);
    const own: BillingNeeds = { ...needs, store, owners: createOwnersStore(db), stripe };
    return {
      routes: [...createBillingRoutes(own), ...createAdminRoutes({ ...own, all, pager })],
      async ensureIndexes() {
        await Promise.all([store.ensureIndexes(), all.ensureIndexes()]);
      },
    };
  },
};

async function connect(settings: StripeSettings, { clock }: Pick<BillingNeeds, 'clock'>): Promise<ConnectedStripe> {
  const client = await createStripeClient(settings);
  return {
    settings,
    api: createStripeApi(client, settings.prices),
    verify: createVerifyEvent(client, settings.webhookSecret, clock),
  };
}
