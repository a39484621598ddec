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
  const offset = await waitFor('a measurement', 20_000, async () => {
    const text = await (await fetch(`${controlPlane.url}/metrics`)).text();
    return /^picket_clock_offset_seconds (-?[\d.e-]+)$/m.exec(text)?.[1] ?? null;
  });
  t.ok(Math.abs(Number(offset)) < 1, `${offset} s: both have the same clock`);
});
