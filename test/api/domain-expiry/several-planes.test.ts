import t from 'tap';
import { startDomainsApp } from '../../helpers/domain-expiry/app.js';
import { buildWorkspace } from '../../helpers/factories.js';

const DAY = 86_400_000;

t.test('of two control planes one asks, and the other goes on after it', async (t) => {
  const app = await startDomainsApp();
  t.teardown(() => app.stop());
  app.rdap.domains.set('example.com', { expires: '2032-03-01T03:00:00Z' });
  await app.monitor('https://example.com/');
  const [one, two] = [app.plane('one'), app.plane('two')];
  const runs = await Promise.all([one.run(), two.run()]);
  t.strictSame(runs.toSorted(), [1, null].toSorted());
  t.equal(app.rdap.asked.length, 1);
  await Promise.all([one.stop(), two.stop()]);
  app.clock.jump(DAY);
  const three = app.plane('three');
  t.equal(await three.run(), 1);
  t.equal(app.rdap.asked.length, 2);
  await three.stop();
});

t.test('what was asked before a kill is not asked again, and reaches the domain', async (t) => {
  const app = await startDomainsApp();
  t.teardown(() => app.stop());
  app.rdap.domains.set('example.com', { expires: '2031-02-02T03:00:00Z' });
  await app.monitor('https://example.com/');
  // As a control plane leaves it that is killed between the question and the transaction of the domain.
  const other = await buildWorkspace(app.mongo);
  const theirs = await app.monitor('https://example.com/', { workspace_id: other.id });
  await app.run();
  const [domain] = await app.domains();
  await app.mongo.db
    .collection<{ _id: string }>('monitored_domains')
    .updateOne(
      { _id: domain?.id ?? '' },
      { $set: { next_at_ms: 0, 'registration.status': 'pending', 'registration.expires_at_ms': null } },
    );
  await app.mongo.db.collection('incidents').deleteMany({});
  t.equal(await app.run(), 1);
  t.equal(app.rdap.asked.length, 1);
  t.match(await app.domains(), [{ status: 'known', monitors: 1 }]);
  t.match(await app.incidents(), [{ status: 'firing', severity: 'critical' }]);
  t.not(theirs, '');
});

t.test('an answer that another control plane saved in the meantime is not overwritten', async (t) => {
  const app = await startDomainsApp();
  t.teardown(() => app.stop());
  app.rdap.domains.set('example.com', { expires: '2032-03-01T03:00:00Z' });
  await app.monitor('https://example.com/');
  await app.run();
  const { registrations, domains } = app.records;
  const read = await registrations.find('example.com');
  const [domain] = await domains.all(app.workspace.id);
  if (read === null || domain === undefined) throw new Error('nothing is stored');
  const newer = { ...read, expires_at_ms: 2, next_at_ms: read.next_at_ms + DAY };
  t.equal(await registrations.save(newer, read), true);
  t.equal(await registrations.save({ ...read, expires_at_ms: 1 }, read), false);
  t.equal(await registrations.save({ ...read, expires_at_ms: 1 }, null), false);
  t.match(await registrations.find('example.com'), { expires_at_ms: 2, next_at_ms: newer.next_at_ms });
  const { registration, next_at_ms } = domain;
  await domains.postpone(domain, { registration, next_at_ms: next_at_ms + 1 });
  await domains.postpone(domain, { registration, next_at_ms: next_at_ms + 2 });
  const saved = await app.parts.runTransaction((tx) =>
    domains.saveRegistration(tx, domain, { registration, next_at_ms: next_at_ms + 3 }),
  );
  t.equal(saved, null);
  t.match(await domains.all(app.workspace.id), [{ next_at_ms: next_at_ms + 1 }]);
});

t.test('a workspace with many domains leaves room for others, and a server gets one question a second', async (t) => {
  const app = await startDomainsApp();
  t.teardown(() => app.stop());
  const other = await buildWorkspace(app.mongo);
  for (let i = 0; i < 30; i++) await app.monitor(`https://many-${i}.com/`);
  await app.monitor('https://only.com/', { workspace_id: other.id });
  const fromMs = app.clock.now();
  t.equal(await app.run(), 31);
  t.ok(app.rdap.asked.indexOf('only.com') <= 1, 'among the first two');
  t.equal(app.clock.now() - fromMs, 30_000);
});
