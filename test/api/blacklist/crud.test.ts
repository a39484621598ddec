import t from 'tap';
import { createRunTransaction } from '../../../control-plane/storage/transaction.js';
import { startBlacklistApp } from '../../helpers/blacklist/app.js';
import { checkOf, listingOf, resultOf } from '../../helpers/blacklist/documents.js';
import { last, otherWorkspace, PATH, type Shown, stored } from '../../helpers/blacklist/stored-monitors.js';
import { buildKey } from '../../helpers/factories.js';
import { waitFor } from '../../helpers/wait.js';

const app = await startBlacklistApp();
t.teardown(() => app.stop());
const transact = createRunTransaction(app.mongo.client);

t.test('a new monitor is due at once, and shows its target in canonical form', async (t) => {
  const before = Date.now();
  const made = await app.request<Shown>('POST', PATH, {
    body: { target: ' Bücher.EXAMPLE.com. ', frequency: 'daily' },
  });
  t.match(made, {
    status: 201,
    body: {
      data: {
        id: /^blm_/,
        target: 'xn--bcher-kva.example.com',
        type: 'domain',
        frequency: 'daily',
        status: 'unknown',
        ...{ score: null, rating: null, listed: null, clean: null, responding: null, asked: null },
        ...{ listings: [], results: [], not_asked: [], last_checked_at: null },
      },
    },
  });
  const { id, next_check_at } = made.body.data;
  t.equal(made.headers.get('location'), `${PATH}/${id}`);
  t.ok(made.headers.get('etag'));
  t.ok(Date.parse(next_check_at) >= before && Date.parse(next_check_at) <= Date.now(), 'checked at once');
  t.match(
    (await app.store.due(Date.now(), 10)).map(({ _id }) => _id),
    [id],
  );
  t.strictSame(app.defaultRules, [app.workspace.id], 'the workspace gets its default rule');
  const read = await app.request('GET', `/v1/blacklist/monitors/${id}`);
  t.match(read, { status: 200, body: { data: made.body.data } });
  t.equal(read.headers.get('etag'), made.headers.get('etag'));
  t.match(
    await app.request('POST', PATH, {
      body: { target: '2001:DB8:0:0::1'.replace('DB8', '0470'), frequency: 'weekly' },
    }),
    {
      status: 201,
      body: { data: { target: '2001:470::1', type: 'ip', frequency: 'weekly' } },
    },
  );
  t.match(
    await app.request('POST', PATH, { body: { target: '2001:0470:0::1', frequency: 'daily' } }),
    { status: 409, body: { code: 'conflict', detail: /^2001:470::1 already has a blacklist monitor: blm_/ } },
    'a target has one monitor, however it is written',
  );
  const entry = await app.mongo.db.collection('audit_log').findOne({ 'resource.id': id });
  t.match(entry, {
    action: 'blacklist_monitor.created',
    resource: { type: 'blacklist_monitor', name: 'xn--bcher-kva.example.com' },
    metadata: { type: 'domain', frequency: 'daily' },
  });
});

t.test('an invalid target is refused', async (t) => {
  const before = await app.mongo.db.collection('blacklist_monitors').countDocuments();
  for (const target of [
    '10.0.0.1',
    '127.0.0.1',
    '::1',
    'fe80::1',
    '192.0.2.1',
    'localhost',
    'https://example.com/',
    'com',
  ]) {
    t.match(
      await app.request('POST', PATH, { body: { target, frequency: 'daily' } }),
      {
        status: 422,
        body: { code: 'validation_failed', errors: [{ path: '/target' }] },
      },
      target,
    );
  }
  const wrong = [
    {},
    { frequency: 'daily' },
    { target: 'example.com' },
    { target: '', frequency: 'daily' },
    { target: 7, frequency: 'daily' },
    { target: 'a\u0000b.example.com', frequency: 'daily' },
    { target: 'a'.repeat(255), frequency: 'daily' },
    { target: 'example.com', frequency: 'yearly' },
    { target: 'example.com', frequency: null },
    { target: 'example.com', frequency: 'daily', colour: 'red' },
  ];
  for (const body of wrong) t.equal((await app.request('POST', PATH, { body })).status, 422, JSON.stringify(body));
  t.equal(await app.mongo.db.collection('blacklist_monitors').countDocuments(), before);
});

t.test('the frequency can be updated at the version that was read', async (t) => {
  const monitor = await stored(app, { next_at_ms: Date.now() + 20 * 3_600_000 });
  const path = `${PATH}/${monitor._id}`;
  const etag = (await app.request('GET', path)).headers.get('etag') ?? '';
  const before = Date.now();
  const changed = await app.request<Shown>('PATCH', path, {
    body: { frequency: 'hourly' },
    headers: { 'if-match': etag },
  });
  t.match(changed, { status: 200, body: { data: { frequency: 'hourly' } } });
  const nextMs = Date.parse(changed.body.data.next_check_at);
  t.ok(nextMs > before && nextMs <= Date.now() + 3_600_000, 'the next check is within the new period');
  t.not(changed.headers.get('etag'), etag);
  t.equal(
    (await app.request('PATCH', path, { body: { frequency: 'weekly' }, headers: { 'if-match': etag } })).status,
    412,
  );
  t.equal((await app.request('DELETE', path, { headers: { 'if-match': etag } })).status, 412);
  const again = await app.request('PATCH', path, { body: { frequency: 'hourly' } });
  t.equal(again.headers.get('etag'), changed.headers.get('etag'), 'a request without a change writes nothing');
  const entries = await app.mongo.db.collection('audit_log').find({ 'resource.id': monitor._id }).toArray();
  t.match(entries, [
    { action: 'blacklist_monitor.updated', metadata: { changes: { frequency: { from: 'daily', to: 'hourly' } } } },
  ]);
  t.equal(entries.length, 1);
  for (const body of [{}, { frequency: 'yearly' }, { target: 'example.org' }, { frequency: 'daily', x: 1 }]) {
    t.equal((await app.request('PATCH', path, { body })).status, 422, JSON.stringify(body));
  }
  const due = await stored(app, { next_at_ms: Date.now() - 1_000 });
  await app.request('PATCH', `${PATH}/${due._id}`, { body: { frequency: 'weekly' } });
  t.equal((await app.store.find(app.workspace.id, due._id))?.next_at_ms, due.next_at_ms, 'a due check stays due');
});

t.test('a running check does not undo a change of frequency', async (t) => {
  const monitor = await stored(app, { next_at_ms: Date.now() + 60_000, frequency: 'weekly' });
  const changed = await app.request<Shown>('PATCH', `${PATH}/${monitor._id}`, { body: { frequency: 'hourly' } });
  const found = { listings: [listingOf({ reason: '$target' })], last: last(1), results: [resultOf()], not_asked: [] };
  const week = { ...found, next_at_ms: Date.now() + 7 * 86_400_000 };
  const saved = await transact((tx) => app.store.saveCheck(tx, monitor, week));
  t.match(saved, { checks: 1, listings: [{ reason: '$target' }], frequency: 'hourly', version: 2 });
  t.equal(saved?.next_at_ms, Date.parse(changed.body.data.next_check_at));
  t.equal(await transact((tx) => app.store.saveCheck(tx, monitor, week)), null, 'another check was saved first');
  if (saved === null) return;
  t.match(await transact((tx) => app.store.saveCheck(tx, saved, week)), { checks: 2, next_at_ms: week.next_at_ms });
  await app.request('DELETE', `${PATH}/${monitor._id}`);
  t.equal(await transact((tx) => app.store.saveCheck(tx, { ...saved, checks: 2 }, week)), null, 'gone');
});

t.test('deleting a monitor deletes its history and nothing else', async (t) => {
  const [monitor, neighbour] = [await stored(app), await stored(app)];
  await transact(async (tx) => {
    for (let n = 0; n < 1_203; n++) await app.checks.insert(tx, checkOf(monitor));
    await app.checks.insert(tx, checkOf(neighbour));
  });
  t.equal((await app.request('DELETE', `${PATH}/${monitor._id}`)).status, 204);
  t.match(app.gone.map(({ _id }) => _id).slice(-1), [monitor._id], 'the alert rules are notified');
  for (const method of ['GET', 'DELETE']) {
    t.equal((await app.request(method, `${PATH}/${monitor._id}`)).status, 404);
  }
  const history = app.mongo.db.collection('blacklist_checks');
  await waitFor(
    'the history is deleted',
    10_000,
    async () => (await history.countDocuments({ monitor_id: monitor._id })) === 0,
  );
  t.equal(await history.countDocuments({ monitor_id: neighbour._id }), 1);
  const entry = await app.mongo.db.collection('audit_log').findOne({ 'resource.id': monitor._id });
  t.match(entry, { action: 'blacklist_monitor.deleted', resource: { name: 'mail.example.com' } });
});

t.test('scopes', async (t) => {
  const monitor = await stored(app);
  const path = `${PATH}/${monitor._id}`;
  const reader = (await buildKey(app.mongo, app.workspace, { scopes: ['blacklist:read'] })).key;
  const writer = (await buildKey(app.mongo, app.workspace, { scopes: ['blacklist:write'] })).key;
  const reads = [PATH, path, `${path}/history`];
  const writes: [string, string, unknown][] = [
    ['POST', PATH, { target: 'example.com', frequency: 'daily' }],
    ['POST', '/api/v1/blacklist/instant-check', { target: 'example.com' }],
    ['PATCH', path, { frequency: 'weekly' }],
    ['DELETE', path, undefined],
  ];
  for (const read of reads) {
    t.equal((await app.request('GET', read, { key: reader })).status, 200, read);
    t.match(await app.request('GET', read, { key: writer }), {
      status: 403,
      body: { code: 'insufficient_scope', required_scope: 'blacklist:read' },
    });
    t.equal((await app.request('GET', read, { key: null })).status, 401);
  }
  for (const [method, target, body] of writes) {
    const withBody = body === undefined ? {} : { body };
    t.match(await app.request(method, target, { key: reader, ...withBody }), {
      status: 403,
      body: { code: 'insufficient_scope', required_scope: 'blacklist:write' },
    });
    t.equal((await app.request(method, target, { key: null, ...withBody })).status, 401);
  }
  t.equal((await app.request('PATCH', path, { key: writer, body: { frequency: 'weekly' } })).status, 200);
  t.equal((await app.request('DELETE', path, { key: writer })).status, 204);
});

t.test('monitors of another workspace are not found', async (t) => {
  const theirs = await stored(app, { workspace_id: (await otherWorkspace(app)).workspace });
  const path = `${PATH}/${theirs._id}`;
  const requests: [string, string, unknown][] = [
    ['GET', path, undefined],
    ['GET', `${path}/history`, undefined],
    ['PATCH', path, { frequency: 'weekly' }],
    ['DELETE', path, undefined],
  ];
  for (const [method, target, body] of requests) {
    const answer = await app.request(method, target, body === undefined ? {} : { body });
    t.match(answer, { status: 404, body: { code: 'not_found' } }, `${method} ${target}`);
  }
  t.equal((await app.request('GET', `${PATH}/blm_nonsense`)).status, 404);
  t.match(await app.store.find(theirs.workspace_id, theirs._id), { frequency: 'daily', version: 1 });
  t.equal(await app.store.find(app.workspace.id, theirs._id), null);
  t.strictSame(await app.store.findMany(app.workspace.id, [theirs._id]), []);
});

t.test('a plan limits the monitors, even for concurrent requests', async (t) => {
  const small = await startBlacklistApp({ plan: 'Free', beside: app });
  t.teardown(() => small.stop());
  const post = (target: string) => small.request('POST', PATH, { body: { target, frequency: 'daily' } });
  const answers = await Promise.all(['a', 'b', 'c', 'd'].map((name) => post(`${name}.example.com`)));
  t.strictSame(answers.map(({ status }) => status).sort(), [201, 402, 402, 402]);
  t.match(await post('e.example.com'), {
    status: 402,
    body: {
      code: 'plan_limit',
      detail: 'The Free plan allows 1 blacklist monitor. The Pro plan allows 50 blacklist monitors.',
    },
  });
  const [made] = (await small.request<Shown[]>('GET', PATH)).body.data;
  t.equal((await small.request('DELETE', `${PATH}/${made?.id}`)).status, 204);
  t.equal((await post('e.example.com')).status, 201, 'a deleted monitor frees its place');
  const [twice, again] = await Promise.all(
    [1, 2].map(() => app.request('POST', PATH, { body: { target: 'twin.example.com', frequency: 'daily' } })),
  );
  t.strictSame([twice?.status, again?.status].sort(), [201, 409], 'two concurrent requests create one monitor');
});
