import type { Db } from 'mongodb';
import type { Transaction } from '../storage/transaction.js';
import type { BillingAccountDocument, BillingEventDocument, InvoiceDocument, SubscriptionState } from './documents.js';

export interface BillingStore {
  ensureIndexes(): Promise<void>;
  account(workspaceId: string): Promise<BillingAccountDocument | null>;
  /** Takes no workspace, because the customer determines it. */
  accountOfCustomer(customerId: string): Promise<BillingAccountDocument | null>;
  /** Does nothing if the workspace has an account already. */
  createAccount(tx: Transaction, workspaceId: string, customerId: string): Promise<void>;
  /** Returns false, and writes nothing, if `account` is not the newest revision. */
  setSubscription(
    tx: Transaction,
    account: BillingAccountDocument,
    subscription: SubscriptionState | null,
  ): Promise<boolean>;
  /** Inserts the invoice or replaces it. A paid one stays paid, in whatever order its events arrive. */
  saveInvoice(tx: Transaction, invoice: InvoiceDocument): Promise<void>;
  /** Returns the newest. */
  invoices(workspaceId: string, rowsMax: number): Promise<InvoiceDocument[]>;
  isApplied(eventId: string): Promise<boolean>;
  /** Records that the event is applied. Throws a duplicate key error if it was before. */
  recordEvent(tx: Transaction, event: BillingEventDocument): Promise<void>;
}

/** Stripe sends an event again for at most three days. */
const EVENTS_KEPT_S = 30 * 86_400;

export function createBillingStore(db: Db): BillingStore {
  const accounts = db.collection<BillingAccountDocument>('billing_accounts');
  const invoices = db.collection<InvoiceDocument>('billing_invoices');
  const events = db.collection<BillingEventDocument>('billing_events');
  return {
    async ensureIndexes() {
      await Promise.all([
        accounts.createIndex({ customer_id: 1 }, { unique: true }),
        invoices.createIndex({ workspace_id: 1, created_at_ms: -1 }),
        events.createIndex({ at: 1 }, { expireAfterSeconds: EVENTS_KEPT_S }),
      ]);
    },
    account: (workspaceId) => accounts.findOne({ _id: workspaceId }),
    accountOfCustomer: (customer_id) => accounts.findOne({ customer_id }),
    async createAccount(tx, workspaceId, customer_id) {
      const fresh = { customer_id, revision: 0, subscription: null };
      await accounts.updateOne({ _id: workspaceId }, { $setOnInsert: fresh }, { session: tx.session, upsert: true });
    },
    async setSubscription(tx, { _id, revision }, subscription) {
      const { matchedCount } = await accounts.updateOne(
        { _id, revision },
        { $set: { subscription }, $inc: { revision: 1 } },
        { session: tx.session },
      );
      return matchedCount === 1;
    },
    async saveInvoice(tx, { _id, workspace_id, ...fields }) {
      const { session } = tx;
      if (fields.status === 'paid') {
        await invoices.updateOne({ _id, workspace_id }, { $set: fields }, { session, upsert: true });
        return;
      }
      const known = await invoices.findOne({ _id, workspace_id }, { session, projection: { status: 1 } });
      if (known?.status === 'paid') return;
      await invoices.updateOne({ _id, workspace_id }, { $set: fields }, { session, upsert: true });
    },
    invoices: (workspace_id, rowsMax) =>
      invoices.find({ workspace_id }).sort({ created_at_ms: -1 }).limit(rowsMax).toArray(),
    isApplied: async (_id) => (await events.findOne({ _id }, { projection: { _id: 1 } })) !== null,
    async recordEvent(tx, event) {
      await events.insertOne(event, { session: tx.session });
    },
  };
}
