import type Stripe from 'stripe';
import type { InvoiceDocument } from '../documents.js';

const NUMBER_CHARS_MAX = 100;
const URL_CHARS_MAX = 2_000;

/** Events after which the subscription of their customer is read again. Others are acknowledged and change nothing. */
const RELEVANT =
  /^(checkout\.session\.completed|customer\.subscription\.[a-z_]+|subscription_schedule\.[a-z_]+|invoice\.(paid|payment_failed))$/;

/** What an event says. Its state of a subscription is not used, because events arrive in any order. */
export interface EventFacts {
  /** null: nobody's. */
  customerId: string | null;
  /** For events of invoices. */
  invoice: Omit<InvoiceDocument, 'workspace_id'> | null;
}

/** Returns what an event says; null for an event that changes nothing. */
export function eventFacts(event: Stripe.Event): EventFacts | null {
  if (!RELEVANT.test(event.type)) return null;
  const object: Record<string, unknown> = Object(event.data?.object);
  const customer: unknown = object['customer'];
  const customerId = typeof customer === 'string' ? customer : textOf(Object(customer)['id'], NUMBER_CHARS_MAX);
  return { customerId, invoice: event.type.startsWith('invoice.') ? invoiceOf(event, object) : null };
}

function invoiceOf(event: Stripe.Event, object: Record<string, unknown>): EventFacts['invoice'] {
  const id = textOf(object['id'], NUMBER_CHARS_MAX);
  if (id === null) return null;
  const isPaid = event.type === 'invoice.paid';
  const url = textOf(object['hosted_invoice_url'], URL_CHARS_MAX);
  return {
    _id: id,
    number: textOf(object['number'], NUMBER_CHARS_MAX),
    status: isPaid ? 'paid' : 'payment_failed',
    currency: textOf(object['currency'], 3) ?? '',
    amount: integerOf(object[isPaid ? 'amount_paid' : 'amount_due']),
    created_at_ms: integerOf(object['created']) * 1_000,
    url: url?.startsWith('https://') ? url : null,
  };
}

function textOf(value: unknown, charsMax: number): string | null {
  return typeof value === 'string' && value !== '' && value.length <= charsMax ? value : null;
}

function integerOf(value: unknown): number {
  return Number.isSafeInteger(value) ? Number(value) : 0;
}
