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

/** An answer of stripe-mock. Only lists have `data`. */
export interface Described {
  data?: object[];
}

/** Returns a new id with this prefix. */
export type NextId = (prefix: string) => string;

/** Answers requests from the subscriptions, and changes these as the requests say. Throws when Stripe would refuse. */
export function createStripeAnswers(subscriptions: Map<string, FakeSubscription>, next: NextId) {
  /** Returns what Stripe answers: `described` by stripe-mock, with the state that the fake keeps in its place. */
  function answer(method: string, path: string, asked: URLSearchParams, described: Described): unknown {
    const [, , resource = '', id = '', verb = ''] = path.split('/');
    if (path === '/v1/subscriptions' && method === 'GET') {
      const own = [...subscriptions.values()].filter(({ customer }) => customer === asked.get('customer'));
      return { ...described, data: own.map((subscription) => ({ ...described.data?.[0], ...subscription })) };
    }
    if (resource === 'subscriptions') return { ...described, ...update(id, asked) };
    if (path === '/v1/subscription_schedules') {
      const subscription = required(subscriptions.get(asked.get('from_subscription') ?? ''));
      if (subscription.schedule !== null) throw new Error('the subscription is already attached to a schedule');
      const start_date = Math.floor(Date.now() / 1_000);
      subscription.schedule = { id: next('sub_sched'), phases: [{ start_date, items: [] }] };
      return { ...described, ...subscription.schedule };
    }
    if (resource === 'subscription_schedules') {
      const holds = ({ schedule }: FakeSubscription) => schedule !== null && Object(schedule).id === id;
      const subscription = required([...subscriptions.values()].find(holds));
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
    const subscription = required(subscriptions.get(id));
    const price = form.get('items[0][price]');
    const [item] = subscription.items.data;
    if (price !== null && item !== undefined) item.price.id = price;
    const cancel = form.get('cancel_at_period_end');
    if (cancel !== null) subscription.cancel_at_period_end = cancel === 'true';
    return subscription;
  }

  return answer;
}

function required<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('no such object');
  return value;
}
