import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import Stripe from 'stripe';
import { startStripeMock } from '../machine/stripe-mock.js';
import { createStripeAnswers, type Described, type FakeSubscription, type NextId } from './stripe-answers.js';

export const WEBHOOK_SECRET = 'whsec_test_secret';
export const PRICES = { Pro: 'price_pro', Enterprise: 'price_enterprise' } as const;
const MONTH_S = 30 * 86_400;

interface Answer {
  status: number;
  body: unknown;
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
  const mock = await startStripeMock();
  const next = createNextId();
  const fake: FakeStripe = {
    ...{ url: '', requests: [], subscriptions: new Map() },
    before: async () => null,
    delayed: async () => {},
    subscribe(customer, plan, over = {}) {
      const subscription = { ...newSubscription(customer, plan, next), ...over };
      fake.subscriptions.set(subscription.id, subscription);
      return subscription;
    },
    event: createEvents(next),
    async close() {
      await new Promise<void>((resolve) => server.close(() => resolve()));
      await mock.stop();
    },
  };
  const serve = createServe(fake, { mockUrl: mock.url, answer: createStripeAnswers(fake.subscriptions, next) });
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

/** The settings of a control plane that sells plans with this Stripe. */
export function stripeSettings({ url }: Pick<FakeStripe, 'url'>): Record<string, string> {
  return {
    PICKET_STRIPE_SECRET_KEY: 'sk_test_key',
    PICKET_STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
    PICKET_STRIPE_PRICE_PRO: PRICES.Pro,
    PICKET_STRIPE_PRICE_ENTERPRISE: PRICES.Enterprise,
    PICKET_STRIPE_API: url,
  };
}

/** The ids of all kinds have one sequence of numbers. */
function createNextId(): NextId {
  let count = 0;
  return (prefix) => {
    count += 1;
    return `${prefix}_${count.toString().padStart(6, '0')}`;
  };
}

/** A later subscription has a later time of creation, because its id has a larger number. */
function newSubscription(customer: string, plan: keyof typeof PRICES, next: NextId): FakeSubscription {
  const nowS = Math.floor(Date.now() / 1_000);
  const id = next('sub');
  const item = { id: next('si'), current_period_end: nowS + MONTH_S, price: { id: PRICES[plan] } };
  return {
    ...{ id, object: 'subscription', customer, created: nowS + Number(id.slice(-6)), status: 'active' },
    ...{ cancel_at: null, cancel_at_period_end: false, schedule: null, items: { data: [item] } },
  };
}

function createEvents(next: NextId): FakeStripe['event'] {
  const signer = new Stripe('sk_test_signer');
  return (type, object, { id = next('evt'), timestampS, secret = WEBHOOK_SECRET } = {}) => {
    const created = Math.floor(Date.now() / 1_000);
    const rawBody = JSON.stringify({ id, object: 'event', type, created, data: { object } });
    const timestamp = timestampS === undefined ? {} : { timestamp: timestampS };
    const header = signer.webhooks.generateTestHeaderString({ payload: rawBody, secret, ...timestamp });
    return { rawBody, headers: { 'content-type': 'application/json', 'stripe-signature': header } };
  };
}

/** Returns a function that answers a request; one with the idempotency key of another is answered as that was. */
function createServe(
  fake: FakeStripe,
  { mockUrl, answer }: { mockUrl: string; answer: ReturnType<typeof createStripeAnswers> },
) {
  /** From the moment in which the first request with the key arrived. */
  const byKey = new Map<string, Promise<Answer>>();
  return async (req: IncomingMessage): Promise<Answer> => {
    const { pathname: path, searchParams } = new URL(req.url ?? '', 'http://stripe.test');
    const method = req.method ?? 'GET';
    const form = new URLSearchParams(await text(req));
    const idempotencyKey = req.headers['idempotency-key']?.toString();
    fake.requests.push({ method, path, form, idempotencyKey });
    const refused = await fake.before({ method, path });
    if (refused !== null) return { status: refused, body: { error: { type: 'api_error', message: 'refused' } } };
    const key = idempotencyKey === undefined ? null : `${path} ${idempotencyKey}`;
    const fresh = async (): Promise<Answer> => {
      const described = await askMock(mockUrl, req, form);
      const body = (await described.json()) as Described;
      if (!described.ok) return { status: described.status, body };
      return { status: 200, body: answer(method, path, method === 'GET' ? searchParams : form, body) };
    };
    const answered = (key === null ? undefined : byKey.get(key)) ?? fresh();
    if (key !== null) byKey.set(key, answered);
    const sent = structuredClone(await answered);
    await fake.delayed({ method, path });
    return sent;
  };
}

function askMock(
  mockUrl: string,
  { method = 'GET', url = '', headers }: IncomingMessage,
  form: URLSearchParams,
): Promise<Response> {
  const body = method === 'GET' ? {} : { body: form };
  return fetch(`${mockUrl}${url}`, { method, headers: { authorization: headers.authorization ?? '' }, ...body });
}
