import { createServer } from 'node:http';
import { Webhook } from 'standardwebhooks';
import t from 'tap';
import type { Subscriber } from '../../../../control-plane/status-pages/subscribers/settings/schema.js';
import { createDeliveryStore } from '../../../../control-plane/status-pages/subscribers/webhooks/deliveries-store.js';
import { buildKey } from '../../../helpers/factories.js';
import { confirmLinkOf, startSubscribers } from '../../../helpers/status-pages/subscribers.js';

const all = await startSubscribers(t);
const { app, created, subscribed, mailsTo, press, incident, settled, mongo } = all;
const page = await created({ slug: 'api', title: 'API' });
const path = `/v1/status-pages/${page.id}/subscribers`;
const add = (body: object) => app.request<Subscriber & { secret?: string }>('POST', path, { body });

/** A receiver of webhooks that answers with these statuses, one after the other, and then with 200. */
async function receiver(...statuses: number[]) {
  const got: { headers: Record<string, string>; body: string }[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += chunk));
    request.on('end', () => {
      got.push({ headers: request.headers as Record<string, string>, body });
      response.writeHead(statuses.shift() ?? 200).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  t.teardown(() => server.close());
  return { got, url: `http://127.0.0.1:${address.port}/hook?token=secret-token-of-hook` };
}

t.test('an address that a member adds is asked, too', async (t) => {
  const address = 'added@example.com';
  const answer = await add({ type: 'email', address, language: 'es' });
  t.match(answer, { status: 201, body: { data: { type: 'email', address, state: 'unconfirmed', language: 'es' } } });
  t.match(answer.headers.get('location'), `${path}/${answer.body.data.id}`);
  t.match(await add({ type: 'email', address }), { status: 409 });
  await press(confirmLinkOf((await mailsTo(address))[0]));
  t.match(await app.request('GET', `${path}/${answer.body.data.id}`), { body: { data: { state: 'confirmed' } } });
  for (const [body, field] of [
    [{ type: 'email' }, '/address'],
    [{ type: 'webhook' }, '/url'],
    [{ type: 'webhook', url: 'ftp://example.com' }, '/url'],
    [{ type: 'email', address: 'a@example.com', url: 'https://example.com' }, '/url'],
    [{ type: 'email', address: 'a@example.com', component_ids: [`cmp_${'0'.repeat(26)}`] }, '/component_ids/0'],
  ] as const) {
    t.match(await add(body), { status: 422, body: { errors: [{ path: field }] } }, JSON.stringify(body));
  }
});

t.test('a list in pages; without the right to change, addresses and URLs are masked', async (t) => {
  await subscribed(page, 'second@example.com');
  const first = await app.request<Subscriber[]>('GET', `${path}?limit=1`);
  t.equal(first.body.data[0]?.address, 'second@example.com', 'newest first');
  const next = await app.request<Subscriber[]>('GET', `${path}?limit=1&cursor=${first.body.next_cursor}`);
  t.equal(next.body.data[0]?.address, 'added@example.com');
  const { key } = await buildKey(mongo, app.workspace, { scopes: ['status_pages:read'] });
  const masked = await app.request<Subscriber[]>('GET', path, { key });
  t.same(
    masked.body.data.map(({ address }) => address),
    ['s…@example.com', 'a…@example.com'],
  );
  t.equal((await app.request('DELETE', `${path}/${first.body.data[0]?.id}`, { key })).status, 403);
  t.equal((await app.request('DELETE', `${path}/${first.body.data[0]?.id}`)).status, 204);
  t.equal((await app.request('DELETE', `${path}/${first.body.data[0]?.id}`)).status, 404);
});

t.test('a webhook gets each event once, signed, again after a failure, and no more after 410', async (t) => {
  const { got, url } = await receiver(503, 200, 410);
  const answer = await add({ type: 'webhook', url });
  t.match(answer, { status: 201, body: { data: { state: 'confirmed', secret: /^whsec_/ } } });
  const { id, secret = '' } = answer.body.data;
  t.equal((await app.request<Subscriber & { secret?: string }>('GET', `${path}/${id}`)).body.data.secret, undefined);
  await all.until('the page to be watched', async () => {
    const primed = { _id: page.id, primed: true };
    return (await mongo.db.collection<typeof primed>('status_page_watches').countDocuments(primed)) === 1;
  });
  await all.clock.advance(1_000);
  await incident(page, { title: 'For programs', text: 'A provider is down.' });
  await all.until('the second attempt', () => got.length === 2);
  t.equal(got[0]?.headers['webhook-id'], got[1]?.headers['webhook-id']);
  const at = Number(got[1]?.headers['webhook-timestamp']);
  const signed = new Webhook(secret).sign(
    got[1]?.headers['webhook-id'] ?? '',
    new Date(at * 1_000),
    got[1]?.body ?? '',
  );
  t.equal(got[1]?.headers['webhook-signature'], signed);
  t.match(JSON.parse(got[1]?.body ?? ''), {
    type: 'status_page.incident_update',
    data: { page: { title: 'API' }, incident: { title: 'For programs', state: 'investigating' } },
  });
  await settled();
  await incident(page, { title: 'The last one', text: 'x' });
  await all.until(
    'the end of the subscription',
    async () => (await app.request('GET', `${path}/${id}`)).status === 404,
  );
  t.equal(await mongo.db.collection('status_page_deliveries').countDocuments({}), 0);
  const log = JSON.stringify(await mongo.db.collection('audit_log').find().toArray());
  t.notMatch(log, 'secret-token');
});

t.test('addresses that members add count with those that they ask for channels', async (t) => {
  const quotas = mongo.db.collection<{ _id: string; mails: number }>('recipient_quotas');
  for (const [of, max] of [
    [/^question\/person\//, 50],
    [/^question\/workspace\//, 100],
  ] as const) {
    const { modifiedCount } = await quotas.updateMany({ _id: of }, { $set: { mails: max } });
    t.ok(modifiedCount > 0, `${of}`);
    t.match(await add({ type: 'email', address: 'one-more@example.com' }), {
      status: 429,
      body: { code: 'rate_limited' },
    });
    await quotas.updateMany({ _id: of }, { $set: { mails: 0 } });
  }
});

t.test('a key with an expiry adds no webhook, which would outlive it', async (t) => {
  const scopes = ['status_pages:read', 'status_pages:write'] as const;
  const expiresAtMs = all.clock.now() + 3_600_000;
  const { key } = await buildKey(mongo, app.workspace, { scopes: [...scopes], expiresAtMs });
  const body = { type: 'webhook', url: 'https://example.com/expiring' };
  t.match(await app.request('POST', path, { body, key }), {
    ...{ status: 403, body: { code: 'forbidden', detail: /key with an expiry/ } },
  });
});

t.test('receivers of one workspace take five places at most', async (t) => {
  const store = createDeliveryStore(mongo.db);
  const nowMs = all.clock.now();
  const rows = ['ws_many', 'ws_few'].flatMap((workspace_id, place) =>
    Array.from({ length: place === 0 ? 60 : 2 }, (_, index) => ({
      ...{ _id: `${workspace_id}/${index}`, workspace_id, page_id: 'stp_x', subscriber_id: 'sub_x', body: '{}' },
      ...{ created_at_ms: 0, next_attempt_ms: nowMs - 100 + place, attempts: 0, refusals: 0 },
    })),
  );
  await mongo.db.collection<(typeof rows)[number]>('status_page_deliveries').insertMany(rows);
  const due = await store.due(nowMs, 50, 5);
  await mongo.db.collection('status_page_deliveries').deleteMany({ page_id: 'stp_x' });
  t.equal(due.filter(({ workspace_id }) => workspace_id === 'ws_many').length, 5);
  t.equal(due.filter(({ workspace_id }) => workspace_id === 'ws_few').length, 2);
});

t.test('as many confirmed subscribers as the plan allows', async (t) => {
  const other = await startSubscribers(t);
  const small = await other.created({ slug: 'small', title: 'Small' });
  const rows = other.mongo.db.collection<{ _id: string }>('status_page_subscribers');
  const of = { workspace_id: other.app.workspace.id, page_id: small.id, state: 'confirmed' };
  await rows.insertMany(
    Array.from({ length: 50_000 }, (_, index) => ({ ...of, _id: `sub_${index}`, receiver: `${index}@example.com` })),
  );
  const body = { type: 'webhook', url: 'https://example.com/hook' };
  t.match(await other.app.request('POST', `/v1/status-pages/${small.id}/subscribers`, { body }), { status: 402 });
  await other.subscribe('small', 'late@example.com');
  t.match(await other.press(confirmLinkOf((await other.mailsTo('late@example.com'))[0])), { text: /no room/ });
});
