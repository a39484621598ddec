import t from 'tap';
import { countedSite } from '../../../helpers/processes/counted-site.js';
import { startProduct } from '../../../helpers/processes/product.js';
import { replayAlerts } from '../../../helpers/processes/replayed-alerts.js';
import { waitFor } from '../../../helpers/wait.js';

const LOCATIONS = ['fra', 'nyc', 'sin', 'lon', 'sfo'];
const SUBSETS = 2 ** LOCATIONS.length;
const MAJORITY = 3;
/**
 * Each subset of the locations fails for one monitor, and each subset of four for four more: a location looks broken when
 * at least half of its monitors, here 26, begin to fail within a minute. That are 31 of them, so it does not depend on
 * each single one.
 */
const FAILING = Array.from({ length: SUBSETS }, (_, bits) => LOCATIONS.filter((_code, at) => bits & (1 << at)));
const FOURS = FAILING.filter((subset) => subset.length === LOCATIONS.length - 1);
const MONITORS = [...FAILING, ...FOURS, ...FOURS, ...FOURS, ...FOURS];
/** Of a loaded machine; each wait ends with its event. */
const WAIT_MS_MAX = 120_000;

t.test('every subset of the locations fails at once: no location is quarantined, a majority decides', async (t) => {
  const site = await countedSite();
  const product = await startProduct();
  t.teardown(async () => {
    await product.remove();
    await site.close();
  });
  const ids: string[] = [];
  for (const index of MONITORS.keys()) {
    const settings = { name: `site ${index}`, type: 'http', url: `${site.url}/${index}`, interval_seconds: 10 };
    const { status, body } = await product.api('POST', '/v1/monitors', settings);
    t.equal(status, 201);
    ids.push(body.data.id);
  }
  const checked = (since: number) =>
    new Set(site.seen.slice(since).map(({ location, path }) => `${location}${path}`)).size;
  const everything = MONITORS.length * LOCATIONS.length;
  await waitFor('checks of every monitor from every location', WAIT_MS_MAX, () => checked(0) === everything);

  site.failWhen(({ location, path }) => MONITORS[Number(path.slice(1))]?.includes(location) === true);
  const statuses = async () => {
    const { body } = await product.api('GET', '/v1/monitors?limit=200');
    const byId = new Map(body.data.map((monitor: { id: string; status: string }) => [monitor.id, monitor.status]));
    return ids.map((id) => byId.get(id));
  };
  const expected = MONITORS.map((subset) => (subset.length >= MAJORITY ? 'down' : 'up'));
  await waitFor('every monitor that fails from a majority to be down', WAIT_MS_MAX, async () => {
    return (await statuses()).join() === expected.join();
  });
  const firing = async () => {
    const { body } = await product.api('GET', '/v1/alerts?status=firing&limit=200');
    return body.data.filter((alert: { monitor_id: string | null }) => alert.monitor_id === null);
  };
  await waitFor('one alert about the locations', WAIT_MS_MAX, async () => {
    const messages: string[] = (await firing()).map(({ message }: { message: string }) => message);
    // It is opened as soon as more than a minority looks broken, so it may name three or four of them.
    if (messages.length === 1 && /^[345] of 5 locations look broken/.test(messages[0] ?? '')) return true;
    throw new Error(JSON.stringify(messages));
  });
  const before = site.seen.length;
  await waitFor('another round of checks', WAIT_MS_MAX, () => checked(before) === everything);
  const locations = await product.api('GET', '/v1/admin/locations');
  t.same(
    locations.body.data.filter(({ quarantined }: { quarantined: boolean }) => quarantined),
    [],
    'no location is quarantined',
  );
  t.same(await statuses(), expected);
  t.ok((await replayAlerts(product)) >= expected.filter((status) => status === 'down').length);

  site.failWhen(() => false);
  await waitFor('every monitor to be up', WAIT_MS_MAX, async () =>
    (await statuses()).every((status) => status === 'up'),
  );
  await waitFor('the end of the alert', 150_000, async () => (await firing()).length === 0);
});
