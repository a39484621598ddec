import { Registry } from 'prom-client';
import t from 'tap';
import { createPlanCache } from '../../../control-plane/accounts/plan-cache.js';
import { createAccountsStore } from '../../../control-plane/accounts/store.js';
import type { BlacklistMonitorDocument, CheckDocument } from '../../../control-plane/blacklist/documents.js';
import { readProviders } from '../../../control-plane/blacklist/lists/providers.js';
import { createZoneTests } from '../../../control-plane/blacklist/lists/zone-tests.js';
import { createCheckTarget } from '../../../control-plane/blacklist/lookup/check-target.js';
import { createDnsClient } from '../../../control-plane/blacklist/lookup/dns-client.js';
import { createBlacklistMetrics } from '../../../control-plane/blacklist/metrics.js';
import { CONFIRM_AFTER_MS, createCheckMonitor } from '../../../control-plane/blacklist/monitoring/check-monitor.js';
import { createMonitorJob } from '../../../control-plane/blacklist/monitoring/job.js';
import { openBlacklistData } from '../../../control-plane/blacklist/open.js';
import { createIds } from '../../../control-plane/storage/ids.js';
import { createLeaseStore } from '../../../control-plane/storage/lease-store.js';
import { createRunTransaction } from '../../../control-plane/storage/transaction.js';
import { createTimelineStore } from '../../../control-plane/timeline/store.js';
import { type Clock, systemClock } from '../../../kernel/clock.js';
import { createLogger } from '../../../kernel/logger.js';
import { systemRandom } from '../../../kernel/random.js';
import { monitorOf } from '../../helpers/blacklist/documents.js';
import { testDatabase } from '../../helpers/database.js';
import { buildWorkspace } from '../../helpers/factories.js';
import { startRbldnsd } from '../../helpers/machine/rbldnsd.js';
import { type DnsQuestion, startScriptedDns } from '../../helpers/machine/scripted-dns.js';

const HOUR_MS = 3_600_000;
/** Longer than a test of a list is shared. */
const WAIT_MS = 1_100;
const mongo = await testDatabase();
const lists = await startRbldnsd();
/** What a test wants to happen before a question goes on to the lists. */
const script = { before: async (_question: DnsQuestion): Promise<'SERVFAIL' | null> => null };
const resolver = await startScriptedDns(async (question) => {
  return (await script.before(question)) ?? { forward: lists.server };
});
t.teardown(async () => {
  await resolver.stop();
  await lists.stop();
  await mongo.drop();
});

const data = openBlacklistData(mongo.db);
await data.ensureIndexes();
const workspace = await buildWorkspace(mongo, { plan: 'Pro' });
const ids = createIds(systemClock, systemRandom);
const timeline = createTimelineStore(mongo.db, ids);
const runTransaction = createRunTransaction(mongo.client);
const logger = createLogger({ name: 'test', level: 'silent' });
const documents = mongo.db.collection<BlacklistMonitorDocument>('blacklist_monitors');

/** One control plane's part of it. Waits for second looks are short, and written down. */
function plane(owner: string) {
  const waits: number[] = [];
  const told: { monitor: BlacklistMonitorDocument; check: CheckDocument }[] = [];
  const clock: Clock = {
    ...systemClock,
    sleep(delayMs, signal) {
      waits.push(delayMs);
      return systemClock.sleep(Math.min(delayMs, WAIT_MS), signal);
    },
  };
  const catalogue = readProviders({ file: null, keys: new Map() });
  const dns = createDnsClient({ servers: [resolver.server], clock });
  const zoneTests = createZoneTests({ catalogue, dns, clock, onChange: () => undefined });
  const checkMonitor = createCheckMonitor({
    ...data,
    ...{ ids, clock, runTransaction, timeline },
    checkTarget: createCheckTarget({ catalogue, dns, zoneTests, clock }),
    lists: new Map(catalogue.providers.map((provider) => [provider.id, provider])),
    listener: {
      checked: async (_tx, monitor, check) => void told.push({ monitor, check }),
      deleted: async () => undefined,
    },
    planOf: createPlanCache(createAccountsStore(mongo.db), clock),
  });
  const job = createMonitorJob({ ...data, checkMonitor, leases: createLeaseStore(mongo.db), owner, clock, logger });
  return { job, waits, told, zoneTests };
}

const first = plane('first');

async function insert(over: Partial<BlacklistMonitorDocument> = {}): Promise<string> {
  const monitor = monitorOf({
    ...{ workspace_id: workspace.id, target: '198.100.144.7', type: 'ip', frequency: 'hourly' },
    next_at_ms: Date.now(),
    ...over,
  });
  await documents.insertOne(monitor);
  return monitor._id;
}

async function look(id: string, by = first): Promise<BlacklistMonitorDocument> {
  await documents.updateOne({ _id: id }, { $set: { next_at_ms: Date.now() } });
  await by.job.runOnce();
  return read(id);
}

async function read(id: string): Promise<BlacklistMonitorDocument> {
  const monitor = await data.store.find(workspace.id, id);
  if (monitor === null) throw new Error('the monitor is gone');
  return monitor;
}

function slowly(delayMs: number) {
  return async () => {
    await systemClock.sleep(delayMs);
    return null;
  };
}

const checksOf = (id: string) =>
  mongo.db.collection<CheckDocument>('blacklist_checks').find({ monitor_id: id }).sort({ _id: 1 }).toArray();

async function change(edit: () => void): Promise<void> {
  edit();
  await lists.reloaded();
}

t.test('a monitor that is due is checked, noted, and due again within its period', async (t) => {
  const id = await insert();
  const waiting = await insert({ next_at_ms: Date.now() + HOUR_MS });
  t.equal(await first.job.runOnce(), 1, 'what is not due waits');
  const monitor = await read(id);
  t.match(monitor, { checks: 1, listings: [], last: { score: 100, listed: 0, clean: 10, responding: 10, asked: 10 } });
  t.equal(monitor.results.length, 10);
  t.ok(monitor.next_at_ms > Date.now() && monitor.next_at_ms <= Date.now() + HOUR_MS);
  const [check] = await checksOf(id);
  t.match(check, { _id: /^blc_/, workspace_id: workspace.id, changes: [], score: 100 });
  t.equal(check?._id, monitor.last?.check_id);
  const keptMs = Number(check?.expires_at) - Number(check?.checked_at_ms);
  t.equal(keptMs, 365 * 86_400_000, 'as long as the Pro plan keeps hours');
  t.equal(await first.job.runOnce(), 0);
  t.same([first.waits, first.told], [[], []], 'nobody is told that nothing happened');
  t.equal((await read(waiting)).checks, 0);
});

t.test('a listing is looked at twice, and then known with its evidence', async (t) => {
  const id = await insert();
  await look(id);
  await change(() => lists.list('bl.spamcop.net', '198.100.144.7', '127.0.0.2', 'Blocked - see example'));
  t.teardown(() => change(() => lists.clear('bl.spamcop.net', '198.100.144.7')));
  const asked = resolver.questions.length;
  const monitor = await look(id);
  t.same(first.waits.splice(0), [CONFIRM_AFTER_MS]);
  t.match(monitor, {
    listings: [
      {
        ...{ provider: 'spamcop', provider_name: 'SpamCop', zone: 'bl.spamcop.net', codes: ['127.0.0.2'] },
        ...{ policy: false, reason: 'Blocked - see example', addresses: [] },
        evidence: { first: { codes: ['127.0.0.2'] }, confirmed: { codes: ['127.0.0.2'] }, tested: true },
      },
    ],
    last: { score: 90, rating: 'healthy', listed: 1, clean: 9, responding: 10 },
  });
  const evidence = monitor.listings[0]?.evidence;
  t.ok(Number(evidence?.confirmed.at_ms) >= Number(evidence?.first.at_ms) + WAIT_MS);
  const again = resolver.questions.slice(asked).filter(({ name }) => name.endsWith('bl.spamcop.net'));
  t.equal(again.filter(({ name, type }) => name.startsWith('7.144.') && type === 'A').length, 2);
  t.ok(
    again.some(({ name }) => name === '1.0.0.127.bl.spamcop.net'),
    'the list was tried with its test entries beside the second look',
  );
  const others = resolver.questions.slice(asked).filter(({ name }) => name.endsWith('psbl.surriel.com'));
  t.equal(others.filter(({ type }) => type === 'A').length, 1, 'the other lists were asked once');
  t.same(
    first.told.splice(0).map(({ monitor, check }) => [monitor._id, check.changes.length]),
    [[id, 1]],
  );

  const later = await look(id);
  t.same(first.waits, [], 'what is known needs no second look');
  t.equal(later.listings[0]?.listed_since_ms, monitor.listings[0]?.listed_since_ms);
  t.ok(Number(later.listings[0]?.seen_at_ms) > Number(monitor.listings[0]?.seen_at_ms));

  await change(() => lists.clear('bl.spamcop.net', '198.100.144.7'));
  t.same((await look(id)).listings, []);
  const history = (await checksOf(id)).map(({ changes }) => changes.map(({ kind, provider }) => `${kind} ${provider}`));
  t.same(history, [[], ['listed spamcop'], [], ['delisted spamcop']]);
  const page = { workspaceId: workspace.id, fromMs: null, toMs: null, resourceId: id, after: null, limit: 10 };
  t.same(
    (await timeline.page(page)).map(({ type, message, actor }) => [type, message, actor]),
    [
      ['blacklist.delisted', '198.100.144.7 is no longer listed on SpamCop.', 'system'],
      ['blacklist.listed', '198.100.144.7 is listed on SpamCop.', 'system'],
    ],
  );
  first.told.splice(0);
});

t.test('a list that refuses, is silent or went mad neither lists nor delists', async (t) => {
  const id = await insert();
  await change(() => lists.list('bl.spamcop.net', '198.100.144.7'));
  t.equal((await look(id)).listings.length, 1);
  t.teardown(() => change(() => lists.clear('bl.spamcop.net')));

  await change(() => lists.refuse('bl.spamcop.net'));
  const refused = await look(id);
  t.match(refused, { listings: [{ provider: 'spamcop' }], last: { listed: 0, responding: 9, asked: 10 } });
  t.equal(refused.results.find(({ provider }) => provider === 'spamcop')?.status, 'blocked');

  await change(() => {
    lists.clear('bl.spamcop.net');
    lists.clear('bl.spamcop.net', '127.0.0.2');
    for (const zone of ['psbl.surriel.com', 'all.s5h.net', 'b.barracudacentral.org']) lists.wildcard(zone);
  });
  t.teardown(() =>
    change(() => {
      for (const zone of ['psbl.surriel.com', 'all.s5h.net', 'b.barracudacentral.org']) lists.clear(zone);
    }),
  );
  const mad = await look(id);
  const status = (provider: string) => mad.results.find((result) => result.provider === provider)?.status;
  t.same(
    mad.listings.map(({ provider }) => provider),
    ['spamcop'],
    'an emptied list delists nobody, one that lists the world lists nobody',
  );
  t.same(['spamcop', 'psbl', 's5h', 'barracuda'].map(status), ['invalid', 'invalid', 'invalid', 'invalid']);
  t.same((await checksOf(id)).at(-1)?.changes, []);
  first.told.splice(0);
  first.waits.splice(0);
});

t.test('two control planes that both believe they hold the lease note one check', async (t) => {
  const second = plane('second');
  const id = await insert();
  // The slower the resolver, the surer that both are at it at once.
  script.before = slowly(100);
  t.teardown(() => {
    script.before = async () => null;
  });
  const [a] = await Promise.all([
    first.job.runOnce(),
    (async () => {
      await systemClock.sleep(20);
      await mongo.db.collection('leases').deleteOne({ _id: 'blacklist-monitors' as never });
      return second.job.runOnce();
    })(),
  ]);
  t.ok(a !== null);
  t.equal((await read(id)).checks, 1);
  t.equal((await checksOf(id)).length, 1);
  await second.job.stop();
});

t.test('what a stop cuts off is noted nowhere, and done by the next', async (t) => {
  const [third, fourth] = [plane('third'), plane('fourth')];
  await mongo.db.collection('leases').deleteMany({});
  const id = await insert();
  script.before = slowly(300);
  t.teardown(() => {
    script.before = async () => null;
  });
  const cut = third.job.runOnce();
  await systemClock.sleep(100);
  await third.job.stop();
  await cut;
  t.match(await read(id), { checks: 0, last: null });
  t.same(await checksOf(id), []);
  t.equal(await fourth.job.runOnce(), 1);
  t.equal((await read(id)).checks, 1);
  await fourth.job.stop();
});

t.test('one that cannot be noted keeps no other from it, and a deleted one leaves nothing', async (t) => {
  await mongo.db.collection('leases').deleteMany({});
  const broken = await insert({ listings: null as never });
  const [good, gone] = [await insert(), await insert()];
  script.before = async () => {
    await documents.deleteOne({ _id: gone });
    return null;
  };
  t.teardown(() => {
    script.before = async () => null;
  });
  t.equal(await first.job.runOnce(), 1);
  t.equal((await read(good)).checks, 1);
  t.equal((await read(broken)).checks, 0);
  t.same(await checksOf(gone), []);
  await documents.deleteOne({ _id: broken });
});

t.test('the metrics say what each list answers, and which of them fail', async (t) => {
  const registry = new Registry();
  const own = plane('metrics');
  const metrics = createBlacklistMetrics(registry, own.zoneTests);
  t.notMatch(await registry.metrics(), 'list_passing{', 'nothing before a test');
  await change(() => lists.wildcard('psbl.surriel.com'));
  t.teardown(() => change(() => lists.clear('psbl.surriel.com')));
  await own.zoneTests.testAll();
  metrics.checked({
    ...{ target: 'x', type: 'ip', score: null, rating: null, listed: 0, clean: 0, responding: 0, asked: 1 },
    ...{ not_asked: [], checked_at_ms: 0, results: (await read(await insert())).results },
  });
  const text = await registry.metrics();
  t.match(text, 'picket_blacklist_list_passing{list="psbl"} 0');
  t.match(text, 'picket_blacklist_list_passing{list="spamcop"} 1');
});
