import t from 'tap';
import { reportFault } from '../../helpers/fault-report.js';
import { freePort } from '../../helpers/machine/ports.js';
import { toxiproxy } from '../../helpers/machine/toxiproxy.js';
import { countedSite } from '../../helpers/processes/counted-site.js';
import { startProduct } from '../../helpers/processes/product.js';
import { compare, storedResults } from '../../helpers/results/stored-results.js';
import { waitFor } from '../../helpers/wait.js';

const NOTICED_MS_MAX = 25_000;

t.test('the control plane notices a black hole to its probes within 25 s, and no result is lost', async (t) => {
  const site = await countedSite();
  const grpcPort = await freePort();
  const proxy = await toxiproxy(grpcPort);
  const product = await startProduct({
    PICKET_LOCATIONS: 'fra,nyc',
    PICKET_GRPC_PORT: String(grpcPort),
    PICKET_GRPC_ADDRESS: `127.0.0.1:${proxy.port}`,
  });
  t.teardown(async () => {
    await product.remove();
    await proxy.stop();
    await site.close();
  });
  const connected = async () => {
    const { body } = await product.api('GET', '/v1/admin/probes');
    return body.data.filter((probe: { state: string }) => probe.state === 'connected').length;
  };
  const { body } = await product.api('POST', '/v1/monitors', {
    name: 'site',
    type: 'http',
    url: `${site.url}/`,
    interval_seconds: 10,
    locations: ['fra', 'nyc'],
  });
  await waitFor('first checks', 30_000, () => site.seen.length >= 2);
  t.equal(await connected(), 2);

  await proxy.blackHole();
  const holeAt = Date.now();
  await waitFor('the control plane to notice', NOTICED_MS_MAX, async () => (await connected()) === 0);
  t.ok(Date.now() - holeAt <= NOTICED_MS_MAX, `noticed after ${Date.now() - holeAt} ms`);
  const duringHole = site.seen.length;
  await waitFor('the probes to continue their checks', 30_000, () => site.seen.length >= duringHole + 4);

  await proxy.heal();
  await waitFor('both probes to reconnect', 60_000, async () => (await connected()) === 2);
  const until = Date.now();
  const result = await waitFor(
    'every result to be stored',
    20_000,
    async () => {
      const compared = compare(site.seen, await storedResults(product, body.data.id), until);
      return compared.lost.length === 0 && compared;
    },
    500,
  );
  t.same(result.invented, []);
  t.ok(result.paired >= 8, `${result.paired} checks`);
  const alerts = await product.api('GET', '/v1/alerts');
  const falseAlerts = alerts.body.data.filter(({ monitor_id }: { monitor_id: string | null }) => monitor_id !== null);
  reportFault({
    fault: 'black hole between probes and control plane',
    of: 'results',
    expected: result.paired + result.lost.length,
    seen: result.paired,
    lost: result.lost.length,
    doubled: result.invented.length,
    falsePages: falseAlerts.length,
  });
  t.same(falseAlerts, [], 'late results cause no alert');
});
