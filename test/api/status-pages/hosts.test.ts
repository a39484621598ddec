import t from 'tap';
import type { StatusPage } from '../../../control-plane/status-pages/schema.js';
import { startZone, type Zone } from '../../helpers/email-domains/zone.js';
import { buildKey, buildSession, buildWorkspace } from '../../helpers/factories.js';
import { DAY_MS, HOUR_MS, MINUTE_MS, PATH, startStatusPages } from '../../helpers/status-pages/app.js';
import { atHost } from '../../helpers/status-pages/at-host.js';

const zone: Zone = new Map();
const dns = await startZone(zone);
const pages = await startStatusPages({ dnsServers: [dns.server] });
const { app, created, clock } = pages;
t.teardown(async () => {
  await pages.stop();
  await dns.stop();
});

const get = (host: string | null, path = '/', more = {}) => atHost(app.port, host, path, more);
const read = async (id: string) => (await app.request<StatusPage>('GET', `${PATH}/${id}`)).body.data;
/** Lets every change of a page take effect. */
const settled = () => clock.advance(5_000);

/** Sets the TXT record of the first host name of a page, as its owner would. */
function proveByTxt(page: Pick<StatusPage, 'hosts'>, index = 0): void {
  const record = page.hosts[index]?.record;
  if (record === undefined) throw new Error('the page has no such host name');
  zone.set(record.name, { txt: ['v=spf1 -all', record.value] });
}

async function verified(body: object): Promise<StatusPage> {
  const page = await created(body);
  for (const [index] of page.hosts.entries()) proveByTxt(page, index);
  await pages.checkHosts();
  await settled();
  return read(page.id);
}

const otherWorkspace = await buildWorkspace(pages.mongo, {});
const { key: otherKey } = await buildKey(pages.mongo, otherWorkspace);
async function createdByOther(body: object): Promise<StatusPage> {
  const answer = await app.request<StatusPage>('POST', PATH, { body, key: otherKey });
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.body.data;
}

t.test('a host name serves nothing until its TXT record is there, then the page', async (t) => {
  const page = await created({ slug: 'one', title: 'One Ltd', host_names: ['Status.Example-One.com.'] });
  t.match(page, {
    host_names: ['status.example-one.com'],
    hosts: [
      {
        name: 'status.example-one.com',
        url: 'http://status.example-one.com',
        verified_at: null,
        verified_by: null,
        checked_at: null,
        record: {
          type: 'TXT',
          name: '_picket-challenge.status.example-one.com',
          value: /^picket-challenge=[0-9a-f]{64}$/,
        },
        cname: 'picket.test',
      },
    ],
  });
  t.equal(await pages.checkHosts(), 1);
  t.notMatch((await get('status.example-one.com', '/')).text, 'One Ltd', 'not before it is verified');
  // A claim takes nothing away: it may be another name of this Picket.
  t.equal((await get('status.example-one.com', '/status/one')).status, 200);
  t.equal((await get('status.example-one.com', '/v1/status-pages')).status, 401);
  proveByTxt(page);
  t.equal(await pages.checkHosts(), 0, 'not before a minute has passed');
  await clock.advance(MINUTE_MS);
  t.equal(await pages.checkHosts(), 1);
  await settled();
  const shown = await get('status.example-one.com');
  t.equal(shown.status, 200);
  t.match(shown.text, 'One Ltd');
  t.match(await read(page.id), { hosts: [{ verified_by: 'txt', verified_at: /^2031/, checked_at: /^2031/ }] });
  const { updated_at, ...rest } = await read(page.id);
  t.not(updated_at, page.updated_at);
  t.same(rest.host_names, page.host_names);
  const entries = await pages.mongo.db.collection('audit_log').find({ action: 'status_page.updated' }).toArray();
  t.match(entries, [{ metadata: { host_name: 'status.example-one.com', host_verified: true } }]);
});

t.test('under the name: every form of the page, links and addresses in that name, and nothing else', async (t) => {
  const monitor = await pages.addMonitor();
  const groups = [{ components: [{ name: 'Shop', monitor_id: monitor._id }] }];
  const page = await verified({ slug: 'two', title: 'Two', groups, host_names: ['a.two.com', 'b.two.com'] });
  const component = page.groups[0]?.components[0]?.id;
  const html = (await get('b.two.com')).text;
  t.match(html, '<link rel="canonical" href="http://a.two.com/">', 'the first one is the main address');
  t.match(await pages.html('two'), '<link rel="canonical" href="http://a.two.com/">');
  for (const [, link = ''] of html.matchAll(/href="(\/[^"]*)"/g)) {
    t.equal((await get('b.two.com', link)).status, 200, link);
  }
  t.equal((await get('b.two.com', `/components/${component}/badge.svg`)).status, 200);
  t.equal((await get('b.two.com', '/badge.svg')).status, 200);
  t.equal((await get('b.two.com', '/components/cmp_00000000000000000000000000/badge.svg')).status, 404);
  t.equal(JSON.parse((await get('b.two.com', '/status.json')).text).page.url, 'http://b.two.com');
  const feed = (await get('b.two.com', '/feed.atom')).text;
  t.match(feed, '<link rel="self" href="http://b.two.com/feed.atom"/>');
  t.match(feed, '<link rel="alternate" href="http://b.two.com"/>');
  t.match(feed, '<id>http://picket.test/status/two</id>', 'ids are the same under each name');
  await created({ slug: 'not-two', title: 'Another' });
  const session = await buildSession(pages.mongo, app.workspace, { nowMs: clock.now() });
  const foreign = ['/status/not-two', '/status/two', '/status/not-two.json', '/v1/monitors', '/api/v1/monitors'];
  for (const path of [
    ...foreign,
    '/healthz',
    '/metrics',
    '/docs',
    '/log-in',
    '/status-hosts/allowed?domain=a.two.com',
    '//',
    '/../status/not-two',
  ]) {
    for (const method of ['GET', 'POST']) {
      const headers = { authorization: `Bearer ${app.key}`, cookie: session.cookie };
      const answer = await get('a.two.com', path, { method, headers });
      t.equal(answer.status, 404, `${method} ${path}`);
      t.notMatch(answer.text, /Another|Two|monitor/);
    }
  }
  t.equal((await get('a.two.com', '/', { method: 'DELETE' })).status, 405);
  t.equal((await get('a.two.com', 'http://picket.test/status/not-two')).status, 404, 'the header decides');
  const again = await get('a.two.com', '/', {
    headers: { 'if-none-match': String((await get('a.two.com')).headers['etag']) },
  });
  t.equal(again.status, 304);
});

t.test('Host headers in any notation lead to the page; hostile ones to no page of others', async (t) => {
  await verified({ slug: 'three', title: 'Three', host_names: ['status.bücher.com'] });
  const ascii = 'status.xn--bcher-kva.com';
  const unicode = Buffer.from('status.bücher.com').toString('latin1');
  for (const host of [
    ascii,
    ascii.toUpperCase(),
    `${ascii}.`,
    `${ascii}:443`,
    `${ascii}.:8080`,
    `${ascii}:`,
    unicode,
  ]) {
    t.match(await get(host), { status: 200, text: /Three/ }, host);
  }
  const hostile = [`${ascii}.evil.com`, `x${ascii}`, `${ascii}@picket.test`, `${ascii}/x`, `${ascii},picket.test`];
  for (const host of [
    ...hostile,
    `%73tatus.xn--bcher-kva.com`,
    'constructor',
    '__proto__',
    '$ne',
    `${'a.'.repeat(2_000)}com`,
    '',
    null,
  ]) {
    const answer = await get(host);
    t.notMatch(answer.text, /Three/, String(host));
    t.not(answer.status, 500);
  }
  for (const host of [
    'picket.test',
    '127.0.0.1',
    `127.0.0.1:${app.port}`,
    '[::1]:80',
    'localhost',
    'other.example.net',
  ]) {
    t.match(await get(host, '/status/three'), { status: 200, text: /Three/ }, `${host} is Picket`);
  }
});

t.test('names that nobody can own are refused', async (t) => {
  const refused = async (name: string) => {
    const answer = await app.request('POST', PATH, { body: { slug: 'refused', title: 'x', host_names: [name] } });
    t.match(answer, { status: 422, body: { errors: [{ path: '/host_names/0' }] } }, name);
  };
  const own = ['picket.test', 'PICKET.TEST.', 'picket.test:80', '127.0.0.1', '[::1]', '0x7f.1', '2130706433'];
  for (const name of [
    ...own,
    'localhost',
    'x.internal',
    'x.local',
    'com',
    'co.uk',
    'http://a.com',
    'a.com/x',
    '*.a.com',
    '_x.a.com',
    'a b.com',
    `${'a'.repeat(64)}.com`,
  ]) {
    await refused(name);
  }
  const twice = { slug: 'refused', title: 'x', host_names: ['dup.com', 'DUP.com.'] };
  t.match(await app.request('POST', PATH, { body: twice }), {
    status: 422,
    body: { errors: [{ path: '/host_names/1' }] },
  });
  const six = { slug: 'refused', title: 'x', host_names: [1, 2, 3, 4, 5, 6].map((n) => `n${n}.com`) };
  t.equal((await app.request('POST', PATH, { body: six })).status, 422);
  await created({ slug: 'first-of-two', title: 'x', host_names: ['only.one.com'] });
  const second = await app.request('POST', PATH, {
    body: { slug: 'second', title: 'x', host_names: ['only.one.com'] },
  });
  t.match(second, { status: 422, body: { errors: [{ path: '/host_names/0', code: 'exists' }] } });
});

t.test('an alias proves a name that no other workspace claims; a record beats an alias', async (t) => {
  zone.set('alias.shop.com', { cname: 'Picket.test' });
  const first = await created({ slug: 'alias', title: 'First', host_names: ['alias.shop.com'] });
  await pages.checkHosts();
  await settled();
  t.match(await read(first.id), { hosts: [{ verified_by: 'cname' }] });
  t.match(await get('alias.shop.com'), { status: 200, text: /First/ });

  const claim = await createdByOther({ slug: 'claim', title: 'Claim', host_names: ['alias.shop.com'] });
  await clock.advance(2 * HOUR_MS);
  await pages.checkHosts();
  await settled();
  t.match(await get('alias.shop.com'), { text: /First/ }, 'a claim takes nothing away');
  proveByTxt(claim);
  await clock.advance(2 * HOUR_MS);
  await pages.checkHosts();
  await settled();
  t.match(await get('alias.shop.com'), { status: 200, text: /Claim/ });
  t.match(await read(first.id), { hosts: [{ verified_by: null, verified_at: null }] });

  zone.set('both.shop.com', { cname: 'picket.test' });
  const a = await created({ slug: 'both-a', title: 'A', host_names: ['both.shop.com'] });
  await createdByOther({ slug: 'both-b', title: 'B', host_names: ['both.shop.com'] });
  await pages.checkHosts();
  await settled();
  t.equal((await get('both.shop.com')).status, 404, 'the alias does not say which of two');
  t.match(await read(a.id), { hosts: [{ verified_at: null }] });

  zone.set('status.elsewhere.com', { cname: 'picket.test.elsewhere.com' });
  await created({ slug: 'elsewhere', title: 'x', host_names: ['status.elsewhere.com'] });
  await pages.checkHosts();
  await settled();
  t.equal((await get('status.elsewhere.com')).status, 404, 'an alias of another name');
});

t.test('names of the domain of Picket itself need the record, and lead to Picket until then', async (t) => {
  zone.set('www.picket.test', { cname: 'picket.test' });
  const page = await created({ slug: 'near', title: 'Near', host_names: ['www.picket.test'] });
  await pages.checkHosts();
  await settled();
  t.match(await get('www.picket.test', '/status/near'), { status: 200 }, 'whoever runs Picket keeps the name');
  proveByTxt(page);
  await clock.advance(MINUTE_MS);
  await pages.checkHosts();
  await settled();
  t.match(await get('www.picket.test'), { status: 200, text: /Near/ });
});

t.test('a record that is gone for a day ends it; servers that do not answer end nothing', async (t) => {
  const page = await verified({ slug: 'gone', title: 'Gone', host_names: ['gone.com'] });
  const record = page.hosts[0]?.record.name ?? '';
  const later = async (ms: number) => {
    await clock.advance(ms);
    await pages.checkHosts();
    await settled();
    return (await get('gone.com')).status;
  };
  zone.set(record, 'SERVFAIL');
  t.equal(await later(2 * DAY_MS), 200);
  zone.delete(record);
  t.equal(await later(HOUR_MS), 200);
  t.equal(await later(DAY_MS - HOUR_MS), 200);
  t.equal(await later(2 * HOUR_MS), 404);
  t.match(await read(page.id), { hosts: [{ verified_at: null }] });
});

t.test('a name goes with its page: removed, renamed, deleted, workspace stopped', async (t) => {
  const page = await verified({ slug: 'moves', title: 'Moves', host_names: ['moves.com', 'stays.com'] });
  const change = async (body: object) => {
    const answer = await app.request<StatusPage>('PATCH', `${PATH}/${page.id}`, { body });
    t.equal(answer.status, 200, answer.text);
    await settled();
    return answer.body.data;
  };
  const verifiedAt = page.hosts[1]?.verified_at;
  t.ok(verifiedAt);
  t.match(await change({ host_names: ['stays.com'] }), { hosts: [{ name: 'stays.com', verified_at: verifiedAt }] });
  t.match(await get('moves.com', '/status/moves'), { status: 200 }, 'nobody has the name any more');
  await change({ slug: 'moved' });
  // The address stays with the workspace for 30 days.
  await pages.mongo.db.collection('status_page_former_addresses').deleteMany({});
  await createdByOther({ slug: 'moves', title: 'Taken' });
  t.match(await get('stays.com'), { status: 200, text: /Moves/ });
  const answers = await Promise.all([get('stays.com'), get('stays.com', '/status.json')]);
  for (const { text } of answers) t.notMatch(text, 'Taken');
  pages.stopped.add(app.workspace.id);
  await settled();
  t.equal((await get('stays.com')).status, 404);
  pages.stopped.clear();
  await settled();
  t.equal((await app.request('DELETE', `${PATH}/${page.id}`)).status, 204);
  await settled();
  t.notMatch((await get('stays.com')).text, 'Moves');
  const again = await createdByOther({ slug: 'again', title: 'Again', host_names: ['stays.com'] });
  await pages.checkHosts();
  await settled();
  t.equal((await get('stays.com')).status, 404, 'the record of the deleted page is not the one of this page');
  proveByTxt(again);
  await clock.advance(HOUR_MS);
  await pages.checkHosts();
  await settled();
  t.match(await get('stays.com'), { status: 200, text: /Again/ });
});

t.test(
  'pages that are not public: the form and its cookie are of that host; members use the address of Picket',
  async (t) => {
    const page = await verified({
      ...{ slug: 'locked', title: 'Secret title', visibility: 'password', password: 'correct horse' },
      host_names: ['locked.com'],
    });
    for (const path of ['/', '/status.json', '/feed.atom', '/maintenance.ics', '/badge.svg']) {
      const answer = await get('locked.com', path);
      t.equal(answer.status, 401, path);
      t.notMatch(answer.text, /Secret|slug/);
    }
    t.match((await get('locked.com')).text, 'action="/"');
    const form = { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' } };
    const unlocked = await get('locked.com', '/', { ...form, body: 'password=correct+horse' });
    t.match(unlocked, { status: 303, headers: { location: '/' } });
    const [set = ''] = unlocked.headers['set-cookie'] ?? [];
    t.match(set, /^picket_status_locked=\S+; Path=\/; Max-Age=43200; HttpOnly; SameSite=Lax$/);
    const cookie = set.split(';')[0] ?? '';
    t.match(await get('locked.com', '/', { headers: { cookie } }), { status: 200, text: /Secret title/ });
    await app.request('PATCH', `${PATH}/${page.id}`, { body: { visibility: 'members' } });
    await settled();
    const session = await buildSession(pages.mongo, app.workspace, { nowMs: clock.now() });
    const inside = await get('locked.com', '/', { headers: { cookie: session.cookie } });
    t.equal(inside.status, 401);
    t.notMatch(inside.text, 'Secret');
  },
);

t.test('a proxy learns for which names it may get a certificate, and nothing else', async (t) => {
  await verified({ slug: 'certified', title: 'x', host_names: ['certified.com'] });
  await created({ slug: 'waiting', title: 'x', host_names: ['waiting.com'] });
  const ask = (query: string) => get('127.0.0.1', `/status-hosts/allowed${query}`);
  t.match(await ask('?domain=certified.com'), { status: 200, text: 'allowed\n' });
  t.match(await ask('?domain=CERTIFIED.com.'), { status: 200 });
  t.match(await ask('?domain=Picket.test'), { status: 200 }, 'the name of Picket itself');
  for (const query of [
    '?domain=waiting.com',
    '?domain=unknown.com',
    '?domain=127.0.0.1',
    '',
    '?domain=',
    '?domain=certified.com&domain=x',
    '?domain=certified.com%00',
  ]) {
    t.match(await ask(query), { status: 404, text: 'not allowed\n' }, query);
  }
  pages.stopped.add(app.workspace.id);
  await settled();
  t.equal((await ask('?domain=certified.com')).status, 404);
  pages.stopped.clear();
});

t.test('questions of a proxy are not limited, because a proxy asks for everybody', async (t) => {
  const limited = await startStatusPages({ dnsServers: [dns.server], rateLimit: 3 });
  t.teardown(limited.stop);
  for (let question = 0; question < 5; question++) {
    t.equal((await atHost(limited.app.port, '127.0.0.1', '/status-hosts/allowed?domain=a.com')).status, 404);
  }
});

t.test('a name that is far too long is not read', async (t) => {
  // It would be short: soft hyphens are left out of names.
  const body = { slug: 'long', title: 'x', host_names: [`status${'\u00ad'.repeat(1_100)}.example.com`] };
  t.match(await app.request('POST', '/v1/status-pages', { body }), { status: 422 });
});
