import { createServer, type Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { startProduct } from '../test/helpers/processes/product.js';
import { waitFor } from '../test/helpers/wait.js';
import { percentile, printFigure, round } from './fixtures/figures.js';

/** Measures the time from the last successful check to the firing incident. Sites fail at random times, in three ways. */
const SITES = 60;
const INTERVAL_SECONDS = 10;
const TIMEOUT_MS = 2_000;
const LIMIT_MS = INTERVAL_SECONDS * 1000 + TIMEOUT_MS + 3_000;
const MODES = ['status 500', 'no answer', 'connection reset'] as const;

interface Site {
  mode: (typeof MODES)[number];
  failing: boolean;
  lastGoodAt: number;
  server: Server;
  monitorId: string;
}

const product = await startProduct();
const sites: Site[] = [];
try {
  for (let index = 0; index < SITES; index++) sites.push(await addSite(index));
  await waitFor('first checks', 60_000, () => sites.every((site) => site.lastGoodAt > 0));
  await sleep(INTERVAL_SECONDS * 2_000);
  const delays = await Promise.all(sites.map(failAndTime));
  for (const mode of MODES) {
    const own = delays.filter((_, index) => sites[index]?.mode === mode);
    printFigure({
      name: `detection: last good check to firing, ${mode}, p99`,
      value: percentile(own, 0.99),
      unit: 'ms',
      limit: LIMIT_MS,
      atMost: true,
      p50_ms: round(percentile(own, 0.5), 0),
      samples: own.length,
      interval_seconds: INTERVAL_SECONDS,
      timeout_ms: TIMEOUT_MS,
      locations: 5,
    });
  }
} finally {
  for (const site of sites) site.server.closeAllConnections();
  for (const site of sites) site.server.close();
  await product.remove();
}

async function addSite(index: number): Promise<Site> {
  const site: Site = {
    mode: MODES[index % MODES.length] ?? 'status 500',
    failing: false,
    lastGoodAt: 0,
    server: createServer(),
    monitorId: '',
  };
  site.server.on('request', (request, response) => {
    if (!site.failing) {
      site.lastGoodAt = Date.now();
      response.end('ok');
    } else if (site.mode === 'status 500') response.writeHead(500).end();
    else if (site.mode === 'connection reset') request.socket.resetAndDestroy();
  });
  await new Promise<void>((resolve) => site.server.listen(0, '127.0.0.1', resolve));
  const address = site.server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const { body } = await product.api('POST', '/v1/monitors', {
    name: `site ${index}`,
    type: 'http',
    url: `http://127.0.0.1:${port}/`,
    interval_seconds: INTERVAL_SECONDS,
    http: { timeout_ms: TIMEOUT_MS },
  });
  site.monitorId = body.data.id;
  return site;
}

async function failAndTime(site: Site): Promise<number> {
  await sleep(Math.random() * INTERVAL_SECONDS * 3_000);
  site.failing = true;
  const incident = await waitFor('incident', 60_000, async () => {
    const { body } = await product.api('GET', `/v1/alerts?status=firing&monitor_id=${site.monitorId}`);
    return body.data[0];
  });
  return (
    Date.parse((await product.api('GET', `/v1/alerts/${incident.id}`)).body.data.decision.times.opened_at) -
    site.lastGoodAt
  );
}
