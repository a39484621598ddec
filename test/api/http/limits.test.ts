import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { Registry } from 'prom-client';
import t from 'tap';
import { Type } from 'typebox';
import { healthMounts, type ReadinessProbes } from '../../../control-plane/http/health.js';
import { createRateLimiter } from '../../../control-plane/http/limits/rate-limit.js';
import { createRateLimitStore } from '../../../control-plane/http/limits/rate-limit-store.js';
import { metricsMount, registerProcessMetrics } from '../../../control-plane/http/metrics/metrics.js';
import { createDocsMount } from '../../../control-plane/http/openapi/docs.js';
import { mutationRoute, type Route, readRoute } from '../../../control-plane/http/route.js';
import { openMongo } from '../../../control-plane/storage/mongo.js';
import { systemClock } from '../../../kernel/clock.js';
import { createLogger } from '../../../kernel/logger.js';
import { startApp, type TestParts } from '../../helpers/app.js';
import { testClock } from '../../helpers/clock.js';
import { testDatabase, throughProxy } from '../../helpers/database.js';
import { buildKey, buildWorkspace } from '../../helpers/factories.js';
import { waitFor } from '../../helpers/wait.js';

const mongo = await testDatabase();
t.teardown(() => mongo.drop());

const common = { tag: 'T', summary: 'S', replies: { 200: null } } as const;

function routes({ mongo }: TestParts): Route[] {
  const rows = mongo.db.collection<{ _id: string }>('rows');
  return [
    readRoute({
      ...common,
      method: 'GET',
      path: '/v1/ping',
      access: 'any',
      handle: async () => ({ status: 200, data: 1 }),
    }),
    readRoute({
      ...common,
      method: 'GET',
      path: '/v1/open',
      access: 'public',
      handle: async () => ({ status: 200, data: 1 }),
    }),
    readRoute({
      ...common,
      method: 'GET',
      path: '/v1/rows/{id}',
      access: 'any',
      params: Type.Object({ id: Type.String() }),
      handle: async ({ params }) => ({ status: 200, data: await rows.findOne({ _id: params.id }) }),
    }),
    mutationRoute({
      ...common,
      method: 'POST',
      path: '/v1/rows',
      access: 'any',
      async handle(_input, tx) {
        await rows.insertOne({ _id: 'a' }, { session: tx.session });
        return { status: 200, data: 1 };
      },
    }),
  ];
}

const limitsOf = (answer: { headers: Headers }) =>
  ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'].map((name) =>
    Number(answer.headers.get(name) ?? Number.NaN),
  );

t.test('each key has the limit of its plan, and every response shows it', async (t) => {
  const clock = testClock();
  const app = await startApp({ mongo, routes, clock, rateLimit: null, plan: 'Free' });
  t.teardown(() => app.close());
  t.same(limitsOf(await app.request('GET', '/v1/ping')), [60, 59, 60]);
  await clock.advance(15_500);
  t.same(limitsOf(await app.request('GET', '/nope')), [60, 58, 45], 'a 404 counts and shows the limit too');
  for (let index = 0; index < 58; index++) await app.request('GET', '/v1/ping');
  const refused = await app.request('GET', '/v1/ping');
  t.equal(refused.status, 429);
  t.equal(refused.body.code, 'rate_limited');
  t.equal(refused.headers.get('retry-after'), '45');
  t.same(limitsOf(refused), [60, 0, 45]);
  const other = await buildKey(mongo, app.workspace);
  t.equal((await app.request('GET', '/v1/ping', { key: other.key })).status, 200, 'another key has its own limit');
  await clock.advance(44_500);
  t.same(limitsOf(await app.request('GET', '/v1/ping')), [60, 59, 60], 'in the next minute');
  for (const [plan, limit] of [
    ['Pro', 300],
    ['Enterprise', 1_200],
  ] as const) {
    const { key } = await buildKey(mongo, await buildWorkspace(mongo, { plan }));
    t.equal(limitsOf(await app.request('GET', '/v1/ping', { key }))[0], limit);
  }
  for (const options of [{ key: null }, { key: 'pk_live_wrong' }]) {
    t.same(
      limitsOf(await app.request('GET', '/v1/ping', options))[0],
      300,
      'without a valid key the address is limited',
    );
  }
  t.equal(limitsOf(await app.request('GET', '/v1/open', { key: null }))[1], 297);
});

t.test('PICKET_RATE_LIMIT overrides the plans; 0 removes the limits', async (t) => {
  const app = await startApp({ mongo, routes, rateLimit: 3, clock: testClock() });
  t.teardown(() => app.close());
  const statuses = [];
  for (let index = 0; index < 4; index++) statuses.push((await app.request('GET', '/v1/ping')).status);
  t.same(statuses, [200, 200, 200, 429]);
  t.equal(
    (await app.request('GET', '/v1/ping', { key: null })).status,
    401,
    'addresses are counted separately from keys',
  );
  const free = await startApp({ mongo, routes, rateLimit: 0 });
  t.teardown(() => free.close());
  t.same(limitsOf(await free.request('GET', '/v1/ping')).slice(0, 2), [1_000_000_000, 1_000_000_000]);
});

t.test('two control planes share a limit, without a write for each request', async (t) => {
  const commands: string[] = [];
  // It stands still, so that no minute ends in between.
  const clock = testClock(Date.now());
  const watched = await openMongo(mongo.uri);
  t.teardown(() => watched.close());
  const store = createRateLimitStore(watched.db);
  const limiter = () =>
    createRateLimiter({
      store: {
        ...store,
        add(counts, until) {
          commands.push([...counts.values()].join());
          return store.add(counts, until);
        },
      },
      clock,
      logger: createLogger({ name: 'test', level: 'silent' }),
      limits: { override: 100, ofActor: () => 100 },
    });
  const [one, two] = [limiter(), limiter()];
  const take = async (from: typeof one, count: number, address = '2001:db8::1') => {
    let passed = 0;
    for (let index = 0; index < count; index++) {
      const ctx = { state: { clientAddress: address }, req: { headers: {}, socket: {} }, set() {} };
      await Promise.resolve()
        .then(() => from.admit([])(ctx as never, async () => void passed++))
        .catch((error) => t.equal(error.code, 'rate_limited'));
    }
    return passed;
  };
  t.equal(await take(one, 70), 70);
  await one.stop();
  t.equal(await take(two, 10), 10);
  await two.stop();
  t.equal(await take(two, 50), 20, 'the 70 requests to the other control plane count');
  t.equal(await take(two, 1, '2001:db8::2'), 0, 'another address of the same /64 is the same caller');
  t.equal(await take(two, 1, '2001:db8:0:1::2'), 1);
  t.same(commands, ['70', '10'], 'one write for many requests');
  for (let index = 0; index < 50; index++) await take(two, 9, `192.0.2.${index}`);
  await two.stop();
  t.same(commands, ['70', '10', '20'], 'and none for many addresses with few requests each');
});

/** A TCP proxy to the database whose connections can be closed. */
async function cuttableMongo(): Promise<{ uri: string; cut(): void; mend(): void; server: Server }> {
  const target = new URL(mongo.uri);
  const open = new Set<Socket>();
  let broken = false;
  const server = createServer((client) => {
    if (broken) return client.destroy();
    const upstream = connect(Number(target.port), target.hostname);
    for (const socket of [client, upstream])
      open.add(socket.on('error', () => socket.destroy()).on('close', () => open.delete(socket)));
    client.pipe(upstream).on('close', () => client.destroy());
    return upstream.pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const uri = new URL(throughProxy(mongo.uri, typeof address === 'object' ? (address?.port ?? 0) : 0));
  uri.searchParams.set('serverSelectionTimeoutMS', '1500');
  return {
    uri: uri.href,
    cut() {
      broken = true;
      for (const socket of open) socket.destroy();
    },
    mend() {
      broken = false;
    },
    server,
  };
}

t.test('while the database is unavailable: 503 instead of waiting for it, without details', async (t) => {
  const proxy = await cuttableMongo();
  const cuttable = await openMongo(proxy.uri);
  const app = await startApp({ mongo: cuttable, routes });
  t.teardown(async () => {
    proxy.mend();
    await app.close();
    await cuttable.close();
    proxy.server.close();
  });
  t.equal((await app.request('GET', '/v1/rows/x')).status, 200);
  proxy.cut();
  // The database stays away, so without a limit of its own none of these would be answered.
  const answers = await Promise.all([
    app.request('GET', '/v1/rows/x'),
    app.request('POST', '/v1/rows'),
    app.request('POST', '/v1/rows', { headers: { 'idempotency-key': 'k' } }),
  ]);
  for (const answer of answers) {
    t.equal(answer.status, 503, answer.text);
    t.equal(answer.body.code, 'unavailable');
    t.ok(Number(answer.headers.get('retry-after')) > 0);
    t.notMatch(answer.text, /127\.0\.0\.1|Mongo|ECONN|connection \d/);
  }
  t.equal((await app.request('GET', '/v1/open', { key: null })).status, 200, 'requests without the database work');
  proxy.mend();
  await waitFor(
    'everything to work again',
    10_000,
    async () => (await app.request('GET', '/v1/rows/x')).status === 200,
  );
});

t.test('health, readiness, metrics', async (t) => {
  const state = { database: true, grpc: true, probes: 2, draining: false };
  const probes: ReadinessProbes = {
    pingDatabase: () => (state.database ? mongo.db.command({ ping: 1 }) : new Promise(() => {})),
    grpcListening: () => state.grpc,
    connectedProbes: () => state.probes,
    draining: () => state.draining,
  };
  const registry = new Registry();
  registerProcessMetrics(registry, tmpdir());
  const app = await startApp({
    mongo,
    routes,
    mounts: [...healthMounts(probes, systemClock), metricsMount(registry, async () => {})],
  });
  t.teardown(() => app.close());
  const read = (path: string) => app.request('GET', path, { key: null });
  t.equal((await read('/healthz')).status, 200);
  t.same((await read('/readyz')).body, { data: { status: 'ready', probes: 2 } });
  t.equal((await read('/readyz?probes=2')).status, 200);
  const waiting = await read('/readyz?probes=3');
  t.equal(waiting.status, 503);
  t.match(waiting.body, { code: 'unavailable', detail: '2 of 3 probes are connected' });
  for (const bad of ['-1', '1.0', 'x', '', '1&probes=2'])
    t.equal((await read(`/readyz?probes=${bad}`)).status, 422, bad);
  for (const [member, value, why] of [
    ['database', false, 'database'],
    ['grpc', false, 'gRPC'],
    ['draining', true, 'shutting down'],
  ] as const) {
    Object.assign(state, { [member]: value });
    const answer = await read('/readyz');
    t.equal(answer.status, 503, member);
    t.match(answer.body.detail, why);
    Object.assign(state, { [member]: !value });
  }
  t.equal((await read('/healthz')).status, 200);
  t.ok(limitsOf(await read('/healthz'))[0], 'rate limit headers here too');
  const posted = await app.request('POST', '/healthz', { body: {} });
  t.equal(posted.status, 405);
  t.equal(posted.headers.get('allow'), 'GET, HEAD, OPTIONS');
  const metrics = await read('/metrics');
  t.match(metrics.headers.get('content-type'), /^text\/plain; version=0\.0\.4/);
  t.match(metrics.text, /^process_cpu_user_seconds_total /m);
  await app.request('GET', '/v1/rows/x');
  await app.request('GET', '/v1/rows/y');
  await app.request('GET', '/v1/unknown/z');
  const own = await app.registry.metrics();
  t.match(own, 'picket_http_requests_total{method="GET",route="/v1/rows/{id}",status="200"} 2');
  t.match(own, 'picket_http_requests_total{method="GET",route="unmatched",status="404"} 1');
  t.match(own, /picket_http_request_duration_seconds_bucket\{le="0\.001",method="GET",route="\/healthz"\}/);
});

t.test('the documentation page and its files come from this server', async (t) => {
  const app = await startApp({ mongo, routes, mounts: [await createDocsMount()] });
  t.teardown(() => app.close());
  const page = await app.request('GET', '/docs', { key: null });
  t.equal(page.status, 200);
  t.match(page.headers.get('content-security-policy'), /default-src 'none'; script-src 'self'/);
  const links = [...page.text.matchAll(/(?:href|src)="([^"]+)"/g)].map((match) => match[1] ?? '');
  t.ok(links.length >= 6);
  for (const link of links.filter((link) => link !== 'v1/openapi.json')) {
    t.match(link, /^docs\//, 'nothing from other origins, and nothing above the path of the installation');
    const asset = await app.request('GET', `/${link}`, { key: null });
    t.equal(asset.status, 200, link);
    t.equal(await statusIfUnchanged(`${app.url}/${link}`, asset.headers.get('etag') ?? ''), 304);
  }
  const withSlash = await app.request('GET', '/docs/', { key: null });
  t.same([withSlash.status, withSlash.headers.get('location')], [302, '../docs'], 'relative URLs count from /docs');
  t.equal((await app.request('GET', '/docs/../package.json', { key: null })).status, 404);
  t.equal((await app.request('GET', '/docs/package.json', { key: null })).status, 404);
});

/** Uses `node:http`, because fetch disables caches for a conditional request. */
async function statusIfUnchanged(url: string, etag: string): Promise<number | undefined> {
  const request = get(url, { headers: { 'if-none-match': etag } });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.resume();
  return response.statusCode;
}
