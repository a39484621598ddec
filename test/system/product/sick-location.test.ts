import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { startReceiver } from '../../helpers/machine/receivers.js';
import { countedSite } from '../../helpers/processes/counted-site.js';
import { startProduct } from '../../helpers/processes/product.js';
import { waitFor } from '../../helpers/wait.js';

const MONITORS = 14;

t.test('a location whose own network is broken is quarantined and pages nobody', async (t) => {
  const site = await countedSite();
  const receiver = await startReceiver();
  const product = await startProduct({ PICKET_LOCATIONS: 'fra,nyc,sin' });
  t.teardown(async () => {
    await product.remove();
    await receiver.close();
    await site.close();
  });
  await product.api('POST', '/v1/channels', { type: 'webhook', name: 'hook', config: { url: receiver.url } });
  for (let index = 0; index < MONITORS; index++) {
    const { status } = await product.api('POST', '/v1/monitors', {
      name: `site ${index}`,
      type: 'http',
      url: `${site.url}/${index}`,
      interval_seconds: 10,
      locations: ['fra', 'nyc', 'sin'],
    });
    t.equal(status, 201);
  }
  const seenFrom = () => new Set(site.seen.map((request) => `${request.location}${request.path}`)).size;
  await waitFor('every monitor is checked from everywhere', 40_000, () => seenFrom() === MONITORS * 3);

  site.failWhen((request) => request.location === 'sin');
  const location = async () => {
    const { body } = await product.api('GET', '/v1/admin/locations');
    return body.data.find((row: { code: string }) => row.code === 'sin');
  };
  await waitFor('sin is quarantined', 60_000, async () => (await location()).quarantined === true);
  await sleep(10_000);
  const alerts = await product.api('GET', '/v1/alerts');
  t.same(
    alerts.body.data.filter((incident: { monitor_id: string | null }) => incident.monitor_id !== null),
    [],
    'no monitor goes down on the word of a sick location',
  );
  const told = receiver.requests.map((request) => request.json.data.incident);
  t.same(
    told.filter((incident) => incident.monitor_id !== null),
    [],
    'nobody is paged for a monitor',
  );

  site.failWhen(() => false);
  await waitFor('sin is trusted again', 120_000, async () => (await location()).quarantined === false);
});
