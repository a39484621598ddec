import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { startReceiver } from '../../helpers/machine/receivers.js';
import { countedSite } from '../../helpers/processes/counted-site.js';
import { startProduct } from '../../helpers/processes/product.js';
import { compare, storedResults } from '../../helpers/results/stored-results.js';
import { waitFor } from '../../helpers/wait.js';

const MONITORS = 12;

t.test('kill -9 of any process loses no result, invents none and pages nobody', async (t) => {
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
    'all five locations check',
    30_000,
    () => new Set(site.seen.map((request) => request.location)).size === 5,
  );

  for (const victim of ['control-plane', 'mongod', 'probe-sin']) {
    await sleep(6_000);
    const killed = await product.pid(victim);
    process.kill(killed, 'SIGKILL');
    await waitFor(`${victim} is started again`, 30_000, async () => (await product.pid(victim)) !== killed);
    await waitFor('ready again', 60_000, async () => (await fetch(`${product.url}/readyz?probes=5`)).ok);
  }
  await sleep(12_000);
  const until = Date.now();
  await sleep(8_000);

  let paired = 0;
  const lost: unknown[] = [];
  for (const [index, id] of ids.entries()) {
    const own = site.seen.filter((request) => request.path === `/${index}`);
    const result = compare(own, await storedResults(product, id), until);
    paired += result.paired;
    lost.push(...result.lost);
    t.same(result.invented, [], `monitor ${index}: every stored result was a real check`);
  }
  t.ok(paired > MONITORS * 5 * 4, `${paired} checks were seen and stored`);
  t.ok(lost.length <= 1, `at most the check in flight at the killed probe is lost: ${JSON.stringify(lost)}`);
  const alerts = await product.api('GET', '/v1/alerts');
  t.same(
    alerts.body.data.filter((incident: { monitor_id: string | null }) => incident.monitor_id !== null),
    [],
    'no monitor has an incident',
  );

  site.failWhen(() => true);
  await waitFor('every monitor pages', 60_000, () => opened().size === MONITORS);
  await product.kill('control-plane');
  await waitFor('ready again', 60_000, async () => (await fetch(`${product.url}/readyz?probes=5`)).ok);
  await sleep(15_000);
  t.equal(opened().size, MONITORS, 'one notification id for each incident, also after another kill');

  function opened(): Set<string> {
    return new Set(
      receiver.requests
        .filter((request) => request.json.type === 'incident.opened')
        .filter((request) => request.json.data.incident.monitor_id !== null)
        .map((request) => String(request.headers['webhook-id'])),
    );
  }
});
