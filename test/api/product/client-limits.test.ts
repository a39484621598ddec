import t from 'tap';
import { testDatabase } from '../../helpers/database.js';
import { startControlPlane } from '../../helpers/processes/control-plane.js';

/** The settings that limit clients, on the whole control plane. Each test sends from addresses of its own. */
const LIMIT = 5;
const TOKEN = 'scrape-me';
const mongo = await testDatabase();
const controlPlane = await startControlPlane(mongo.uri, {
  PICKET_RATE_LIMIT: String(LIMIT),
  PICKET_TRUSTED_PROXIES: '127.0.0.1',
  PICKET_METRICS_TOKEN: TOKEN,
});
t.teardown(async () => {
  await controlPlane.remove();
  await mongo.drop();
});

const statusOf = async (path: string, address: string, headers: Record<string, string> = {}) =>
  (await fetch(`${controlPlane.url}${path}`, { headers: { 'x-forwarded-for': address, ...headers } })).status;

t.test('every mount is limited by the address of the client, except health checks and pages', async (t) => {
  const paths = [
    '/install/agent.sh',
    '/install/probe.sh',
    '/metrics/servers',
    '/docs',
    '/v1/openapi.json',
    '/nope.php',
  ];
  for (const [index, path] of paths.entries()) {
    const address = `203.0.113.${index}`;
    let served = 0;
    while (served <= 2 * LIMIT && (await statusOf(path, address)) !== 429) served += 1;
    // A minute may end in between.
    t.ok(served >= LIMIT && served <= 2 * LIMIT, `${path}: ${served}`);
    t.equal(await statusOf('/healthz', address), 200);
    t.equal(await statusOf('/readyz', address), 200);
  }
});

t.test('pages and their files come from memory and are not limited: one page loads many files', async (t) => {
  const address = '203.0.113.60';
  const page = await (await fetch(`${controlPlane.url}/login`)).text();
  const [, script = 'none'] = /(assets\/[\w.-]+\.js)/.exec(page) ?? [];
  for (let count = 0; count < 2 * LIMIT; count++) {
    t.equal(await statusOf('/login', address), 200);
    t.equal(await statusOf(`/${script}`, address), 200);
  }
});

t.test('/metrics needs its token, and is not limited with it', async (t) => {
  t.equal(await statusOf('/metrics', '203.0.113.50'), 401);
  for (let count = 0; count < 2 * LIMIT; count++) {
    t.equal(await statusOf('/metrics', '203.0.113.50', { authorization: `Bearer ${TOKEN}` }), 200);
  }
  t.notMatch(controlPlane.output(), TOKEN, 'the token is not in the log');
});
