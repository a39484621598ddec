import t from 'tap';
import { PATH, startEmailDomainsApp } from '../../helpers/email-domains/app.js';
import { goodZone } from '../../helpers/email-domains/good-domain.js';
import { buildKey, buildWorkspace } from '../../helpers/factories.js';
import { waitFor } from '../../helpers/wait.js';

const app = await startEmailDomainsApp({ plan: 'Pro', zone: goodZone('example.com') });
t.teardown(() => app.stop());

t.test('a domain is stored in one spelling, and a workspace has it once', async (t) => {
  const made = await app.request<{ id: string }>('POST', PATH, {
    body: { name: ' Bücher.EXAMPLE.com. ', dkim_selectors: ['S1', 'k2'] },
  });
  t.match(made, {
    status: 201,
    body: {
      data: { id: /^eml_/, name: 'xn--bcher-kva.example.com', dkim_selectors: ['s1', 'k2'], score: null, areas: [] },
    },
  });
  const { id } = made.body.data;
  t.equal(made.headers.get('location'), `${PATH}/${id}`);
  t.match(await app.request('POST', PATH, { body: { name: 'xn--bcher-kva.example.com' } }), {
    status: 409,
    body: { code: 'conflict', detail: new RegExp(id) },
  });
  const read = await app.request('GET', `/v1/email-domains/${id}`);
  t.equal(read.headers.get('etag'), made.headers.get('etag'));
  t.match(await app.mongo.db.collection('audit_log').findOne({ 'resource.id': id }), {
    action: 'email_domain.created',
    resource: { type: 'email_domain', name: 'xn--bcher-kva.example.com' },
  });
});

t.test('what is no public domain and no selector is refused', async (t) => {
  const before = await app.mongo.db.collection('email_domains').countDocuments();
  for (const name of [
    '',
    'localhost',
    'com',
    'a@example.com',
    'https://example.com/',
    '192.0.2.1',
    '0x7f.1',
    'a b.com',
    'mail.local',
  ]) {
    t.match(
      await app.request('POST', PATH, { body: { name } }),
      { status: 422, body: { errors: [{ path: '/name' }] } },
      name,
    );
  }
  for (const dkim_selectors of [
    ['a b'],
    ['-a'],
    ['.'],
    [`${'a'.repeat(64)}`],
    Array.from({ length: 11 }, (_, at) => `s${at}`),
  ]) {
    t.equal((await app.request('POST', PATH, { body: { name: 'good.example.com', dkim_selectors } })).status, 422);
  }
  t.equal(await app.mongo.db.collection('email_domains').countDocuments(), before);
});

t.test(
  'a change of the selectors is audited, makes the domain due within a minute of its check, and honours If-Match',
  async (t) => {
    const { id } = await app.add('selectors.example.com');
    await app.check();
    const read = await app.request('GET', `${PATH}/${id}`);
    const etag = read.headers.get('etag') ?? '';
    const change = (dkim_selectors: string[]) =>
      app.request('PATCH', `${PATH}/${id}`, { body: { dkim_selectors }, headers: { 'if-match': etag } });
    t.match(await change(['s2']), { status: 200, body: { data: { dkim_selectors: ['s2'] } } });
    t.match(await change(['s3']), { status: 412, body: { code: 'precondition_failed' } });
    t.equal(await app.check(), 0, 'its mail servers were asked just now');
    app.clock.jump(60_000);
    t.equal(await app.check(), 1);
    t.match(await app.mongo.db.collection('audit_log').findOne({ action: 'email_domain.updated', 'resource.id': id }), {
      metadata: { changes: { dkim_selectors: { from: [], to: ['s2'] } } },
    });
  },
);

t.test('a check on demand runs soon, and not twice within a minute', async (t) => {
  const { id } = await app.add('now.example.com');
  await app.check();
  t.equal(await app.check(), 0);
  t.equal((await app.request('POST', `${PATH}/${id}/check`)).status, 202);
  t.equal(await app.check(), 1);
  const again = await app.request('POST', `${PATH}/${id}/check`);
  t.match(again, { status: 429, body: { code: 'rate_limited' } });
  t.equal(again.headers.get('retry-after'), '60');
  app.clock.jump(60_000);
  t.equal((await app.request('POST', `${PATH}/${id}/check`)).status, 202);
});

t.test('a workspace with many due domains leaves room for the others', async (t) => {
  await app.check();
  for (const name of ['many1', 'many2', 'many3']) await app.add(`${name}.example.com`);
  const other = await buildWorkspace(app.mongo, { plan: 'Pro' });
  const { key } = await buildKey(app.mongo, other);
  const added = await app.request<{ id: string }>('POST', PATH, { key, body: { name: 'few.example.com' } });
  const due = await app.records.store.due(app.clock.now(), 50);
  t.equal(due.length, 2, 'one domain of each workspace at a time');
  t.ok(due.some(({ _id }) => _id === added.body.data.id));
  t.equal(await app.check(), 4, 'one run checks them all');
});

t.test('the history has one line a day, of the last check, within what the plan keeps', async (t) => {
  const { id } = await app.add('example.com', { dkim_selectors: ['s1'] });
  const days = async (query = '') =>
    (await app.request<{ date: string; score: number }[]>('GET', `${PATH}/${id}/history${query}`)).body;
  await app.check();
  app.clock.jump(60_000);
  await app.request('POST', `${PATH}/${id}/check`);
  await app.check();
  t.equal((await days()).data.length, 1);
  app.clock.jump(86_400_000);
  await app.check();
  const { data } = await days();
  t.equal(data.length, 2);
  t.ok((data[0]?.date ?? '') > (data[1]?.date ?? ''), 'newest first');
  t.match(data[0], { statuses: [{ area: 'mx', status: 'passing' }] });
  const page = await days('?limit=1');
  t.match(await days(`?limit=1&cursor=${page.next_cursor}`), { data: [{ date: data[1]?.date }], next_cursor: null });
  await app.request('DELETE', `${PATH}/${id}`);
  const stored = app.mongo.db.collection('email_domain_days');
  await waitFor('the history is deleted', 10_000, async () => (await stored.countDocuments({ domain_id: id })) === 0);
});

t.test('another workspace sees, changes, checks and deletes nothing', async (t) => {
  const { id } = await app.add('private.example.com');
  const { key } = await buildKey(app.mongo, await buildWorkspace(app.mongo, { plan: 'Pro' }));
  t.strictSame((await app.request<unknown[]>('GET', PATH, { key })).body.data, []);
  for (const [method, path, body] of [
    ['GET', '', undefined],
    ['GET', '/history', undefined],
    ['PATCH', '', { dkim_selectors: ['x'] }],
    ['POST', '/check', undefined],
    ['DELETE', '', undefined],
  ] as const) {
    t.equal(
      (await app.request(method, `${PATH}/${id}${path}`, { key, ...(body === undefined ? {} : { body }) })).status,
      404,
      `${method} ${path}`,
    );
  }
  t.match(await app.request('POST', PATH, { key, body: { name: 'private.example.com' } }), { status: 201 });
  t.match(await app.request('GET', `${PATH}/${id}`), { status: 200, body: { data: { dkim_selectors: [] } } });
});

t.test('a key needs the scope, and the plan limits the domains', async (t) => {
  const { key: reader } = await buildKey(app.mongo, app.workspace, { scopes: ['email_domains:read'] });
  t.equal((await app.request('GET', PATH, { key: reader })).status, 200);
  t.match(await app.request('POST', PATH, { key: reader, body: { name: 'b.example.com' } }), {
    status: 403,
    body: { code: 'insufficient_scope', required_scope: 'email_domains:write' },
  });
  const free = await buildKey(app.mongo, await buildWorkspace(app.mongo, { plan: 'Free' }));
  t.equal((await app.request('POST', PATH, { key: free.key, body: { name: 'one.example.com' } })).status, 201);
  t.match(await app.request('POST', PATH, { key: free.key, body: { name: 'two.example.com' } }), {
    status: 402,
    body: { detail: 'The Free plan allows 1 e-mail domain. The Pro plan allows 50 e-mail domains.' },
  });
});
