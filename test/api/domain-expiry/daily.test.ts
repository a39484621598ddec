import t, { type Test } from 'tap';
import { startDomainsApp } from '../../helpers/domain-expiry/app.js';
import { buildWorkspace } from '../../helpers/factories.js';

const [HOUR, DAY] = [3_600_000, 86_400_000];

async function setUp(t: Test) {
  const app = await startDomainsApp();
  t.teardown(() => app.stop());
  app.rdap.domains.set('example.com', { expires: '2032-03-01T03:00:00Z' });
  return app;
}

t.test('a registry is asked once a day for all monitors and workspaces of a domain', async (t) => {
  const app = await setUp(t);
  const other = await buildWorkspace(app.mongo);
  const ids = [
    await app.monitor('https://www.example.com/'),
    await app.monitor('http://shop.example.com:8080/x?y=1'),
    await app.monitor('mail.example.com:25'),
    await app.monitor('EXAMPLE.com.'),
  ];
  await app.monitor('https://example.com/', { workspace_id: other.id });
  t.equal(await app.run(), 2, 'the domain of each workspace');
  t.strictSame(app.rdap.asked, ['example.com']);
  const [domain, ...more] = await app.domains();
  t.strictSame(more, []);
  t.match(domain, {
    name: 'example.com',
    status: 'known',
    expires_at: '2032-03-01T03:00:00.000Z',
    days_remaining: 394,
    registrar: 'Example Registrar',
    checked_at: '2031-01-31T12:00:00.000Z',
    problem: null,
    monitors: 4,
    monitor_ids: ids,
  });
  app.clock.jump(DAY - 1_000);
  t.equal(await app.run(), 0);
  t.equal(app.rdap.asked.length, 1);
  app.clock.jump(1_000);
  t.equal(await app.run(), 2);
  t.equal(app.rdap.asked.length, 2);
});

t.test('a workspace does not learn from times that another one has the domain', async (t) => {
  const app = await startDomainsApp({ fraction: () => 0.5 });
  t.teardown(() => app.stop());
  app.rdap.domains.set('example.com', { expires: '2032-03-01T03:00:00Z' });
  const other = await buildWorkspace(app.mongo);
  await app.monitor('https://example.com/', { workspace_id: other.id });
  await app.run();
  app.clock.jump(DAY / 2);
  await app.monitor('https://example.com/');
  await app.run();
  t.equal(app.rdap.asked.length, 1, 'the answer is shared');
  t.match(await app.domains(), [
    {
      ...{ status: 'known', expires_at: '2032-03-01T03:00:00.000Z' },
      ...{ checked_at: '2031-02-01T00:00:00.000Z', next_check_at: '2031-02-02T00:30:00.000Z' },
    },
  ]);
  app.clock.jump(DAY / 2 + HOUR / 2);
  await app.run();
  t.equal(app.rdap.asked.length, 2, 'the other workspace asks after a day and its random share of an hour');
});

t.test('a workspace does not learn what the registry said to others before it failed', async (t) => {
  const app = await setUp(t);
  const other = await buildWorkspace(app.mongo);
  await app.monitor('https://example.com/', { workspace_id: other.id });
  await app.run();
  app.rdap.domains.set('example.com', { status: 500 });
  app.clock.jump(DAY);
  await app.run();
  await app.monitor('https://example.com/');
  await app.run();
  t.equal(app.rdap.asked.length, 2);
  const unknown = { expires_at: null, registrar: null, checked_at: null };
  t.match(await app.domains(), [{ status: 'unreachable', problem: 'the server answers with HTTP 500', ...unknown }]);
  app.rdap.domains.set('example.com', { expires: '2033-03-01T03:00:00Z' });
  app.clock.jump(HOUR);
  await app.run();
  t.match(await app.domains(), [{ status: 'known', expires_at: '2033-03-01T03:00:00.000Z', problem: null }]);
});

t.test('the list of servers is kept for a week, and an outage of it leaves the last one', async (t) => {
  const app = await setUp(t);
  t.equal(await app.run(), 0);
  t.equal(app.rdap.lists(), 0, 'not without a domain');
  await app.monitor('https://example.com/');
  for (let day = 0; day < 7; day++) {
    await app.run();
    app.clock.jump(DAY);
  }
  t.equal(app.rdap.lists(), 1);
  app.rdap.setList({ status: 500, body: '' });
  await app.run();
  t.equal(app.rdap.lists(), 2);
  t.equal(app.rdap.asked.length, 8, 'the old list still counts');
  for (const body of ['', '<html>', '{"services":[]}', '{"services":[[["com"],["ftp://x/"]]]}', '[['.repeat(50_000)]) {
    app.rdap.setList({ status: 200, body });
    app.clock.jump(DAY);
    await app.run();
  }
  t.equal(app.rdap.asked.length, 13);
  t.match((await app.domains())[0], { status: 'known' });
});

t.test('a list with less than half of the stored suffixes is a failure, unless it is of another URL', async (t) => {
  const app = await setUp(t);
  await app.monitor('https://example.com/');
  await app.run();
  const stored = () => app.mongo.db.collection('rdap_bootstrap').findOne();
  const listOf = (...suffixes: string[]) => ({
    status: 200,
    body: JSON.stringify({ services: [[suffixes, [`http://127.0.0.1:${app.rdap.port}/x/`]]] }),
  });
  app.rdap.setList(listOf('org'));
  app.clock.jump(7 * DAY);
  await app.run();
  t.match(await stored(), {
    problem: 'the list of RDAP servers has less than half of the suffixes of the previous one',
  });
  t.match(await app.domains(), [{ status: 'known' }], 'the last list still has com');
  t.match(app.rdap.asked.length, 2);
  app.rdap.setList(listOf('com', 'org'));
  app.clock.jump(DAY);
  await app.run();
  t.match(await stored(), { problem: null, services: [{ suffixes: ['com', 'org'] }] }, 'half of them is a list');
  app.rdap.setList(listOf('com', 'org', 'net', 'uk', 'de'));
  app.clock.jump(7 * DAY);
  await app.run();
  const elsewhere = { url: 'http://mirror.example/', services_url: 'http://mirror.example/' };
  await app.mongo.db.collection('rdap_bootstrap').updateOne({}, { $set: elsewhere });
  app.rdap.setList(listOf('com'));
  app.clock.jump(1);
  await app.run();
  t.match(await stored(), { problem: null, services: [{ suffixes: ['com'] }] });
});

t.test('before the list could be downloaded, domains are pending', async (t) => {
  const app = await setUp(t);
  app.rdap.setList({ status: 200, body: 'x'.repeat(3_000_000) });
  await app.monitor('https://example.com/');
  t.equal(await app.run(), 0);
  t.match((await app.domains())[0], { status: 'pending', expires_at: null, checked_at: null });
  app.rdap.setList(null);
  app.clock.jump(3_600_000);
  t.equal(await app.run(), 1);
  t.match((await app.domains())[0], { status: 'known' });
});

t.test('what is no registered domain is not asked for', async (t) => {
  const app = await setUp(t);
  for (const target of ['1.2.3.4', '[2001:db8::1]:443', 'db1:5432', 'co.uk', 'db.internal', 'http://localhost/'])
    await app.monitor(target);
  t.equal(await app.run(), 0);
  t.strictSame(await app.domains(), []);
});

t.test('names in other scripts are asked for in punycode, and below a suffix of two labels', async (t) => {
  const app = await setUp(t);
  app.rdap.domains.set('xn--bcher-kva.com', { expires: '2032-03-01T03:00:00Z' });
  app.rdap.domains.set('example.co.uk', { expires: '2032-04-01T03:00:00Z' });
  await app.monitor('https://www.bücher.com/');
  await app.monitor('https://www.example.co.uk/');
  await app.run();
  t.strictSame(app.rdap.asked.toSorted(), ['example.co.uk', 'xn--bcher-kva.com']);
  t.match(await app.domains('?q=co.uk'), [{ name: 'example.co.uk', status: 'known' }]);
});

t.test('a domain follows its monitors', async (t) => {
  const app = await setUp(t);
  app.rdap.domains.set('example.org', { expires: '2031-02-02T00:00:00Z' });
  const id = await app.monitor('https://example.com/');
  await app.run();
  t.match(await app.domains(`?monitor_id=${id}`), [{ name: 'example.com' }]);
  await app.change(id, { url: 'https://example.org/' });
  await app.run();
  t.match(await app.domains(), [{ name: 'example.org' }]);
  t.match(await app.incidents(), [{ status: 'firing' }]);
  await app.change(id, { paused_at_ms: app.clock.now() });
  await app.run();
  t.strictSame(await app.domains(), []);
  t.match(await app.incidents(), [{ status: 'resolved', resolution: 'deleted' }]);
  await app.change(id, { paused_at_ms: null });
  await app.run();
  await app.change(id, null);
  await app.run();
  t.strictSame(await app.domains(), []);
  t.strictSame(await app.domains(`?monitor_id=${id}`), []);
});

t.test('a workspace sees its own domains only', async (t) => {
  const app = await setUp(t);
  const other = await buildWorkspace(app.mongo);
  const theirs = await app.monitor('https://example.com/', { workspace_id: other.id });
  await app.run();
  t.strictSame(await app.domains(), []);
  t.strictSame(await app.domains(`?monitor_id=${theirs}`), []);
});
