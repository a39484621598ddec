import t from 'tap';
import { testDatabase } from '../../helpers/database.js';
import { startRdapServer } from '../../helpers/domain-expiry/rdap-server.js';
import { startControlPlane } from '../../helpers/processes/control-plane.js';
import { waitFor } from '../../helpers/wait.js';

const DAY_MS = 86_400_000;

t.test('a control plane that is killed while it asks loses nothing, and the next one pages', async (t) => {
  const [mongo, rdap] = await Promise.all([testDatabase(), startRdapServer()]);
  rdap.suffixes.set('com', `http://127.0.0.1:${rdap.port}/com`);
  rdap.domains.set('example.com', 'hang');
  const settings = { PICKET_RDAP_BOOTSTRAP: rdap.bootstrapUrl };
  const first = await startControlPlane(mongo.uri, settings);
  let last = first;
  t.teardown(async () => {
    await last.remove();
    await rdap.stop();
    await mongo.drop();
  });
  const monitor = { name: 'Shop', url: 'https://www.example.com/', type: 'http' };
  const created = await first.api('POST', '/v1/monitors', monitor);
  t.equal(created.status, 201, JSON.stringify(created.body));
  await waitFor('the question', 60_000, async () => rdap.asked.length === 1);
  await first.kill();
  const expires = new Date(Date.now() + 2 * DAY_MS).toISOString();
  rdap.domains.set('example.com', { expires });
  // The lease and the turn at the server of the killed one would end by themselves, after 90 s.
  await mongo.db.collection<{ _id: string }>('leases').deleteOne({ _id: 'domain-expiry' });
  last = await startControlPlane(mongo.uri, { ...settings, PICKET_DATA_DIR: first.dataDir });
  const domain = await waitFor('the expiry', 60_000, async () => {
    const { body } = await last.api('GET', `/api/v1/domains?monitor_id=${created.body.data.id}`);
    return body.data[0]?.status === 'known' && body.data[0];
  });
  t.match(domain, { name: 'example.com', expires_at: expires, registrar: 'Example Registrar', monitors: 1 });
  t.equal(rdap.asked.length, 2);
  t.equal(rdap.lists(), 1, 'the list is kept');
  const alerts = await last.api('GET', '/v1/alerts?kind=domain');
  t.match(alerts.body.data, [
    { kind: 'domain', severity: 'critical', resource: { type: 'domain', name: 'example.com' } },
  ]);
  t.equal(alerts.body.data.length, 1);
  const timeline = await last.api('GET', '/v1/timeline');
  t.ok(timeline.body.data.some(({ type }: { type: string }) => type === 'incident.opened'));
});
