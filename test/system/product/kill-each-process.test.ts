import { MongoClient } from 'mongodb';
import t from 'tap';
import { lastMongodUri } from '../../../supervisor/mongod/home.js';
import { countedSite } from '../../helpers/processes/counted-site.js';
import { startProduct } from '../../helpers/processes/product.js';
import { missingSlots, scheduledChecks } from '../../helpers/results/scheduled-checks.js';
import { waitFor } from '../../helpers/wait.js';

const MONITORS = 4;
const INTERVAL_MS = 10_000;
const LOCATIONS = ['fra', 'nyc'];

/** scripts/faults has the same with more monitors, other processes and outages meanwhile. */
t.test('kill -9 of each process once loses no check, doubles none and opens no incident', async (t) => {
  const site = await countedSite();
  const product = await startProduct({ PICKET_LOCATIONS: LOCATIONS.join() });
  t.teardown(async () => {
    await product.remove();
    await site.close();
  });
  const ids: string[] = [];
  for (let index = 0; index < MONITORS; index++) {
    const monitor = {
      name: `site ${index}`,
      type: 'http',
      url: `${site.url}/${index}`,
      interval_seconds: INTERVAL_MS / 1_000,
    };
    const { status, body } = await product.api('POST', '/v1/monitors', monitor);
    t.equal(status, 201);
    ids.push(body.data.id);
  }
  /** Waits until each location has checked each monitor since the call. */
  const round = () => {
    const before = site.seen.length;
    const checked = () => new Set(site.seen.slice(before).map(({ location, path }) => `${location}${path}`)).size;
    return waitFor('a round of checks', 60_000, () => checked() === MONITORS * LOCATIONS.length);
  };
  await round();
  const fromMs = Date.now();
  for (const victim of ['control-plane', 'mongod', 'probe-nyc']) {
    const killed = await product.pid(victim);
    process.kill(killed, 'SIGKILL');
    await waitFor(`${victim} to be restarted`, 30_000, async () => (await product.pid(victim)) !== killed);
    await waitFor('Picket to be ready again', 60_000, async () => (await fetch(`${product.url}/readyz?probes=2`)).ok);
    await round();
  }
  const untilMs = Date.now();

  const uri = await lastMongodUri(product.dataDir);
  const database = new MongoClient(uri ?? '');
  t.teardown(() => database.close());
  // The killed probe may lose the checks that it had under way.
  const expected = { monitorIds: ids, locations: ['fra'], intervalMs: INTERVAL_MS, fromMs, untilMs };
  const checks = await waitFor('the result of every check', 60_000, async () => {
    const found = await scheduledChecks(database.db(), ids);
    const missing = missingSlots(found, expected);
    if (missing.length > 0) throw new Error(`missing: ${missing.join(', ')}`);
    return found;
  });
  const slots = new Set(checks.map(({ monitorId, location, slotMs }) => `${monitorId} ${location} ${slotMs}`));
  t.equal(slots.size, checks.length, 'each check is stored once');
  const alerts: { monitor_id: string | null }[] = (await product.api('GET', '/v1/alerts')).body.data;
  t.same(
    alerts.filter(({ monitor_id }) => monitor_id !== null),
    [],
  );
});
