import { tmpdir } from 'node:os';
import { Registry } from 'prom-client';
import t from 'tap';
import { readConfig } from '../../../control-plane/config.js';
import { createGuessLimit } from '../../../control-plane/http/limits/guess-limit.js';
import { createRateLimitStore } from '../../../control-plane/http/limits/rate-limit-store.js';
import { metricsMount, registerProcessMetrics } from '../../../control-plane/http/metrics/metrics.js';
import { createMetricsAccess } from '../../../control-plane/http/metrics/metrics-access.js';
import { createLogger } from '../../../kernel/logger.js';
import { startApp } from '../../helpers/app.js';
import { testClock } from '../../helpers/clock.js';
import { testDatabase } from '../../helpers/database.js';
import { nginxSite } from '../../helpers/machine/nginx.js';

const mongo = await testDatabase();
t.teardown(() => mongo.drop());

const TOKEN = 'scrape-me';
const clock = testClock();
const registry = new Registry();
registerProcessMetrics(registry, tmpdir());
const accessWith = (token: string | null) =>
  createMetricsAccess({
    token,
    guesses: createGuessLimit({
      ...{ what: 'metrics token', store: createRateLimitStore(mongo.db), clock },
      logger: createLogger({ name: 'test', level: 'silent' }),
    }),
  });

async function start(t: { teardown(run: () => unknown): void }, token: string | null) {
  const mounts = [metricsMount(registry, accessWith(token))];
  const app = await startApp({ mongo, routes: [], mounts, clock, trustedProxies: ['127.0.0.1'] });
  t.teardown(() => app.close());
  return (headers: Record<string, string> = {}) => app.request('GET', '/metrics', { key: null, headers });
}

t.test('without PICKET_METRICS_TOKEN, /metrics is served to this host only', async (t) => {
  const read = await start(t, null);
  const own = await read();
  t.match(own, { status: 200, text: /^process_cpu_user_seconds_total /m });
  for (const header of ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via', 'x-forwarded-proto', 'x-forwarded-host']) {
    const passedOn = await read({ [header]: '127.0.0.1' });
    t.match(passedOn, { status: 403, body: { code: 'forbidden', detail: /PICKET_METRICS_TOKEN/ } }, header);
    t.notMatch(passedOn.text, /process_cpu/);
  }
  const access = accessWith(null);
  const ask = (remoteAddress: string | undefined, localAddress: string, host = 'localhost:8080', httpVersion = '1.1') =>
    access({ req: { socket: { remoteAddress, localAddress }, headers: { host }, httpVersion } } as never);
  for (const [remote, local] of [
    ['127.0.0.1', '127.0.0.1'],
    ['127.8.8.8', '127.0.0.1'],
    ['::1', '::1'],
    ['::ffff:127.0.0.1', '::ffff:127.0.0.1'],
    ['192.0.2.1', '::ffff:192.0.2.1'],
  ] as const) {
    await t.resolves(ask(remote, local), remote);
  }
  for (const remote of ['192.0.2.2', '10.0.0.1', '::ffff:192.0.2.2', '2001:db8::1', undefined]) {
    await t.rejects(ask(remote, '192.0.2.1'), { code: 'forbidden' }, String(remote));
  }
  for (const host of ['127.0.0.1:8080', '127.0.0.1', '[::1]:8080', '192.0.2.1:8080', 'LOCALHOST']) {
    await t.resolves(ask('127.0.0.1', '192.0.2.1', host), host);
  }
  for (const host of ['picket.example.com', '', 'localhost.example.com', '192.0.2.2', 'user@', '[::2]']) {
    await t.rejects(ask('127.0.0.1', '192.0.2.1', host), { code: 'forbidden' }, `a proxy passes on the name ${host}`);
  }
  await t.rejects(ask('127.0.0.1', '127.0.0.1', 'localhost', '1.0'), { code: 'forbidden' }, 'as nginx asks by default');
});

t.test('a proxy on this host that adds no header does not publish /metrics', async (t) => {
  const mounts = [metricsMount(registry, accessWith(null))];
  const app = await startApp({ mongo, routes: [], mounts, clock });
  t.teardown(() => app.close());
  const proxy = await nginxSite('home', `location /metrics { proxy_pass http://127.0.0.1:${app.port}; }`);
  t.teardown(() => proxy.remove());
  await proxy.start();
  const answer = await fetch(`${proxy.url}metrics`);
  t.match([answer.status, await answer.text()], [403, /this host only/]);
});

t.test('with PICKET_METRICS_TOKEN, /metrics needs it, also on this host', async (t) => {
  const read = await start(t, TOKEN);
  const right = { authorization: `Bearer ${TOKEN}` };
  t.match(await read(right), { status: 200, text: /process_cpu/ });
  t.equal((await read({ ...right, 'x-forwarded-for': '203.0.113.9' })).status, 200, 'from any host');
  const none = await read();
  t.match(none, { status: 401, body: { code: 'unauthenticated' } });
  t.equal(none.headers.get('www-authenticate'), 'Bearer realm="picket"');
  for (const authorization of [TOKEN, `Bearer ${TOKEN}x`, `Bearer ${TOKEN.slice(1)}`, 'Bearer', `Basic ${TOKEN}`]) {
    t.equal((await read({ authorization })).status, 401, authorization);
  }
});

t.test('an address guesses the token 30 times a minute', async (t) => {
  const read = await start(t, TOKEN);
  const from = (address: string, token: string) =>
    read({ 'x-forwarded-for': address, authorization: `Bearer ${token}` });
  for (let count = 0; count < 40; count++) t.equal((await read({ 'x-forwarded-for': '203.0.113.1' })).status, 401);
  for (let count = 0; count < 30; count++) t.equal((await from('203.0.113.1', `guess-${count}`)).status, 401);
  const refused = await from('203.0.113.1', TOKEN);
  t.match(refused, { status: 429, body: { code: 'rate_limited' } }, 'then even the right one is refused');
  t.ok(Number(refused.headers.get('retry-after')) > 0);
  t.equal((await from('203.0.113.2', TOKEN)).status, 200, 'another address is not affected');
  await clock.advance(60_000);
  t.equal((await from('203.0.113.1', TOKEN)).status, 200, 'in the next minute');
});

t.test('PICKET_METRICS_TOKEN can be sent in a header', async (t) => {
  const read = (value: string) =>
    readConfig({ PICKET_MONGODB_URI: 'mongodb://127.0.0.1/picket', PICKET_METRICS_TOKEN: value }).metricsToken;
  t.equal(read(TOKEN), TOKEN);
  t.equal(read(''), null);
  for (const value of ['two words', 'tökén', 'x'.repeat(201)]) {
    t.throws(() => read(value), { name: 'SettingError', message: /^PICKET_METRICS_TOKEN must be at most 200/ });
  }
});
