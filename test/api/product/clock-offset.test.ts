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

t.test('a control plane exports how far its clock is from that of its database', async (t) => {
  // Both have the same clock. A measurement is as exact as the answer of the database was quick, and is repeated.
  const offset = await waitFor('a measurement', 60_000, async () => {
    const text = await (await fetch(`${controlPlane.url}/metrics`)).text();
    const seconds = /^picket_clock_offset_seconds (-?[\d.e-]+)$/m.exec(text)?.[1];
    return seconds !== undefined && Math.abs(Number(seconds)) < 1 && seconds;
  });
  t.ok(offset);
});
