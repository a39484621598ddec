import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { readProviders } from '../../../control-plane/blacklist/lists/providers.js';
import { type Clock, systemClock } from '../../../kernel/clock.js';
import { startBlacklistApp } from '../../helpers/blacklist/app.js';
import { buildKey, buildWorkspace } from '../../helpers/factories.js';
import { startScriptedDns } from '../../helpers/machine/scripted-dns.js';
import { waitFor } from '../../helpers/wait.js';

const PATH = '/api/v1/blacklist/instant-check';

interface Shown {
  target: string;
  score: number | null;
  responding: number;
  checked_at: string;
  results: { provider: string; status: string; codes: string[] }[];
}

/** Two IP lists and one domain list, as in an operator's file. */
const folder = mkdtempSync(join(tmpdir(), 'picket-lists-'));
function catalogueOf(zones: readonly (readonly ['ip' | 'domain', string])[]) {
  const file = join(folder, `${zones.length}.json`);
  const rows = zones.map(([type, zone]) => ({
    ...{ id: zone.replaceAll('.', '-'), name: `List ${zone}`, zone, type },
    ...{ website: `https://${zone}/`, delist_url: `https://${zone}/removal` },
  }));
  writeFileSync(file, JSON.stringify(rows));
  return readProviders({ file, keys: new Map() });
}
const LISTS = [
  ['ip', 'one.lists.test'],
  ['ip', 'two.lists.test'],
  ['domain', 'names.lists.test'],
] as const;
const catalogue = catalogueOf(LISTS);

/** The records of the lists and of the domains' name servers. */
const records = new Map<string, string[]>([
  ['2.0.0.127.one.lists.test', ['127.0.0.2']],
  ['2.0.0.127.two.lists.test', ['127.0.0.2']],
  ['test.names.lists.test', ['127.0.0.2']],
]);
let isSilent = false;
const dns = await startScriptedDns(({ name }) => (isSilent ? 'silence' : (records.get(name) ?? 'NXDOMAIN')));
const queries = dns.questions;
/** Returns the number of queries about a target, without the tests of the lists. */
const queriesAbout = (part: string) => queries.filter(({ name }) => name.includes(part)).length;

/** A clock whose time the test sets. Only its timers run by themselves. */
let aheadMs = 0;
const begunMs = systemClock.now();
const clock: Clock = { ...systemClock, now: () => begunMs + aheadMs };
/** Skips to the fifth second of the next minute, so that the requests of a test are in one minute. */
function nextMinute(): void {
  aheadMs += 60_000 - (clock.now() % 60_000) + 5_000;
}

const common = { clock, catalogue, dnsServers: [dns.server] };
const app = await startBlacklistApp(common);
t.teardown(async () => {
  await app.stop();
  await dns.stop();
  rmSync(folder, { recursive: true });
});
const check = (target: string, options: { key?: string; headers?: Record<string, string> } = {}, of = app) =>
  of.request<Shown>('POST', PATH, { body: { target }, ...options });

t.test('an address is checked on every IP list', async (t) => {
  records.set('7.113.3.185.one.lists.test', ['127.0.0.2']);
  t.match(await check('185.3.113.7'), {
    status: 200,
    body: {
      data: {
        ...{ target: '185.3.113.7', type: 'ip', score: 50, rating: 'listed', listed: 1, clean: 1 },
        ...{ responding: 2, asked: 2, not_asked: [] },
        results: [
          {
            ...{ provider: 'one-lists-test', name: 'List one.lists.test', status: 'listed', codes: ['127.0.0.2'] },
            ...{ policy: false, delist_url: 'https://one.lists.test/removal', addresses: [] },
            response_time_ms: Number,
          },
          { provider: 'two-lists-test', status: 'clean', codes: [], reason: null },
        ],
      },
    },
  });
});

t.test('a domain is checked on the domain lists, and its addresses on the IP lists', async (t) => {
  records.set('shop.example.org', ['185.3.113.7', '185.3.113.8']);
  records.set('example.org.names.lists.test', ['127.0.0.2']);
  const { status, body } = await check('Shop.Example.ORG.');
  t.equal(status, 200);
  t.match(body.data, {
    ...{ target: 'shop.example.org', type: 'domain', listed: 2, clean: 1, responding: 3 },
    results: [
      {
        status: 'listed',
        addresses: [
          { address: '185.3.113.7', status: 'listed' },
          { address: '185.3.113.8', status: 'clean' },
        ],
      },
      { status: 'clean', addresses: [{ status: 'clean' }, { status: 'clean' }] },
      { provider: 'names-lists-test', status: 'listed', addresses: [] },
    ],
  });
  const none = await check('nowhere.example.org');
  t.match(none.body.data, {
    ...{ responding: 1, asked: 1 },
    not_asked: [{ provider: 'one-lists-test', name: 'List one.lists.test' }, { provider: 'two-lists-test' }],
  });
});

t.test('a private or malformed target is refused without any query', async (t) => {
  const before = queries.length;
  for (const target of ['10.1.2.3', '::1', '169.254.169.254', 'localhost', '185.3.113.0/24', 'https://example.org']) {
    t.match(await check(target), { status: 422, body: { errors: [{ path: '/target' }] } }, target);
  }
  for (const body of [{}, { target: '' }, { target: 'example.org', tests: 'never' }, { target: ['example.org'] }]) {
    t.equal((await app.request('POST', PATH, { body })).status, 422, JSON.stringify(body));
  }
  t.equal(queries.length, before);
});

t.test('a result is shared for 60 s between callers, notations and control planes', async (t) => {
  nextMinute();
  const first = await check('185.3.113.20');
  const questions = queriesAbout('20.113.3.185');
  t.ok(questions > 0);
  const otherTenant = await buildKey(app.mongo, await buildWorkspace(app.mongo));
  const other = await startBlacklistApp({ ...common, beside: app });
  t.teardown(() => other.stop());
  aheadMs += 58_000;
  for (const again of [
    await check('185.3.113.20'),
    await check('::ffff:185.3.113.20', { key: otherTenant.key }),
    await check('185.3.113.20', {}, other),
  ]) {
    t.same(again.body.data, first.body.data);
  }
  t.equal(queriesAbout('20.113.3.185'), questions, 'the lists were queried once');
  aheadMs += 2_001;
  const later = await check('185.3.113.20', {}, other);
  t.not(later.body.data.checked_at, first.body.data.checked_at);
  t.equal(queriesAbout('20.113.3.185'), 2 * questions, 'and again after a minute');
});

t.test('concurrent requests share one check', async (t) => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => check('185.3.113.30')));
  t.ok(answers.every(({ status }) => status === 200));
  t.equal(new Set(answers.map(({ body }) => body.data.checked_at)).size, 1);
  const names = queries.filter(({ name }) => name.startsWith('30.113.3.185.one'));
  t.equal(names.length, 2, 'A and TXT');
});

t.test('control planes with another catalogue share no results', async (t) => {
  const smaller = await startBlacklistApp({ ...common, catalogue: catalogueOf(LISTS.slice(1)), beside: app });
  t.teardown(() => smaller.stop());
  t.equal((await check('185.3.113.40')).body.data.results.length, 2);
  t.equal((await check('185.3.113.40', {}, smaller)).body.data.results.length, 1);
});

t.test('a check without any answer is shared for only 5 s', async (t) => {
  nextMinute();
  isSilent = true;
  const first = await check('185.3.113.50');
  t.match(first, {
    status: 200,
    body: { data: { score: null, rating: null, listed: 0, clean: 0, responding: 0, asked: 2 } },
  });
  t.ok(first.body.data.results.every(({ status }) => status === 'timeout'));
  isSilent = false;
  aheadMs = Date.parse(first.body.data.checked_at) - begunMs + 4_000;
  t.equal((await check('185.3.113.50')).body.data.responding, 0, 'still the result without answers');
  aheadMs += 1_001;
  t.match((await check('185.3.113.50')).body.data, { responding: 2, score: 100, rating: 'excellent' });
});

t.test('each key has a limit of checks a minute, across all control planes', async (t) => {
  nextMinute();
  const free = { ...common, plan: 'Free', jobs: true } as const;
  const small = await startBlacklistApp({ ...free, beside: app });
  const second = await startBlacklistApp({ ...free, beside: app });
  t.teardown(async () => {
    await small.stop();
    await second.stop();
  });
  const mine = { key: small.key };
  for (let n = 0; n < 10; n++) t.equal((await check(`185.3.114.${n}`, mine, small)).status, 200);
  const refused = await check('185.3.114.10', mine, small);
  t.match(refused, {
    status: 429,
    body: { code: 'rate_limited', detail: /The Free plan allows 10 instant checks a minute/ },
  });
  const waitS = Number(refused.headers.get('retry-after'));
  t.ok(waitS >= 1 && waitS <= 60, `${waitS} s`);
  t.equal(queriesAbout('10.114.3.185'), 0, 'a refused request is not checked');
  t.equal((await check('185.3.114.3', mine, small)).status, 200, 'a shared result is not counted');
  t.equal((await check('10.0.0.1', mine, small)).status, 422, 'an invalid request is not counted');
  const colleague = await buildKey(app.mongo, small.workspace);
  t.equal((await check('185.3.114.10', { key: colleague.key }, small)).status, 200, 'another key has its own limit');
  // The other control plane reads the counts when it writes its own, within a second, so it must have something to write.
  let n = 0;
  const used = async () => (await check(`185.3.115.${n++}`, mine, second)).status === 429;
  await waitFor('the other control plane knows', 60_000, used, 3_000);
  t.ok(n < 10, `after ${n} attempts there`);
  nextMinute();
  t.equal((await check('185.3.114.11', mine, small)).status, 200, 'the next minute');
});

t.test('the keys of a workspace together have the limit of two keys', async (t) => {
  nextMinute();
  const small = await startBlacklistApp({ ...common, plan: 'Free', beside: app });
  t.teardown(() => small.stop());
  const keys = await Promise.all(Array.from({ length: 4 }, () => buildKey(app.mongo, small.workspace)));
  const passed = [];
  let detail = '';
  for (const [index, { key }] of keys.entries()) {
    for (let n = 0; n < 8; n++) {
      const answer = await check(`185.3.${116 + index}.${n}`, { key }, small);
      if (answer.status === 200) passed.push(key);
      else detail = answer.body.detail;
    }
  }
  t.equal(passed.length, 20);
  t.match(detail, /allows 20 instant checks a minute for all API keys of a workspace together/);
  nextMinute();
  t.equal((await check('185.3.120.1', { key: keys[3]?.key ?? '' }, small)).status, 200, 'the next minute');
});

t.test('an Idempotency-Key gives one check and one response for a day', async (t) => {
  nextMinute();
  const headers = { 'idempotency-key': 'once' };
  const first = await check('185.3.113.60', { headers });
  aheadMs += 3_600_000;
  const again = await check('185.3.113.60', { headers });
  t.same(again.body, first.body);
  t.equal(again.headers.get('idempotent-replayed'), 'true');
  t.match(await check('185.3.113.61', { headers }), { status: 409, body: { code: 'idempotency_mismatch' } });
});

t.test('a result is returned even if storing it fails', async (t) => {
  nextMinute();
  await app.mongo.db.command({ collMod: 'blacklist_shared_checks', validator: { never: true } });
  const first = await check('185.3.113.70');
  t.equal(first.status, 200);
  const other = await startBlacklistApp({ ...common, beside: app });
  t.teardown(() => other.stop());
  await app.mongo.db.command({ collMod: 'blacklist_shared_checks', validator: {} });
  aheadMs += 1;
  t.not((await check('185.3.113.70', {}, other)).body.data.checked_at, first.body.data.checked_at);
});

t.test('expired shared results are deleted', async (t) => {
  const indexes = await app.mongo.db.collection('blacklist_shared_checks').indexes();
  t.ok(indexes.some(({ key, expireAfterSeconds }) => key['expires_at'] === 1 && expireAfterSeconds === 0));
});
