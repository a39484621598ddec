import { MongoClient } from 'mongodb';
import t from 'tap';
import type { PresenceDocument } from '../../../control-plane/nodes/documents.js';
import { reportFault } from '../../helpers/fault-report.js';
import { startReplicaSet } from '../../helpers/machine/replica-set.js';
import { temporaryFolder } from '../../helpers/machine/temporary-folder.js';
import { startReceiver } from '../../helpers/machine/webhook-receiver.js';
import { probe } from '../../helpers/probe/setup.js';
import { type ControlPlaneProcess, controlPlaneProcess } from '../../helpers/processes/control-plane-process.js';
import { countedSite } from '../../helpers/processes/counted-site.js';
import { withAddresses } from '../../helpers/processes/joined-probe.js';
import { replayAlerts } from '../../helpers/processes/replayed-alerts.js';
import { missingSlots, scheduledChecks } from '../../helpers/results/scheduled-checks.js';
import { compare, storedResults } from '../../helpers/results/stored-results.js';
import { waitFor } from '../../helpers/wait.js';

const MEMBERS = 3;
const LOCATIONS = ['fra', 'nyc', 'sin'];
const INTERVAL_MS = 10_000;
/** One has an outage during each fault, the others have none. */
const MONITORS = 12;
const CHANNELS = ['/first', '/second'];
/** A probe that has lost its control plane may wait for 30 s before it tries the next one. */
const NOTICED_MS_MAX = 120_000;

/** What can be killed, and started again. */
interface Fault {
  name: string;
  kill(): Promise<void>;
  repair(): Promise<void>;
}

t.test('three control planes on three members: kill -9 of each, one after the other, during outages', async (t) => {
  const set = await startReplicaSet(MEMBERS);
  const [site, receiver, dataDir] = [await countedSite(), await startReceiver(), temporaryFolder(t)];
  const planes = await Promise.all(LOCATIONS.map(() => controlPlaneProcess(set.uri('picket'), dataDir)));
  const database = new MongoClient(set.uri('picket'));
  t.teardown(async () => {
    await Promise.all(planes.map((plane) => plane.kill('SIGKILL')));
    await database.close();
    await set.remove();
    await receiver.close();
    await site.close();
  });
  const [first, ...others] = planes;
  if (first === undefined) throw new Error('no control plane');
  await first.start();
  await Promise.all(others.map((plane) => plane.start()));
  const monitorIds = await prepare(first, site.url, receiver.url);
  for (const [index, location] of LOCATIONS.entries()) {
    const { body } = await first.api('POST', '/v1/admin/probes/join-tokens', { location });
    // Each probe prefers another control plane, so that each of them has one to lose.
    const addresses = [...planes.slice(index), ...planes.slice(0, index)].map(({ grpcAddress }) => grpcAddress);
    probe(t, ['--join', withAddresses(body.data.token, addresses.join()), '--data', temporaryFolder(t)]);
  }
  /** Waits until every location has checked every monitor since the call. */
  const round = () => {
    const before = site.seen.length;
    const checked = () => new Set(site.seen.slice(before).map(({ location, path }) => `${location}${path}`)).size;
    return waitFor('a round of checks', NOTICED_MS_MAX, () => checked() === MONITORS * LOCATIONS.length);
  };
  await round();
  const fromMs = Date.now();

  const killed = new Set<number>();
  /** The primary, unless it has been killed before: then a member that has not. */
  const nextMember = async () => {
    const primary = await set.primary();
    if (!killed.has(primary)) return primary;
    return [0, 1, 2].find((member) => !killed.has(member)) ?? primary;
  };
  let member = 0;
  const faults: Fault[] = [
    ...planes.map((plane, index) => ({
      name: `control plane ${index}`,
      kill: () => plane.kill('SIGKILL'),
      repair: () => plane.start(),
    })),
    ...Array.from({ length: MEMBERS }, (_, index) => ({
      name: `member of the replica set, number ${index}`,
      async kill() {
        member = await nextMember();
        killed.add(member);
        await set.kill(member);
      },
      repair: () => set.restart(member),
    })),
  ];
  let failing = '';
  site.failWhen(({ path }) => path === failing);
  const notified = (index: number, type: string) =>
    waitFor(`${type} of outage ${index} on each channel`, NOTICED_MS_MAX, () =>
      CHANNELS.every((channel) => idsOf(channel, type, monitorIds[index]).size > 0),
    );
  for (const [index, { name, kill, repair }] of faults.entries()) {
    const startedMs = Date.now();
    failing = `/${index}`;
    // At the moment in which the first location sees the outage, and the previous one ends.
    await waitFor('a failed check', 60_000, () =>
      site.seen.some(({ path, atMs }) => path === failing && atMs > startedMs),
    );
    await kill();
    await notified(index, 'incident.opened');
    if (index > 0) await notified(index - 1, 'incident.resolved');
    await repair();
    t.comment(`${name}: ${Date.now() - startedMs} ms`);
  }
  t.same([...killed].sort(), [0, 1, 2], 'each member was killed');
  failing = '';
  await notified(faults.length - 1, 'incident.resolved');
  await round();
  const untilMs = Date.now();

  // The result of a check that has just ended may be in a spool at any time.
  await waitFor('every probe to be connected, with nothing old in its spool', NOTICED_MS_MAX, async () => {
    const { data } = (await first.api('GET', '/v1/admin/probes')).body;
    const done = data.filter((one: { connected: boolean; lag_ms: number | null; dropped_total: number }) => {
      return one.connected && one.lag_ms !== null && one.lag_ms < INTERVAL_MS && one.dropped_total === 0;
    });
    if (done.length === LOCATIONS.length) return true;
    throw new Error(JSON.stringify(data));
  });
  const expected = { monitorIds, locations: LOCATIONS, intervalMs: INTERVAL_MS, fromMs, untilMs };
  const checks = await waitFor('the result of every slot', 60_000, async () => {
    const found = await scheduledChecks(database.db(), monitorIds);
    const missing = missingSlots(found, expected);
    if (missing.length > 0) throw new Error(`${missing.length} are missing: ${missing.slice(0, 5).join(', ')}`);
    return found;
  });
  const slots = new Set(checks.map(({ monitorId, location, slotMs }) => `${monitorId} ${location} ${slotMs}`));
  t.equal(slots.size, checks.length, 'each slot is stored once');
  // A probe that could not run for a second repeats the checks under way: what it asked before has no result.
  const presence = database.db().collection<PresenceDocument>('node_presence');
  const stalled = await presence.distinct('location', { 'report.stalls_total': { $gt: 0 } });
  t.comment(`probes that stalled on this machine: ${stalled.join(', ') || 'none'}`);
  let paired = 0;
  for (const [index, id] of monitorIds.entries()) {
    const own = site.seen.filter(({ path }) => path === `/${index}`);
    const compared = await waitFor('the result of every request', 60_000, async () => {
      const found = compare(own, await storedResults(first, id), untilMs);
      const lost = found.lost.filter(({ location }) => !stalled.includes(location));
      if (lost.length === 0) return found;
      throw new Error(`${JSON.stringify(lost)}; without a request: ${JSON.stringify(found.invented)}`);
    });
    t.same(compared.invented, [], `monitor ${index}: each result is that of one request`);
    paired += compared.paired;
  }
  t.comment(`${paired} checks in ${Math.round((untilMs - fromMs) / 1_000)} s, ${slots.size} of them scheduled`);

  const { body } = await first.api('GET', '/v1/alerts?limit=200');
  const alerts: { id: string; monitor_id: string | null; status: string }[] = body.data;
  const outages = alerts.filter(({ monitor_id }) => monitor_id !== null);
  t.same(
    outages.map(({ monitor_id, status }) => ({ monitor_id, status })).reverse(),
    monitorIds.slice(0, faults.length).map((monitor_id) => ({ monitor_id, status: 'resolved' })),
    'one incident for each outage, and no other',
  );
  t.comment(`${alerts.length - outages.length} alerts about locations`);
  reportFault({
    fault: 'seven faults on three control planes',
    of: 'scheduled checks',
    expected: slots.size,
    seen: checks.length,
    lost: 0,
    doubled: checks.length - slots.size,
    falsePages: outages.length - faults.length,
  });
  for (const [index, id] of monitorIds.entries()) {
    for (const channel of CHANNELS) {
      for (const type of ['incident.opened', 'incident.resolved']) {
        t.equal(
          idsOf(channel, type, id).size,
          index < faults.length ? 1 : 0,
          `${channel}: ${type} of monitor ${index}`,
        );
      }
    }
  }
  t.ok((await replayAlerts(first)) >= faults.length, 'every decision replays from its record');

  /** Returns the ids of the notifications. One whose delivery was cut off by a kill comes again with the same id. */
  function idsOf(channel: string, type: string, monitorId: string | undefined): Set<string> {
    const own = receiver.requests.filter(
      ({ path, json }) => path === channel && json.type === type && json.data.incident.monitor_id === monitorId,
    );
    return new Set(own.map(({ headers }) => headers['webhook-id'] ?? ''));
  }
});

/** Creates the channels and the monitors. Returns the ids of the monitors. */
async function prepare(plane: ControlPlaneProcess, siteUrl: string, receiverUrl: string): Promise<string[]> {
  const created = async (path: string, body: object): Promise<string> => {
    const answer = await plane.api('POST', path, body);
    if (answer.status !== 201)
      throw new Error(`POST ${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.body.data.id;
  };
  for (const path of CHANNELS) {
    await created('/v1/channels', { type: 'webhook', name: path.slice(1), config: { url: `${receiverUrl}${path}` } });
  }
  const ids: string[] = [];
  for (let index = 0; index < MONITORS; index++) {
    const settings = { name: `site ${index}`, type: 'http', url: `${siteUrl}/${index}`, locations: LOCATIONS };
    ids.push(await created('/v1/monitors', { ...settings, interval_seconds: INTERVAL_MS / 1_000, retries: 0 }));
  }
  return ids;
}
