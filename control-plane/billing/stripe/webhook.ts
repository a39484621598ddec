import { foreignText } from '../../mail/foreign-text.js';
import { mailLink } from '../../mail/link.js';
import type { OutgoingMail } from '../../mail/mailer.js';
import { isDuplicateKey, type Transaction } from '../../storage/transaction.js';
import type { InvoiceDocument } from '../documents.js';
import type { BillingNeeds, ConnectedStripe } from '../needs.js';
import { eventFacts } from './event-facts.js';
import { syncSubscription } from './sync.js';

const MAIL_VALID_MS = 3 * 86_400_000;

/**
 * Returns the function that applies a signed event. Each event takes effect once, in any order, and on any number of control
 * planes. It throws while Stripe or the database does not respond; then Stripe sends the event again.
 */
export function createWebhook(needs: BillingNeeds, stripe: ConnectedStripe) {
  const { store, logger } = needs;
  return async (body: Buffer, signature: string): Promise<void> => {
    const event = stripe.verify(body, signature);
    const facts = eventFacts(event);
    if (facts === null || (await store.isApplied(event.id))) return;
    const account = facts.customerId === null ? null : await store.accountOfCustomer(facts.customerId);
    if (account === null) {
      logger.warn({ event: event.id, type: event.type }, 'ignoring an event of Stripe about an unknown customer');
      return;
    }
    const { invoice } = facts;
    const applied = { _id: event.id, type: event.type, at: new Date(needs.clock.now()) };
    try {
      await syncSubscription(needs, stripe, {
        ...{ account, by: 'stripe', actor: null, event: applied },
        async also(tx, workspace, actor) {
          if (invoice === null) return;
          const saved = { ...invoice, workspace_id: workspace._id };
          await store.saveInvoice(tx, saved);
          await needs.audit.record(tx, actor, {
            action: invoice.status === 'paid' ? 'billing.invoice_paid' : 'billing.payment_failed',
            resource: { type: 'invoice', id: invoice._id, name: invoice.number ?? invoice._id },
            metadata: { amount: invoice.amount, currency: invoice.currency },
          });
          if (invoice.status === 'payment_failed') await notifyOwners(needs, tx, workspace, saved);
        },
      });
    } catch (error) {
      // A concurrent delivery of the same event has applied it.
      if (!isDuplicateKey(error)) throw error;
    }
  };
}

async function notifyOwners(
  { owners, mailer, publicUrl, clock }: BillingNeeds,
  tx: Transaction,
  workspace: { _id: string; name: string },
  invoice: InvoiceDocument,
): Promise<void> {
  for (const to of await owners.emails(tx, workspace._id)) {
    const mail = paymentFailedMail({ to, workspace: workspace.name, invoice, publicUrl, nowMs: clock.now() });
    await mailer.send(tx, { ...mail, workspaceId: workspace._id });
  }
}

function paymentFailedMail(input: {
  to: string;
  workspace: string;
  invoice: InvoiceDocument;
  publicUrl: string;
  nowMs: number;
}): OutgoingMail {
  const { to, invoice, publicUrl, nowMs } = input;
  const workspace = foreignText(input.workspace);
  return {
    ...{ to, kind: 'payment_failed', expiresAtMs: nowMs + MAIL_VALID_MS },
    subject: `Payment for ${workspace} failed`,
    heading: 'Your payment failed',
    paragraphs: [
      'Stripe could not collect the payment of an invoice. It tries again in the next days. Your plan stays as it is until then.',
      'If no payment succeeds, the workspace moves to the Free plan. Nothing is deleted, but checks are made less often and from fewer locations.',
    ],
    facts: [
      { label: 'Workspace', value: workspace },
      { label: 'Invoice', value: invoice.number ?? invoice._id },
    ],
    action: { label: 'Open billing', url: mailLink(publicUrl, '/billing') },
    why: 'You get this e-mail because you are an owner of this workspace.',
  };
}
