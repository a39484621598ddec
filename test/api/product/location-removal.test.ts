import t from 'tap';
import { testDatabase } from '../../helpers/database.js';
import { startControlPlane } from '../../helpers/processes/control-plane.js';
import { waitFor } from '../../helpers/wait.js';

const mongo = await testDatabase();
const controlPlane = await startControlPlane(mongo.uri);
t.teardown(async () => {
  await controlPlane.remove();
  await mongo.drop();
});

t.test('a location is deleted once no monitor is checked from it', async (t) => {
  const added = await controlPlane.api('POST', '/v1/admin/locations', {
    ...{ code: 'ber', city: 'Berlin', region: 'EU-Central' },
  });
  t.equal(added.status, 201);
  const settings = { name: 'Shop', type: 'tcp', url: '127.0.0.1:9', locations: ['fra', 'ber'] };
  const monitor = await waitFor('a monitor of the location', 30_000, async () => {
    const created = await controlPlane.api('POST', '/v1/monitors', settings);
    return created.status === 201 && created.body.data;
  });
  const remove = () => controlPlane.api('DELETE', '/v1/admin/locations/ber');
  t.match(await remove(), { status: 409, body: { code: 'conflict', detail: /Monitors are checked from ber/ } });
  const moved = await controlPlane.api('PATCH', `/v1/monitors/${monitor.id}`, { locations: ['fra'] });
  t.equal(moved.status, 200);
  t.equal((await remove()).status, 204);
  t.equal((await controlPlane.api('GET', '/v1/admin/locations/ber')).status, 404);
});
