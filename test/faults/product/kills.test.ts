import t from 'tap';
import { reportFault } from '../../helpers/fault-report.js';
import { startReceiver } from '../../helpers/machine/webhook-receiver.js';
import { countedSite } from '../../helpers/processes/counted-site.js';
import { startProduct } from '../../helpers/processes/product.js';
import { replayAlerts } from '../../helpers/processes/replayed-alerts.js';
import { compare, storedResults } from '../../helpers/results/stored-results.js';
import { waitFor } from '../../helpers/wait.js';

const MONITORS = 24;
const LOCATIONS = 5;

t.test('kill -9 of any process loses no result, invents none and causes no alert', async (t) => {
  const site = await countedSite();
  const receiver = await startReceiver();
  const product = await startProduct();
  t.teardown(async () => {
    await product.remove();
    await receiver.close();
    await site.close();
  });
  await product.api('POST', '/v1/channels', { type: 'webhook', name: 'hook', config: { url: receiver.url } });
  const ids: string[] = [];
  for (let index = 0; index < MONITORS; index++) {
    const { body, status } = await product.api('POST', '/v1/monitors', {
      name: `site ${index}`,
      type: 'http',
      url: `${site.url}/${index}`,
      interval_seconds: 10,
    });
    t.equal(status, 201);
    ids.push(body.data.id);
  }
  await waitFor(
    'checks from all five locations',
    30_000,
    () => new Set(site.seen.map((request) => request.location)).size === LOCATIONS,
  );
  /** Waits until every location has checked every monitor again. */
  const round = async () => {
    const before = site.seen.length;
    const checked = () => new Set(site.seen.slice(before).map(({ location, path }) => `${location}${path}`)).size;
    await waitFor('a round of checks', 30_000, () => checked() === MONITORS * LOCATIONS);
  };

  for (const victim of ['control-plane', 'mongod', 'probe-sin']) {
    const before = site.seen.length;
    await waitFor('half a round of checks', 30_000, () => site.seen.length >= before + (MONITORS * LOCATIONS) / 2);
    const killed = await product.pid(victim);
    process.kill(killed, 'SIGKILL');
    await waitFor(`${victim} to be restarted`, 30_000, async () => (await product.pid(victim)) !== killed);
    await waitFor('Picket to be ready again', 60_000, async () => (await fetch(`${product.url}/readyz?probes=5`)).ok);
  }
  await round();
  const until = Date.now();
  const compared = await waitFor(
    'all results to be stored, except that of the check in flight at the killed probe',
    30_000,
    async () => {
      const results = ids.map(async (id, index) => {
        const own = site.seen.filter((request) => request.path === `/${index}`);
        return compare(own, await storedResults(product, id), until);
      });
      const all = await Promise.all(results);
      const lost = all.flatMap((one) => one.lost);
      if (lost.length > 1) throw new Error(JSON.stringify(lost));
      return all;
    },
    1_000,
  );
  for (const [index, { invented }] of compared.entries()) {
    t.same(invented, [], `monitor ${index}: every stored result was a real check`);
  }
  const paired = compared.reduce((sum, one) => sum + one.paired, 0);
  t.ok(paired > 240, `${paired} checks were seen and stored`);
  const alerts = await product.api('GET', '/v1/alerts');
  const falseAlerts = alerts.body.data.filter(({ monitor_id }: { monitor_id: string | null }) => monitor_id !== null);
  const lost = compared.reduce((sum, one) => sum + one.lost.length, 0);
  reportFault({
    fault: 'kill -9 of a control plane, mongod and a probe',
    of: 'results',
    expected: paired + lost,
    seen: paired,
    lost,
    doubled: compared.reduce((sum, one) => sum + one.invented.length, 0),
    falsePages: falseAlerts.length,
  });
  t.same(falseAlerts, [], 'no monitor has an incident');

  site.failWhen(() => true);
  await waitFor('a notification for every monitor', 60_000, () => opened().size === MONITORS);
  await product.kill('control-plane');
  await waitFor('Picket to be ready again', 60_000, async () => (await fetch(`${product.url}/readyz?probes=5`)).ok);
  await round();
  const { body: channels } = await product.api('GET', '/v1/channels');
  await product.api('POST', `/v1/channels/${channels.data[0].id}/test`);
  await waitFor('a later notification', 10_000, () =>
    receiver.requests.some((request) => request.json.type !== 'incident.opened'),
  );
  t.equal(await replayAlerts(product), MONITORS, 'every decision replays from its record');
  t.equal(opened().size, MONITORS, 'one notification ID for each incident, also after another kill');

  function opened(): Set<string> {
    return new Set(
      receiver.requests
        .filter((request) => request.json.type === 'incident.opened')
        .filter((request) => request.json.data.incident.monitor_id !== null)
        .map((request) => String(request.headers['webhook-id'])),
    );
  }
});
