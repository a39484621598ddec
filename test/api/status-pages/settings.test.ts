import t from 'tap';
import type { StatusPage } from '../../../control-plane/status-pages/schema.js';
import { buildKey, buildWorkspace } from '../../helpers/factories.js';
import { PATH, startStatusPages } from '../../helpers/status-pages/app.js';

const pages = await startStatusPages();
const { app, mongo, created } = pages;
t.teardown(pages.stop);

t.test('create, read, list, change, delete: Location, ETag, audit entries', async (t) => {
  const monitor = await pages.addMonitor({ name: 'internal-name' });
  const body = {
    slug: 'example',
    title: 'Example Ltd',
    description: 'Our services.',
    time_zone: 'europe/berlin',
    groups: [
      {
        name: 'Shop',
        components: [
          { name: 'Checkout', monitor_id: monitor._id },
          { name: 'Rest', tag: 'x' },
        ],
      },
    ],
  };
  const answer = await app.request<StatusPage>('POST', PATH, { body });
  t.equal(answer.status, 201, answer.text);
  const page = answer.body.data;
  t.equal(answer.headers.get('location'), `${PATH}/${page.id}`);
  t.equal(answer.headers.get('etag'), '"1"');
  t.match(page, {
    id: /^stp_/,
    slug: 'example',
    url: 'http://picket.test/status/example',
    title: 'Example Ltd',
    description: 'Our services.',
    time_zone: 'Europe/Berlin',
    color: '#1f4e79',
    incidents_after_minutes: 5,
    groups: [
      {
        name: 'Shop',
        components: [
          { id: /^cmp_/, name: 'Checkout', monitor_id: monitor._id, server_id: null, tag: null, show_each: false },
          { id: /^cmp_/, name: 'Rest', monitor_id: null, server_id: null, tag: 'x' },
        ],
      },
    ],
  });
  t.same((await app.request('GET', `${PATH}/${page.id}`)).body.data, page);
  const second = await created({ slug: 'second', title: 'Second' });
  t.same(second.groups, []);
  const list = await app.request<StatusPage[]>('GET', `${PATH}?limit=1`);
  t.same(list.body.data, [second], 'newest first');
  const rest = await app.request<StatusPage[]>('GET', `${PATH}?limit=1&cursor=${list.body.next_cursor}`);
  t.same(rest.body.data, [page]);

  const stale = { headers: { 'if-match': '"9"' } };
  t.equal((await app.request('PATCH', `${PATH}/${page.id}`, { body: { title: 'x' }, ...stale })).status, 412);
  const [checkout] = page.groups[0]?.components ?? [];
  const groups = [{ components: [{ id: checkout?.id, name: 'Pay', monitor_id: monitor._id }] }];
  const changed = await app.request<StatusPage>('PATCH', `${PATH}/${page.id}`, {
    body: { groups, incidents_after_minutes: null, description: null },
  });
  t.match(changed.body.data, {
    title: 'Example Ltd',
    description: null,
    incidents_after_minutes: null,
    groups: [{ name: null, components: [{ id: checkout?.id, name: 'Pay' }] }],
  });
  t.equal(changed.headers.get('etag'), '"2"');
  t.equal((await app.request('DELETE', `${PATH}/${page.id}`, stale)).status, 412);
  t.equal((await app.request('DELETE', `${PATH}/${page.id}`)).status, 204);
  t.equal((await app.request('GET', `${PATH}/${page.id}`)).status, 404);
  t.same(
    await pages.actions(),
    ['created', 'created', 'updated', 'deleted'].map((verb) => `status_page.${verb}`),
  );
});

t.test('another workspace sees and changes nothing of it, and cannot take its address', async (t) => {
  const page = await created({ slug: 'taken', title: 'Ours' });
  const { key } = await buildKey(mongo, await buildWorkspace(mongo, {}));
  t.same((await app.request('GET', PATH, { key })).body.data, []);
  for (const [method, body] of [['GET'], ['PATCH', { title: 'mine' }], ['DELETE']] as const) {
    t.equal((await app.request(method, `${PATH}/${page.id}`, { key, body })).status, 404, method);
  }
  const other = await app.request('POST', PATH, { key, body: { slug: 'taken', title: 'Theirs' } });
  t.match(other, { status: 422, body: { errors: [{ path: '/slug', code: 'exists' }] } });
  const own = await created({ slug: 'free', title: 'Free' });
  const moved = await app.request('PATCH', `${PATH}/${own.id}`, { body: { slug: 'taken' } });
  t.match(moved, { status: 422, body: { errors: [{ path: '/slug', code: 'exists' }] } });
});

t.test('an address that a page has given up belongs to its workspace for 30 days', async (t) => {
  const { key } = await buildKey(mongo, await buildWorkspace(mongo, {}));
  const take = async (slug: string, by?: string) => {
    const body = { slug, title: 'Taken' };
    return (await app.request<StatusPage>('POST', PATH, { ...(by === undefined ? {} : { key: by }), body })).status;
  };
  const deleted = await created({ slug: 'deleted', title: 'Deleted' });
  t.equal((await app.request('DELETE', `${PATH}/${deleted.id}`)).status, 204);
  const moved = await created({ slug: 'moved', title: 'Moved' });
  t.equal((await app.request('PATCH', `${PATH}/${moved.id}`, { body: { slug: 'moved-on' } })).status, 200);
  for (const slug of ['deleted', 'moved']) t.equal(await take(slug, key), 422, slug);
  t.equal(await take('deleted'), 201, 'its workspace can use it again');
  const kept = mongo.db.collection<{ _id: string; expires_at: Date }>('status_page_former_addresses');
  const { expires_at: expiresAt } = (await kept.findOne({ _id: 'moved' })) ?? { expires_at: new Date(0) };
  t.ok(expiresAt.getTime() - pages.clock.now() > 29 * 86_400_000);
  await kept.updateOne({ _id: 'moved' }, { $set: { expires_at: new Date(pages.clock.now() - 1) } });
  t.equal(await take('moved', key), 201);
  await kept.insertMany(
    Array.from({ length: 60 }, (_, index) => ({
      ...{ _id: `squatted-${index}`, workspace_id: app.workspace.id },
      expires_at: new Date(pages.clock.now() + (index + 1) * 60_000),
    })),
  );
  const last = await created({ slug: 'last', title: 'Last' });
  t.equal((await app.request('DELETE', `${PATH}/${last.id}`)).status, 204);
  t.equal(await kept.countDocuments({ workspace_id: app.workspace.id } as object), 50, 'nobody holds any number');
  t.equal(await kept.countDocuments({ _id: { $in: ['last', 'squatted-59'] } }), 2, 'the newest');
});

t.test('two requests at the same time cannot both get an address', async (t) => {
  const body = { slug: 'contested', title: 'x' };
  const answers = await Promise.all(Array.from({ length: 4 }, () => app.request('POST', PATH, { body })));
  t.same(answers.map(({ status }) => status).sort(), [201, 422, 422, 422]);
});

t.test('what is wrong is refused with its field', async (t) => {
  const foreign = await pages.addMonitor({ workspace_id: 'ws_00000000000000000000000000' });
  const monitor = await pages.addMonitor();
  const with1 = (component: object) => ({ groups: [{ components: [{ name: 'x', ...component }] }] });
  const many = { name: 'x', monitor_id: monitor._id };
  for (const [fields, path] of [
    [{ slug: 'Ab' }, '/slug'],
    [{ slug: 'a--b' }, '/slug'],
    [{ slug: '-ab' }, '/slug'],
    [{ slug: 'a'.repeat(64) }, '/slug'],
    [{ title: '' }, '/title'],
    [{ title: 'a\u0007' }, '/title'],
    [{ time_zone: 'Europe/Nowhere' }, '/time_zone'],
    [{ color: 'red' }, '/color'],
    [{ incidents_after_minutes: -1 }, '/incidents_after_minutes'],
    [with1({}), '/groups/0/components/0'],
    [with1({ monitor_id: monitor._id, tag: 'x' }), '/groups/0/components/0'],
    [with1({ monitor_id: foreign._id }), '/groups/0/components/0/monitor_id'],
    [with1({ server_id: 'srv_01kf5e6q0h3v8r2m9x4t7c1z5n' }), '/groups/0/components/0/server_id'],
    [with1({ monitor_id: monitor._id, show_each: true }), '/groups/0/components/0/show_each'],
    [with1({ id: 'cmp_01kf5e6q0h3v8r2m9x4t7c1z5n', tag: 'x' }), '/groups/0/components/0/id'],
    [with1({ tag: 'x', name: 'n'.repeat(81) }), '/groups/0/components/0/name'],
    [{ groups: [{ components: Array(30).fill(many) }, { components: Array(21).fill(many) }] }, '/groups'],
    [{ hosts: [] }, '/hosts'],
  ] as const) {
    const answer = await app.request('POST', PATH, { body: { slug: 'wrong', title: 'Wrong', ...fields } });
    t.match(answer, { status: 422, body: { errors: [{ path }] } }, JSON.stringify(fields).slice(0, 100));
  }
});

t.test('the plan limits how many there are', async (t) => {
  const free = await startStatusPages({ plan: 'Free' });
  t.teardown(free.stop);
  await free.created({ slug: 'first', title: 'First' });
  const second = await free.app.request('POST', PATH, { body: { slug: 'other', title: 'Other' } });
  t.match(second, { status: 402, body: { code: 'plan_limit', detail: /1 status page\. The Pro plan allows 10/ } });
});

t.test('a key publishes only names that it may read', async (t) => {
  const groups = [{ components: [{ name: 'All', tag: 'production', show_each: true }] }];
  const page = await created({ slug: 'names', title: 'Names', groups });
  const { key } = await buildKey(mongo, app.workspace, { scopes: ['status_pages:read', 'status_pages:write'] });
  const body = { slug: 'more-names', title: 'More', groups };
  const refused = await app.request('POST', PATH, { key, body });
  t.match([refused.status, refused.body], [403, { code: 'insufficient_scope', required_scope: 'monitors:read' }]);
  const [group] = page.groups;
  const change = (tag: string) => ({ groups: [{ components: [{ ...group?.components[0], tag }] }] });
  const patch = (tag: string) => app.request('PATCH', `${PATH}/${page.id}`, { key, body: change(tag) });
  t.equal((await patch('internal')).status, 403, 'nor those of another tag');
  t.equal((await patch('production')).status, 200, 'what is published already stays');
  const both = [...(['status_pages:write', 'monitors:read', 'servers:read'] as const)];
  const reader = await buildKey(mongo, app.workspace, { scopes: both });
  t.equal((await app.request('POST', PATH, { key: reader.key, body })).status, 201);
});
