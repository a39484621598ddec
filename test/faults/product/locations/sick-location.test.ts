import t from 'tap';
import { startReceiver } from '../../../helpers/machine/webhook-receiver.js';
import { countedSite } from '../../../helpers/processes/counted-site.js';
import { startProduct } from '../../../helpers/processes/product.js';
import { waitFor } from '../../../helpers/wait.js';

const MONITORS = 14;

t.test('a location with a broken network is quarantined and causes no alert', async (t) => {
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
  await waitFor('checks of every monitor from every location', 40_000, () => seenFrom() === MONITORS * 3);

  site.failWhen((request) => request.location === 'sin');
  const location = async () => {
    const { body } = await product.api('GET', '/v1/admin/locations');
    return body.data.find((row: { code: string }) => row.code === 'sin');
  };
  await waitFor('the quarantine of sin', 60_000, async () => (await location()).quarantined === true);
  const before = site.seen.length;
  const checkedFrom = (code: string) =>
    new Set(site.seen.slice(before).flatMap(({ location, path }) => (location === code ? [path] : []))).size;
  await waitFor('another round from every location', 30_000, () =>
    ['fra', 'nyc', 'sin'].every((code) => checkedFrom(code) === MONITORS),
  );
  const alerts = await product.api('GET', '/v1/alerts');
  t.same(
    alerts.body.data.filter((incident: { monitor_id: string | null }) => incident.monitor_id !== null),
    [],
    'no monitor goes down because of that location',
  );
  const notified = receiver.requests.map((request) => request.json.data.incident);
  t.same(
    notified.filter((incident) => incident.monitor_id !== null),
    [],
    'there is no notification for a monitor',
  );

  site.failWhen(() => false);
  await waitFor('the end of the quarantine of sin', 120_000, async () => (await location()).quarantined === false);
});
