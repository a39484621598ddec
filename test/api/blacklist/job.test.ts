import { Registry } from 'prom-client';
import t, { type Test } from 'tap';
import { createWorkspacesStore } from '../../../control-plane/accounts/workspaces-store.js';
import type { BlacklistMonitorDocument, CheckDocument } from '../../../control-plane/blacklist/documents.js';
import { readProviders } from '../../../control-plane/blacklist/lists/providers.js';
import { createZoneTests } from '../../../control-plane/blacklist/lists/zone-tests.js';
import { createCheckTarget } from '../../../control-plane/blacklist/lookup/check-target.js';
import { createBlacklistMetrics } from '../../../control-plane/blacklist/metrics.js';
import { createCheckMonitor } from '../../../control-plane/blacklist/monitoring/check-monitor.js';
import { createMonitorJob } from '../../../control-plane/blacklist/monitoring/job.js';
import { blacklistRecordsSlice } from '../../../control-plane/blacklist/open.js';
import { createPlanCache } from '../../../control-plane/plans/cache.js';
import type { Standing } from '../../../control-plane/plans/standing.js';
import { createIds } from '../../../control-plane/storage/ids.js';
import { createLeaseStore } from '../../../control-plane/storage/leases/lease-store.js';
import { createRunTransaction } from '../../../control-plane/storage/transaction.js';
import { createTimelineStore } from '../../../control-plane/timeline/store.js';
import { type Clock, systemClock } from '../../../kernel/clock.js';
import { createDnsClient } from '../../../kernel/dns/dns-client.js';
import { createLogger } from '../../../kernel/logger.js';
import { systemRandom } from '../../../kernel/random.js';
import { monitorOf } from '../../helpers/blacklist/documents.js';
import { aheadClock } from '../../helpers/blacklist/lists.js';
import { testDatabase } from '../../helpers/database.js';
import { buildWorkspace } from '../../helpers/factories.js';
import { createGate } from '../../helpers/gate.js';
import { startRbldnsd } from '../../helpers/machine/rbldnsd.js';
import { type DnsQuestion, startScriptedDns } from '../../helpers/machine/scripted-dns.js';
import { WORKING } from '../../helpers/standing.js';
import { waitFor } from '../../helpers/wait.js';

const HOUR_MS = 3_600_000;

/** The standing of the workspace. */
let standing: Standing = WORKING;
const standingOf = async () => standing;

const mongo = await testDatabase();
const lists = await startRbldnsd();
/** A hook of the test before a query is forwarded to the lists. */
const script = { before: async (_question: DnsQuestion): Promise<'SERVFAIL' | 'NXDOMAIN' | null> => null };
const resolver = await startScriptedDns(async (question) => {
  return (await script.before(question)) ?? { forward: lists.server };
});
t.teardown(async () => {
  await resolver.stop();
  await lists.stop();
  await mongo.drop();
});

const data = blacklistRecordsSlice.open({ db: mongo.db });
await data.ensureIndexes();
const workspace = await buildWorkspace(mongo, { plan: 'Pro' });
const ids = createIds(systemClock, systemRandom);
const timeline = createTimelineStore(mongo.db, ids);
const runTransaction = createRunTransaction(mongo.client);
const logger = createLogger({ name: 'test', level: 'silent' });
const documents = mongo.db.collection<BlacklistMonitorDocument>('blacklist_monitors');

function withoutTimers(clock: Clock): Clock {
  return { ...clock, after: () => ({ cancel() {} }) };
}

// A monitor of an earlier test is due at some moment of the next hour, and a job holds the lease for some seconds.
t.beforeEach(async () => {
  await documents.deleteMany({});
  await mongo.db.collection('leases').deleteMany({});
});

/** The job of one control plane. A wait before a confirming check is recorded and moves the clock instead. */
function plane(owner: string) {
  const waits: number[] = [];
  const notified: { monitor: BlacklistMonitorDocument; check: CheckDocument }[] = [];
  const ahead = aheadClock();
  const clock: Clock = {
    ...ahead,
    async sleep(delayMs) {
      waits.push(delayMs);
      ahead.skip(delayMs);
    },
  };
  const catalogue = readProviders({ file: null, keys: new Map() });
  // No lookup ends by a limit: the lists are a process of their own, which a busy machine holds up.
  const dns = createDnsClient({ servers: [resolver.server], clock: withoutTimers(clock), attemptTimeoutMs: HOUR_MS });
  const zoneTests = createZoneTests({ catalogue, dns, clock, onChange: () => undefined });
  const checkMonitor = createCheckMonitor({
    ...data,
    ...{ ids, clock, runTransaction, timeline },
    checkTarget: createCheckTarget({ catalogue, dns, zoneTests, clock, logBlocked: () => {} }),
    lists: new Map(catalogue.providers.map((provider) => [provider.id, provider])),
    listener: {
      checked: async (_tx, monitor, check) => void notified.push({ monitor, check }),
      deleted: async () => undefined,
    },
    planOf: createPlanCache(createWorkspacesStore(mongo.db), clock),
    standingOf,
  });
  const job = createMonitorJob({ ...data, checkMonitor, leases: createLeaseStore(mongo.db), owner, clock, logger });
  return { job, waits, notified, zoneTests };
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

async function checkNow(id: string, by = first): Promise<BlacklistMonitorDocument> {
  await documents.updateOne({ _id: id }, { $set: { next_at_ms: Date.now() } });
  await by.job.runOnce();
  return read(id);
}

async function read(id: string): Promise<BlacklistMonitorDocument> {
  const monitor = await data.store.find(workspace.id, id);
  if (monitor === null) throw new Error('the monitor is gone');
  return monitor;
}

/** Holds up every question until it is opened. */
function holdUp(t: Test) {
  const gate = createGate();
  const held = { ...gate, questions: 0 };
  script.before = async () => {
    held.questions += 1;
    await gate.pass();
    return null;
  };
  t.teardown(() => {
    script.before = async () => null;
  });
  return held;
}

const checksOf = (id: string) =>
  mongo.db.collection<CheckDocument>('blacklist_checks').find({ monitor_id: id }).sort({ _id: 1 }).toArray();

async function change(edit: () => void): Promise<void> {
  edit();
  await lists.reloaded();
}

t.test('a due monitor is checked, saved, and due again within its period', async (t) => {
  const id = await insert();
  const waiting = await insert({ next_at_ms: Date.now() + HOUR_MS });
  const before = Date.now();
  t.equal(await first.job.runOnce(), 1, 'a monitor that is not due is not checked');
  const monitor = await read(id);
  t.match(monitor, { checks: 1, listings: [], last: { score: 100, listed: 0, clean: 10, responding: 10, asked: 10 } });
  t.equal(monitor.results.length, 10);
  t.ok(monitor.next_at_ms > before && monitor.next_at_ms <= Date.now() + HOUR_MS);
  const [check] = await checksOf(id);
  t.match(check, { _id: /^blc_/, workspace_id: workspace.id, changes: [], score: 100 });
  t.equal(check?._id, monitor.last?.check_id);
  const keptMs = Number(check?.expires_at) - Number(check?.checked_at_ms);
  t.equal(keptMs, 365 * 86_400_000, 'as long as the Pro plan keeps hourly values');
  await documents.updateOne({ _id: id }, { $set: { next_at_ms: Date.now() + HOUR_MS } });
  t.equal(await first.job.runOnce(), 0);
  t.same([first.waits, first.notified], [[], []], 'without a change, there is no notification');
  t.equal((await read(waiting)).checks, 0);
});

t.test('a domain that does not exist has no score, although no list has it', async (t) => {
  script.before = async ({ name }) => (name === 'gone.example.net' ? 'NXDOMAIN' : null);
  t.teardown(() => {
    script.before = async () => null;
  });
  const id = await insert({ target: 'gone.example.net', type: 'domain' });
  const figures = { score: null, rating: 'unresolvable', listed: 0 };
  t.match((await checkNow(id)).last, figures);
  t.match(await checksOf(id), [figures]);
  await documents.deleteOne({ _id: id });
});

t.test('a listing is checked twice, and then stored with its evidence', async (t) => {
  const id = await insert();
  await checkNow(id);
  await change(() => lists.list('bl.spamcop.net', '198.100.144.7', '127.0.0.2', 'Blocked - see example'));
  t.teardown(() => change(() => lists.clear('bl.spamcop.net', '198.100.144.7')));
  const queriesBefore = resolver.questions.length;
  const monitor = await checkNow(id);
  t.same(first.waits.splice(0), [5_000]);
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
  t.ok(Number(evidence?.confirmed.at_ms) >= Number(evidence?.first.at_ms) + 5_000);
  const again = resolver.questions.slice(queriesBefore).filter(({ name }) => name.endsWith('bl.spamcop.net'));
  t.equal(again.filter(({ name, type }) => name.startsWith('7.144.') && type === 'A').length, 2);
  t.ok(
    again.some(({ name }) => name === '1.0.0.127.bl.spamcop.net'),
    'the list was tested along with the second check',
  );
  const others = resolver.questions.slice(queriesBefore).filter(({ name }) => name.endsWith('psbl.surriel.com'));
  t.equal(others.filter(({ type }) => type === 'A').length, 1, 'the other lists were queried once');
  t.same(
    first.notified.splice(0).map(({ monitor, check }) => [monitor._id, check.changes.length]),
    [[id, 1]],
  );

  const later = await checkNow(id);
  t.same(first.waits, [], 'a known listing needs no second check');
  t.equal(later.listings[0]?.listed_since_ms, monitor.listings[0]?.listed_since_ms);
  t.ok(Number(later.listings[0]?.seen_at_ms) > Number(monitor.listings[0]?.seen_at_ms));

  await change(() => lists.clear('bl.spamcop.net', '198.100.144.7'));
  t.same((await checkNow(id)).listings, []);
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
  first.notified.splice(0);
});

t.test('a list that refuses, does not answer or fails its tests neither lists nor delists', async (t) => {
  const id = await insert();
  await change(() => lists.list('bl.spamcop.net', '198.100.144.7'));
  t.equal((await checkNow(id)).listings.length, 1);
  t.teardown(() => change(() => lists.clear('bl.spamcop.net')));

  await change(() => lists.refuse('bl.spamcop.net'));
  const refused = await checkNow(id);
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
  const failing = await checkNow(id);
  const status = (provider: string) => failing.results.find((result) => result.provider === provider)?.status;
  t.same(
    failing.listings.map(({ provider }) => provider),
    ['spamcop'],
    'an empty list delists nothing, a list of everything lists nothing',
  );
  t.same(['spamcop', 'psbl', 's5h', 'barracuda'].map(status), ['invalid', 'invalid', 'invalid', 'invalid']);
  t.same((await checksOf(id)).at(-1)?.changes, []);
  first.notified.splice(0);
  first.waits.splice(0);
});

t.test('two control planes that both assume they hold the lease save one check', async (t) => {
  const second = plane('second');
  const id = await insert();
  const held = holdUp(t);
  const leases = mongo.db.collection<{ _id: string; owner: string }>('leases');
  const running = first.job.runOnce();
  await held.reached;
  await leases.deleteOne({ _id: 'blacklist-monitors' });
  const asked = held.questions;
  const runningToo = second.job.runOnce();
  await waitFor('the second job has the lease, too', 5_000, () => leases.findOne({ owner: 'second' }), 5);
  await waitFor('queries of the second job', 20_000, () => held.questions > asked, 5);
  held.open();
  t.ok((await running) !== null);
  await runningToo;
  t.equal((await read(id)).checks, 1);
  t.equal((await checksOf(id)).length, 1);
  await second.job.stop();
});

t.test('a check that is aborted by a stop is not saved, and repeated by the next job', async (t) => {
  const [third, fourth] = [plane('third'), plane('fourth')];
  await mongo.db.collection('leases').deleteMany({});
  const id = await insert();
  const held = holdUp(t);
  const cut = third.job.runOnce();
  await held.reached;
  const stopped = third.job.stop();
  held.open();
  await stopped;
  await cut;
  t.match(await read(id), { checks: 0, last: null });
  t.same(await checksOf(id), []);
  t.equal(await fourth.job.runOnce(), 1);
  t.equal((await read(id)).checks, 1);
  await fourth.job.stop();
});

t.test('a monitor that fails to save does not stop the others, and a deleted one writes nothing', async (t) => {
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

t.test('the monitors of a stopped workspace are not checked, and are again once it works', async (t) => {
  standing = { ...WORKING, stopped: true };
  t.teardown(() => {
    standing = WORKING;
  });
  const own = plane('stopped');
  const id = await insert();
  const questions = resolver.questions.length;
  const before = Date.now();
  t.equal(await own.job.runOnce(), 0);
  t.equal(resolver.questions.length, questions, 'no list was asked');
  const waiting = await read(id);
  t.match(waiting, { checks: 0, last: null });
  t.ok(waiting.next_at_ms > before && waiting.next_at_ms <= Date.now() + 60_000, 'due again within a minute');
  standing = WORKING;
  t.equal((await checkNow(id, own)).checks, 1);
  await own.job.stop();
});

t.test('the metrics count the answers of each list, and show which lists fail', async (t) => {
  const registry = new Registry();
  const own = plane('metrics');
  const metrics = createBlacklistMetrics(registry, own.zoneTests);
  t.notMatch(await registry.metrics(), 'list_passing{', 'no value before the first test');
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
