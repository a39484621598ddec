import { hostname } from 'node:os';
import { type Db, MongoClient } from 'mongodb';
import t, { type Test } from 'tap';
import { lastMongodUri } from '../../supervisor/mongod/home.js';
import type { AttackPlan, Counts } from '../helpers/attacks/attack.js';
import { startAttack } from '../helpers/attacks/start-attack.js';
import { startReceiver } from '../helpers/machine/webhook-receiver.js';
import { enrolNode, readJoinToken } from '../helpers/node-link/fake-node.js';
import { countedSite } from '../helpers/processes/counted-site.js';
import { peakMemory } from '../helpers/processes/peak-memory.js';
import { type Product, startProduct } from '../helpers/processes/product.js';
import { missingSlots, scheduledChecks } from '../helpers/results/scheduled-checks.js';
import { waitFor } from '../helpers/wait.js';

const LOCATIONS = ['fra', 'nyc', 'sin'];
const MONITORS = 50;
const INTERVAL_MS = 10_000;
/** Every location checks every monitor this often while the attack goes on. */
const ROUNDS = 3;
/** The latest start of a check after its slot. */
const LATENESS_MS_MAX = 1_000;
/** A flood of inventories alone once took 2.3 GiB. */
const MEMORY_MIB_MAX = 800;
const ATTACKS = ['bodies', 'agent', 'yaml', 'probe', 'strangers'];
/** A single request once took 43 s. The product logs stalls from a second on, which a busy machine causes as well. */
const STALL_MS_MAX = 5_000;
const ERRORS_MAX = 50;
const ANSWER_BYTES_MAX = 64 * 1024;
/** In a minute, from one address. */
const ANONYMOUS_REQUESTS_MAX = 300;
/** The attack goes on for this number of minutes at most, begun ones included. */
const MINUTES_MAX = 4;
/** For an agent that sends about 100 MiB. */
const STORED_BYTES_MAX = 4 * 1024 * 1024;

const created = async (product: Product, path: string, body?: object) => {
  const answer = await product.api('POST', path, body);
  if (answer.status !== 201) throw new Error(`POST ${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body.data;
};

/** Gives the attacker what it has: the key of a customer, an agent, and a drained probe that never had a monitor. */
async function planOf(product: Product, hiddenMonitorId: string): Promise<AttackPlan> {
  const probeToken = (await created(product, '/v1/admin/probes/join-tokens', { location: 'fra' })).token;
  const probe = await enrolNode(probeToken);
  const drained = await product.api('PATCH', `/v1/admin/probes/${probe.id}`, { drained: true });
  if (drained.status !== 200) throw new Error(`draining answered ${drained.status}`);
  const agent = await enrolNode((await created(product, '/v1/servers/join-tokens')).token);
  const key = await created(product, '/v1/api-keys', { name: 'attacker' });
  const { address, fingerprint } = readJoinToken(probeToken);
  return {
    ...{ url: product.url, grpcAddress: address, fingerprint, apiKey: key.key, hiddenMonitorId },
    agent: { id: agent.id, credential: agent.credential },
    probe: { id: probe.id, credential: probe.credential, location: 'fra' },
  };
}

/** Each attack went on, and was refused as documented. */
function expectAttacks(t: Test, counts: Counts): void {
  const of = (what: string) => counts[what] ?? 0;
  const named = (start: string) => Object.keys(counts).filter((name) => name.startsWith(start));
  for (const name of ATTACKS) t.ok(of(`${name} rounds`) >= ROUNDS, `${name}: ${of(`${name} rounds`)} rounds`);
  t.same(
    Object.keys(counts).filter((name) => / failed|no Retry-After|^requests 50[02]/.test(name)),
    [],
  );
  t.same(named('bodies '), ['bodies 422', 'bodies rounds'], 'every invalid body is refused as such');
  t.ok(of('largest number of errors') <= ERRORS_MAX, `${of('largest number of errors')} errors`);
  const answerBytes = of('largest answer to a body, bytes');
  t.ok(answerBytes < ANSWER_BYTES_MAX, `an answer of ${answerBytes} bytes`);
  t.ok(of('checks of hostile targets') >= ROUNDS, 'the targets with the largest Content-Type were checked');
  t.ok(
    of('agent RESOURCE_EXHAUSTED') + of('agent INVALID_ARGUMENT') > 0,
    'inventories of too many disks end the stream',
  );
  t.same(named('YAML files ').sort(), ['YAML files 422', 'YAML files 429'], 'no file is imported');
  t.ok(of('YAML files 429') > of('YAML files 422'), 'most files are refused unread');
  t.equal(of('results accepted'), 0, 'no result of the drained probe is accepted');
  t.ok(of('results refused: slot_ms is in the future') > 0);
  t.ok(of('results refused: not assigned to this probe') > 0);
  const served = named('requests ').reduce((sum, name) => (name === 'requests 429' ? sum : sum + of(name)), 0);
  t.ok(served > 0 && served <= ANONYMOUS_REQUESTS_MAX * MINUTES_MAX, `${served} requests of strangers were served`);
  t.ok(of('requests 429') > served, 'most of them were refused');
  t.ok(of('guesses RESOURCE_EXHAUSTED') > 0, 'guesses of join tokens are limited');
  t.ok(of('connections ended') > 0, 'connections that say nothing end');
}

/** No process stood still for long, the only outage is the real one, and the honest agent is heard. */
async function expectHealth(
  t: Test,
  product: Product,
  own: { monitorIds: readonly string[]; hiddenMonitorId: string },
): Promise<void> {
  const stalls = [...product.output().matchAll(/"stalled_ms":(\d+)/g)].map(([, stalledMs]) => Number(stalledMs));
  const worstMs = Math.max(0, ...stalls);
  t.ok(worstMs < STALL_MS_MAX, `the longest stall of a process took ${worstMs} ms`);
  const alerts = await product.api('GET', '/v1/alerts?limit=200');
  const shown: Record<string, string | null>[] = alerts.body.data;
  // The attacker has monitors and a server as well, which end with it.
  const isOwn = (id: string | null | undefined) => [own.hiddenMonitorId, ...own.monitorIds].some((one) => one === id);
  t.same(
    shown.filter(({ monitor_id }) => isOwn(monitor_id)).map(({ monitor_id, status }) => ({ monitor_id, status })),
    [{ monitor_id: own.hiddenMonitorId, status: 'resolved' }],
    'one outage, and nothing else',
  );
  const servers = await product.api('GET', '/v1/servers');
  const honest = servers.body.data.filter(({ hostname: name }: { hostname: string }) => name === hostname());
  t.same(
    honest.map(({ status }: { status: string }) => status),
    ['online'],
  );
}

/** Returns what the database keeps of the samples of a server, packed or not. */
async function storedBytes(db: Db, serverId: string): Promise<number> {
  const range = { _id: { $gte: `${serverId}/`, $lt: `${serverId}/~` } };
  const sums = ['server_reports', 'server_metrics'].map(async (name) => {
    const pipeline = [{ $match: range }, { $group: { _id: null, bytes: { $sum: { $bsonSize: '$$ROOT' } } } }];
    const [sum] = await db.collection<{ _id: string }>(name).aggregate<{ bytes: number }>(pipeline).toArray();
    return sum?.bytes ?? 0;
  });
  return (await Promise.all(sums)).reduce((total, bytes) => total + bytes, 0);
}

/** Measures how long this process, which has nothing to do, must wait for a processor. */
function machineLag(): { worstMs(): number; stop(): void } {
  let [lastMs, worstMs] = [performance.now(), 0];
  const everyMs = 20;
  const timer = setInterval(() => {
    const nowMs = performance.now();
    worstMs = Math.max(worstMs, nowMs - lastMs - everyMs);
    lastMs = nowMs;
  }, everyMs);
  return { worstMs: () => Math.round(worstMs), stop: () => clearInterval(timer) };
}

t.test('while clients, agents, probes and strangers attack, every check is made in time', async (t) => {
  const site = await countedSite();
  const receiver = await startReceiver();
  // With the limits of the plan, and with an honest agent.
  const product = await startProduct({
    ...{ PICKET_LOCATIONS: LOCATIONS.join(','), PICKET_RATE_LIMIT: '', PICKET_LOCAL_AGENT: '1' },
  });
  const database = await MongoClient.connect((await lastMongodUri(product.dataDir)) ?? '');
  const lag = machineLag();
  const after: (() => unknown)[] = [lag.stop, () => database.close(), product.remove, receiver.close, site.close];
  t.teardown(async () => {
    for (const end of after) await end();
  });
  await created(product, '/v1/channels', { type: 'webhook', name: 'hook', config: { url: receiver.url } });
  const monitor = (name: string, locations: string[]) =>
    created(product, '/v1/monitors', {
      ...{ name, type: 'http', url: `${site.url}/${name}`, interval_seconds: INTERVAL_MS / 1_000, locations },
    });
  const monitorIds: string[] = [];
  for (let index = 0; index < MONITORS; index++) monitorIds.push((await monitor(`site-${index}`, LOCATIONS)).id);
  // Of one location, so that the votes of no other can show what the probe of the attacker hides.
  const hidden = await monitor('hidden', ['fra']);
  const plan = await planOf(product, hidden.id);
  const checkedSince = (from: number) =>
    site.seen.slice(from).filter(({ path }) => path.startsWith('/site-')).length >= MONITORS * LOCATIONS.length;
  await waitFor('the first checks', 60_000, () => checkedSince(0));

  const memory = peakMemory(await product.pid('control-plane'));
  await memory.resetPeak();
  const fromMs = Date.now();
  const attack = startAttack(plan);
  after.unshift(attack.kill);
  const didAll = () => ATTACKS.every((name) => (attack.counts()[`${name} rounds`] ?? 0) > 0);
  await waitFor('a round of every attack', 60_000, didAll).catch((error: Error) => {
    throw new Error(`${error.message}\n${JSON.stringify(attack.counts())}`);
  });
  site.failWhen(({ path }) => path === '/hidden');
  const failedMs = Date.now();
  const [opened] = await receiver.arrived(1, 90_000);
  t.comment(`the outage was notified after ${Date.now() - failedMs} ms`);
  t.match(opened?.json, { type: 'incident.opened', data: { incident: { monitor_id: hidden.id } } });
  site.failWhen(() => false);
  const [, resolved] = await receiver.arrived(2, 90_000);
  t.match(resolved?.json, { type: 'incident.resolved', data: { incident: { monitor_id: hidden.id } } });
  for (let round = 0; round < ROUNDS; round++) {
    const before = site.seen.length;
    await waitFor('another round of checks', 60_000, () => checkedSince(before));
  }
  const untilMs = Date.now();
  const counts = await attack.stop();
  const peakMib = await memory.peak();
  t.comment(JSON.stringify(counts, null, 1));

  const expected = { monitorIds, locations: LOCATIONS, intervalMs: INTERVAL_MS, fromMs, untilMs };
  const checks = await waitFor('the result of every slot', 30_000, async () => {
    const found = await scheduledChecks(database.db(), monitorIds);
    const missing = missingSlots(found, expected);
    if (missing.length > 0) throw new Error(`${missing.length} are missing: ${missing.slice(0, 5).join(', ')}`);
    return found.filter(({ slotMs }) => slotMs >= fromMs && slotMs <= untilMs);
  });
  const latenesses = checks.map(({ slotMs, checkedAtMs }) => checkedAtMs - slotMs).sort((a, b) => a - b);
  const worstMs = latenesses.at(-1) ?? Number.POSITIVE_INFINITY;
  const seconds = Math.round((untilMs - fromMs) / 1_000);
  t.comment(
    `${checks.length} checks in ${seconds} s, median ${latenesses[latenesses.length >> 1]} ms late, worst ${worstMs} ms; ` +
      `an idle process waited up to ${lag.worstMs()} ms; control plane up to ${Math.round(peakMib)} MiB`,
  );
  t.ok(worstMs < LATENESS_MS_MAX, `the latest check is ${worstMs} ms late; an idle process: ${lag.worstMs()} ms`);
  t.ok(peakMib < MEMORY_MIB_MAX, `the control plane takes ${Math.round(peakMib)} MiB`);
  expectAttacks(t, counts);
  await expectHealth(t, product, { monitorIds, hiddenMonitorId: hidden.id });
  const stored = await storedBytes(database.db(), plan.agent.id);
  t.ok(stored > 0 && stored < STORED_BYTES_MAX, `${stored} bytes of the agent of the attacker are stored`);
});
