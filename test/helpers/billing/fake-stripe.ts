import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import Stripe from 'stripe';
import { startStripeMock } from '../machine/stripe-mock.js';

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

interface Answer {
  status: number;
  body: unknown;
}

/** An answer of stripe-mock. Only lists have `data`. */
interface Described {
  data?: object[];
}

/**
 * A server that answers as the API of Stripe: stripe-mock decides whether a request is right and which shape the answer has,
 * and the subscriptions, which change over time, are kept here.
 */
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
  const [mock, signer] = [await startStripeMock(), new Stripe('sk_test_signer')];
  let count = 0;
  const next = (prefix: string) => {
    count += 1;
    return `${prefix}_${count.toString().padStart(6, '0')}`;
  };
  /** By idempotency key, from the moment in which the first request with it arrived. */
  const byKey = new Map<string, Promise<Answer>>();

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
    async close() {
      await new Promise<void>((resolve) => server.close(() => resolve()));
      await mock.stop();
    },
  };

  /** Returns what Stripe answers: `described` by stripe-mock, with the state that the fake keeps in its place. */
  function answer(method: string, path: string, asked: URLSearchParams, described: Described): unknown {
    const [, , resource = '', id = '', verb = ''] = path.split('/');
    if (path === '/v1/subscriptions' && method === 'GET') {
      const own = [...fake.subscriptions.values()].filter(({ customer }) => customer === asked.get('customer'));
      return { ...described, data: own.map((subscription) => ({ ...described.data?.[0], ...subscription })) };
    }
    if (resource === 'subscriptions') return { ...described, ...update(id, asked) };
    if (path === '/v1/subscription_schedules') {
      const subscription = required(fake.subscriptions.get(asked.get('from_subscription') ?? ''));
      if (subscription.schedule !== null) throw new Error('the subscription is already attached to a schedule');
      const start_date = Math.floor(Date.now() / 1_000);
      subscription.schedule = { id: next('sub_sched'), phases: [{ start_date, items: [] }] };
      return { ...described, ...subscription.schedule };
    }
    if (resource === 'subscription_schedules') {
      const holds = ({ schedule }: FakeSubscription) => schedule !== null && Object(schedule).id === id;
      const subscription = required([...fake.subscriptions.values()].find(holds));
      if (verb === 'release') subscription.schedule = null;
      else {
        const start_date = Number(asked.get('phases[0][end_date]'));
        const price = asked.get('phases[1][items][0][price]') ?? '';
        subscription.schedule = { id, phases: [{ start_date, items: [{ price }] }] };
      }
    }
    return described;
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

  function ask({ method = 'GET', url = '', headers }: IncomingMessage, form: URLSearchParams): Promise<Response> {
    const body = method === 'GET' ? {} : { body: form };
    return fetch(`${mock.url}${url}`, { method, headers: { authorization: headers.authorization ?? '' }, ...body });
  }

  async function serve(req: IncomingMessage): Promise<Answer> {
    const { pathname: path, searchParams } = new URL(req.url ?? '', 'http://stripe.test');
    const method = req.method ?? 'GET';
    const form = new URLSearchParams(await text(req));
    const idempotencyKey = req.headers['idempotency-key']?.toString();
    fake.requests.push({ method, path, form, idempotencyKey });
    const refused = await fake.before({ method, path });
    if (refused !== null) return { status: refused, body: { error: { type: 'api_error', message: 'refused' } } };
    const key = idempotencyKey === undefined ? null : `${path} ${idempotencyKey}`;
    const fresh = async (): Promise<Answer> => {
      const described = await ask(req, form);
      const body = (await described.json()) as Described;
      if (!described.ok) return { status: described.status, body };
      return { status: 200, body: answer(method, path, method === 'GET' ? searchParams : form, body) };
    };
    const answered = (key === null ? undefined : byKey.get(key)) ?? fresh();
    if (key !== null) byKey.set(key, answered);
    const sent = structuredClone(await answered);
    await fake.delayed({ method, path });
    return sent;
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
