import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { startProduct } from '../../helpers/processes/product.js';
import { waitFor } from '../../helpers/wait.js';

const LOCATIONS = ['fra', 'nyc', 'sin'];
const TIMEOUT_MS = 3_000;
const RESPONSE_MS = 2_000;
const PAUSE_MS = 5_000;

interface Result {
  location: string;
  status: string;
  response_time_ms: number;
}

t.test('all probes of a machine that is paused report nothing that they could not see', async (t) => {
  let requests = 0;
  const site = createServer((_request, response) => {
    requests += 1;
    setTimeout(() => response.end('hello'), RESPONSE_MS);
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  const address = site.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/`;
  const product = await startProduct({ PICKET_LOCATIONS: LOCATIONS.join(',') });
  const pids = await Promise.all(LOCATIONS.map((code) => product.pid(`probe-${code}`)));
  const signal = (name: NodeJS.Signals) => {
    for (const pid of pids) process.kill(pid, name);
  };
  t.teardown(async () => {
    signal('SIGCONT');
    await product.remove();
    site.closeAllConnections();
    site.close();
  });
  const created = await product.api('POST', '/v1/monitors', {
    name: 'slow but healthy',
    type: 'http',
    url,
    interval_seconds: 3_600,
    locations: LOCATIONS,
    retries: 0,
    http: { timeout_ms: TIMEOUT_MS },
  });
  t.equal(created.status, 201, JSON.stringify(created.body));
  const { id } = created.body.data;
  const results = async (): Promise<Result[]> => (await product.api('GET', `/v1/monitors/${id}/results`)).body.data;
  await waitFor('the first result of every location', 30_000, async () => (await results()).length >= LOCATIONS.length);

  const before = requests;
  t.equal((await product.api('POST', `/v1/monitors/${id}/check`)).status, 202);
  await waitFor('a check under way at every location', 10_000, () => requests >= before + LOCATIONS.length, 5);
  signal('SIGSTOP');
  // The pause is what is tested: the responses arrive and the timeouts elapse while the probes do not run.
  await sleep(PAUSE_MS);
  signal('SIGCONT');
  const all = await waitFor('the result of every location', 30_000, async () => {
    const found = await results();
    return found.length >= 2 * LOCATIONS.length && found;
  });
  t.same([...new Set(all.map(({ status }) => status))], ['up']);
  t.ok(
    all.every((result) => result.response_time_ms < TIMEOUT_MS),
    `response times of checks that nothing disturbed: ${all.map((result) => result.response_time_ms)}`,
  );
  const repeats = requests - before - LOCATIONS.length;
  t.same((await product.api('GET', '/v1/alerts')).body.data, []);
  const { locations: stalled, total } = await waitFor('the stalls on /metrics', 15_000, async () => {
    const text = await (await fetch(`${product.url}/metrics`)).text();
    const counts = [...text.matchAll(/^picket_probe_stalls_total\{location="(\w+)",probe="prb_\w+"\} (\d+)$/gm)];
    const locations = counts.filter(([, , count]) => Number(count) > 0).map(([, location]) => location);
    const total = counts.reduce((sum, [, , count]) => sum + Number(count), 0);
    return locations.length === LOCATIONS.length && { locations, total };
  });
  t.same([...stalled].sort(), [...LOCATIONS].sort());
  // One for each, if the machine is not so busy that it pauses a probe once more.
  t.ok(repeats >= LOCATIONS.length && repeats <= total, `${repeats} repeats of checks under way, ${total} stalls`);
});
