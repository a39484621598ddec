import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import Stripe from 'stripe';

export const WEBHOOK_SECRET = 'whsec_test_secret';
export const PRICES = { Pro: 'price_pro', Enterprise: 'price_enterprise' } as const;
const MONTH_S = 30 * 86_400;

/** A subscription as the API of Stripe returns it, reduced to what has a meaning here. */
export interface FakeSubscription {
  id: string;
  object: 'subscription';
  customer: string;
  created: number;
  status: string;
  cancel_at: number | null;
  cancel_at_period_end: boolean;
  schedule: string | { id: string; phases: { start_date: number; items: { price: string }[] }[] } | null;
  items: { data: { id: string; current_period_end: number; price: { id: string } }[] };
}

/** A server that answers as the API of Stripe. */
export interface FakeStripe {
  url: string;
  requests: { method: string; path: string; form: URLSearchParams; idempotencyKey: string | undefined }[];
  subscriptions: Map<string, FakeSubscription>;
  /** Called before each answer. A status refuses the request with it. */
  before(request: { method: string; path: string }): Promise<number | null>;
  /** Called after each answer was made and before it is sent. */
  delayed(request: { method: string; path: string }): Promise<void>;
  subscribe(customer: string, plan: keyof typeof PRICES, over?: Partial<FakeSubscription>): FakeSubscription;
  /** Returns a signed event, as Stripe sends it. */
  event(
    type: string,
    object: object,
    options?: { id?: string; timestampS?: number; secret?: string },
  ): { rawBody: string; headers: Record<string, string> };
  close(): Promise<void>;
}

export async function startFakeStripe(): Promise<FakeStripe> {
  const signer = new Stripe('sk_test_signer');
  let count = 0;
  const next = (prefix: string) => {
    count += 1;
    return `${prefix}_${count.toString().padStart(6, '0')}`;
  };
  const byKey = new Map<string, unknown>();

  const fake: FakeStripe = {
    url: '',
    requests: [],
    subscriptions: new Map(),
    before: async () => null,
    delayed: async () => {},
    subscribe(customer, plan, over = {}) {
      const nowS = Math.floor(Date.now() / 1_000);
      const subscription: FakeSubscription = {
        ...{ id: next('sub'), object: 'subscription', customer, created: nowS + count, status: 'active' },
        ...{ cancel_at: null, cancel_at_period_end: false, schedule: null },
        items: { data: [{ id: next('si'), current_period_end: nowS + MONTH_S, price: { id: PRICES[plan] } }] },
        ...over,
      };
      fake.subscriptions.set(subscription.id, subscription);
      return subscription;
    },
    event(type, object, { id = next('evt'), timestampS, secret = WEBHOOK_SECRET } = {}) {
      const created = Math.floor(Date.now() / 1_000);
      const rawBody = JSON.stringify({ id, object: 'event', type, created, data: { object } });
      const timestamp = timestampS === undefined ? {} : { timestamp: timestampS };
      const header = signer.webhooks.generateTestHeaderString({ payload: rawBody, secret, ...timestamp });
      return { rawBody, headers: { 'content-type': 'application/json', 'stripe-signature': header } };
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };

  function answer(method: string, path: string, form: URLSearchParams, query: URLSearchParams): unknown {
    const [, , resource = '', id = '', verb = ''] = path.split('/');
    if (path === '/v1/customers') return { id: next('cus'), object: 'customer' };
    if (path === '/v1/checkout/sessions') return { id: next('cs'), url: 'https://checkout.stripe.test/pay' };
    if (path === '/v1/billing_portal/sessions') return { id: next('bps'), url: 'https://billing.stripe.test/portal' };
    if (path === '/v1/subscriptions' && method === 'GET') {
      const data = [...fake.subscriptions.values()].filter(({ customer }) => customer === query.get('customer'));
      return { object: 'list', data, has_more: false };
    }
    if (resource === 'subscriptions') return update(id, form);
    if (path === '/v1/subscription_schedules') {
      const subscription = required(fake.subscriptions.get(form.get('from_subscription') ?? ''));
      const start_date = Math.floor(Date.now() / 1_000);
      const schedule = { id: next('sub_sched'), phases: [{ start_date, items: [] }] };
      subscription.schedule = schedule;
      return schedule;
    }
    if (resource === 'subscription_schedules') {
      const holds = ({ schedule }: FakeSubscription) => schedule !== null && Object(schedule).id === id;
      const subscription = required([...fake.subscriptions.values()].find(holds));
      if (verb === 'release') subscription.schedule = null;
      else {
        const start_date = Number(form.get('phases[0][end_date]'));
        const price = form.get('phases[1][items][0][price]') ?? '';
        subscription.schedule = { id, phases: [{ start_date, items: [{ price }] }] };
      }
      return { id, object: 'subscription_schedule' };
    }
    throw new Error(`the fake has no ${method} ${path}`);
  }

  function update(id: string, form: URLSearchParams): FakeSubscription {
    const subscription = required(fake.subscriptions.get(id));
    const price = form.get('items[0][price]');
    const [item] = subscription.items.data;
    if (price !== null && item !== undefined) item.price.id = price;
    const cancel = form.get('cancel_at_period_end');
    if (cancel !== null) subscription.cancel_at_period_end = cancel === 'true';
    return subscription;
  }

  async function serve(req: IncomingMessage): Promise<{ status: number; body: unknown }> {
    const { pathname: path, searchParams } = new URL(req.url ?? '', 'http://stripe.test');
    const method = req.method ?? 'GET';
    const form = new URLSearchParams(await text(req));
    const idempotencyKey = req.headers['idempotency-key']?.toString();
    fake.requests.push({ method, path, form, idempotencyKey });
    const refused = await fake.before({ method, path });
    if (refused !== null) return { status: refused, body: { error: { type: 'api_error', message: 'refused' } } };
    const key = idempotencyKey === undefined ? null : `${path} ${idempotencyKey}`;
    const body = (key === null ? undefined : byKey.get(key)) ?? answer(method, path, form, searchParams);
    if (key !== null) byKey.set(key, body);
    const sent = structuredClone(body);
    await fake.delayed({ method, path });
    return { status: 200, body: sent };
  }

  const server = createServer((req, res) => {
    serve(req).then(
      ({ status, body }) => res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
      (error: unknown) =>
        res.writeHead(400).end(JSON.stringify({ error: { type: 'invalid_request_error', message: String(error) } })),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  fake.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return fake;
}

function required<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('no such object');
  return value;
}
