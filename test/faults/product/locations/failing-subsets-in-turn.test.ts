import t from 'tap';
import { countedSite } from '../../../helpers/processes/counted-site.js';
import { startProduct } from '../../../helpers/processes/product.js';
import { replayAlerts } from '../../../helpers/processes/replayed-alerts.js';
import { waitFor } from '../../../helpers/wait.js';

const LOCATIONS = ['fra', 'nyc', 'sin', 'lon', 'sfo'];
const MAJORITY = 3;
/** A location is quarantined when ten of its monitors fail from there alone. */
const MONITORS = 12;
/**
 * All 32 subsets of the locations in the order of a Gray code: from one to the next, one location breaks or recovers. So
 * the results of both, which are mixed for a moment, say the same as one of them.
 */
const SUBSETS = Array.from({ length: 2 ** LOCATIONS.length }, (_, at) => {
  const bits = at ^ (at >> 1);
  return LOCATIONS.filter((_code, index) => bits & (1 << index));
});
/** The first location that breaks, while all are trusted. */
const FIRST = SUBSETS[1] ?? [];
const isDown = (subset: readonly string[]) => subset.length >= MAJORITY;
const OUTAGES = SUBSETS.filter((subset, at) => isDown(subset) && !isDown(SUBSETS[at - 1] ?? [])).length;

interface Row {
  status: string;
  location_status: { location: string; status: string }[];
}

t.test('every subset of the locations breaks, one after another: a majority decides, a minority never', async (t) => {
  const site = await countedSite();
  const product = await startProduct();
  t.teardown(async () => {
    await product.remove();
    await site.close();
  });
  const ids: string[] = [];
  for (let index = 0; index < MONITORS; index++) {
    const settings = { name: `site ${index}`, type: 'http', url: `${site.url}/${index}`, retries: 0 };
    const { status, body } = await product.api('POST', '/v1/monitors', { ...settings, interval_seconds: 10 });
    t.equal(status, 201, JSON.stringify(body));
    ids.push(body.data.id);
  }
  const monitors = async (): Promise<Row[]> => (await product.api('GET', '/v1/monitors')).body.data;
  const quarantined = async (): Promise<string[]> => {
    const { body } = await product.api('GET', '/v1/admin/locations');
    return body.data.flatMap((one: { code: string; quarantined: boolean }) => (one.quarantined ? [one.code] : []));
  };
  /** Waits until every monitor shows this subset as failing, and the status that follows from it. */
  const shows = (subset: readonly string[]) =>
    waitFor(`the verdict with ${subset.join(', ') || 'no location'} failing`, 60_000, async () => {
      const broken = await quarantined();
      t.notOk(broken.length >= MAJORITY, `quarantined: ${broken.join()}`);
      const rows = await monitors();
      const wrong = rows.filter(({ status, location_status }) => {
        const failing = location_status.flatMap((one) => (one.status === 'down' ? [one.location] : []));
        const known = location_status.every((one) => one.status === 'up' || one.status === 'down');
        const expected = isDown(subset) ? 'down' : 'up';
        return !known || status !== expected || failing.sort().join() !== [...subset].sort().join();
      });
      if (wrong.length > 0) throw new Error(JSON.stringify(wrong[0]));
      return true;
    });

  await shows([]);
  const startedMs = Date.now();
  for (const subset of SUBSETS) {
    site.failWhen(({ location }) => subset.includes(location));
    for (const answer of await Promise.all(ids.map((id) => product.api('POST', `/v1/monitors/${id}/check`)))) {
      if (answer.status !== 202) throw new Error(`check answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    }
    await shows(subset);
    if (subset === FIRST)
      await waitFor('its quarantine', 60_000, async () => (await quarantined()).join() === FIRST[0]);
  }
  t.comment(`${SUBSETS.length} subsets in ${Math.round((Date.now() - startedMs) / 1_000)} s`);
  site.failWhen(() => false);
  for (const id of ids) await product.api('POST', `/v1/monitors/${id}/check`);
  await shows([]);

  const alerts = await product.api('GET', '/v1/alerts?limit=200');
  const outages = alerts.body.data.filter((one: { monitor_id: string | null }) => one.monitor_id !== null);
  t.equal(outages.length, OUTAGES * MONITORS, 'one incident each time that a majority failed, and no other');
  t.ok((await replayAlerts(product)) >= outages.length);
});
