import { Agent } from 'undici';
import { startProduct } from '../test/helpers/processes/product.js';
import { percentile, printFigure } from './fixtures/figures.js';
import { createMonitors } from './fixtures/fleet.js';
import { type LoadResult, load } from './fixtures/load.js';
import { benchSetting } from './fixtures/settings.js';

/** Measures reads of the API with 10,000 monitors on one control plane, including authentication. No probe runs. */
const MONITORS = benchSetting('MONITORS', 10_000);
const CLIENTS = 20;
const WARM_UP_MS = 3_000;
const WINDOW_MS = 10_000;

const product = await startProduct({ PICKET_LOCATIONS: '' });
const agent = new Agent({ connections: CLIENTS, pipelining: 1 });
try {
  await createMonitors(product, MONITORS, { url: (index) => `http://127.0.0.1:9/${index}`, intervalSeconds: 60 });
  const list = await read(['/v1/monitors?limit=50']);
  printFigure({
    name: 'api: GET /v1/monitors?limit=50 p99',
    value: percentile(list.times, 0.99),
    unit: 'ms',
    limit: 30,
    atMost: true,
    clients: CLIENTS,
    monitors: MONITORS,
    per_second: list.perSecond,
  });
  const { body } = await product.api('GET', '/v1/monitors?limit=200');
  const one = await read(body.data.map((monitor: { id: string }) => `/v1/monitors/${monitor.id}`));
  printFigure({
    name: 'api: GET /v1/monitors/{id}',
    value: one.perSecond,
    unit: 'requests/s',
    limit: 1_500,
    atMost: false,
    clients: CLIENTS,
    p99_ms: percentile(one.times, 0.99),
  });
} finally {
  await agent.close();
  await product.remove();
}

/** Sends requests to random paths of the list. */
function read(paths: string[]): Promise<LoadResult> {
  const request = async () => {
    const path = paths[Math.floor(Math.random() * paths.length)] ?? '/';
    const response = await agent.request({
      origin: product.url,
      path,
      method: 'GET',
      headers: { authorization: `Bearer ${product.apiKey}` },
    });
    await response.body.dump();
    if (response.statusCode !== 200) throw new Error(`${path} responded with status ${response.statusCode}`);
  };
  return load(request, { clients: CLIENTS, warmUpMs: WARM_UP_MS, windowMs: WINDOW_MS });
}
