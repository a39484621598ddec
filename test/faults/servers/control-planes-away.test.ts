import t from 'tap';
import type { ControlPlaneDocument } from '../../../control-plane/nodes/documents.js';
import type { ServerDocument } from '../../../control-plane/servers/documents.js';
import { testDatabase } from '../../helpers/database.js';
import { temporaryFolder } from '../../helpers/machine/temporary-folder.js';
import { enrolNode, type FakeNode, type FakeStream } from '../../helpers/node-link/fake-node.js';
import { type ControlPlaneProcess, controlPlaneProcess } from '../../helpers/processes/control-plane-process.js';
import { waitFor } from '../../helpers/wait.js';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
/** The check for silent servers runs every two seconds, after a lease of ten seconds has ended. */
const OFFLINE_MS_MAX = 30_000;

const mongo = await testDatabase();
t.teardown(() => mongo.drop());
const servers = mongo.db.collection<ServerDocument>('servers');
const incidents = mongo.db.collection('incidents');
const leases = mongo.db.collection<{ _id: string }>('leases');
const planes = mongo.db.collection<ControlPlaneDocument>('control_planes');

async function enrol(at: ControlPlaneProcess): Promise<FakeNode> {
  const { body } = await at.api('POST', '/v1/servers/join-tokens');
  return enrolNode(body.data.token);
}

/** Connects and sends a sample, which sets the server online. */
async function online(agent: FakeNode): Promise<FakeStream> {
  const stream = await agent.connect();
  await stream.reports([{ atMs: Date.now(), values: [] }]);
  return stream;
}

/** As if the control planes had run for more than a minute already. */
async function runForLong(count: number): Promise<void> {
  await waitFor('heartbeats', 10_000, async () => {
    return (await planes.countDocuments({ seen_at: { $gt: new Date(Date.now() - 10_000) } })) >= count;
  });
  await planes.updateMany({}, [{ $set: { complete_from: { $subtract: ['$$NOW', 1] } } }]);
}

/** As if the servers had sent nothing for this long. */
async function silentFor(ms: number): Promise<Date> {
  const heard_at = new Date(Date.now() - ms);
  await servers.updateMany({}, { $set: { heard_at } });
  return heard_at;
}

const get = async (at: ControlPlaneProcess, { id }: FakeNode) => (await at.api('GET', `/v1/servers/${id}`)).body.data;
const isOffline = (at: ControlPlaneProcess, agent: FakeNode) =>
  waitFor('offline', OFFLINE_MS_MAX, async () => (await get(at, agent)).status === 'offline', 500);

t.test(
  'servers keep their status for a minute after control planes were away, then the dead ones are offline',
  async (t) => {
    const folder = temporaryFolder(t);
    const [one, two] = [await controlPlaneProcess(mongo.uri, folder), await controlPlaneProcess(mongo.uri, folder)];
    t.teardown(() => Promise.all([one.kill('SIGKILL'), two.kill('SIGKILL')]));
    await one.start();
    await two.start();
    const [first, orphan] = [await enrol(one), await enrol(two)];
    t.teardown(() => {
      for (const agent of [first, orphan]) agent.close();
    });
    await online(first);
    await online(orphan);
    await runForLong(2);
    const healthy = await get(one, orphan);
    t.equal(healthy.status, 'online');
    t.ok(Math.abs(Date.parse(healthy.status_as_of) - Date.now()) < OFFLINE_MS_MAX);

    await two.kill('SIGKILL');
    await silentFor(40_000);
    await isOffline(one, first);
    t.equal(
      (await get(one, orphan)).status,
      'online',
      'its agent has a minute to reconnect to the other control plane',
    );
    const [failed] = await planes.find().sort({ seen_at: 1 }).toArray();
    await planes.updateOne({ _id: failed?._id ?? '' }, { $set: { seen_at: new Date(Date.now() - MINUTE_MS) } });
    await isOffline(one, orphan);

    await online(first);
    await waitFor('online', 10_000, async () => (await get(one, first)).status === 'online');
    await one.kill('SIGKILL');
    const awaySince = await silentFor(HOUR_MS);
    await planes.updateMany({}, { $set: { seen_at: awaySince } });
    await leases.deleteMany({});
    await one.start();
    const returnedMs = Date.now();
    const asBefore = { status: 'online', status_as_of: awaySince.toISOString() };
    t.match(await get(one, first), asBefore);
    await waitFor('the first check', 10_000, () => leases.findOne({ _id: 'servers-offline' }));
    t.match(await get(one, first), asBefore, 'after the first check');
    const dead = await get(one, orphan);
    t.equal(dead.status, 'offline');
    t.ok(Date.parse(dead.status_as_of) < returnedMs - 1_000, `it may be back since ${dead.status_as_of}`);
    const offlineRows = (await one.api('GET', '/v1/servers?status=offline')).body.data;
    t.same(
      offlineRows.map(({ id }: { id: string }) => id),
      [orphan.id],
    );
    const opened = await incidents.countDocuments();
    await runForLong(1);
    await isOffline(one, first);
    await waitFor('the incident', 10_000, async () => (await incidents.countDocuments()) > opened);
    await waitFor('a heartbeat', 10_000, async () => {
      const { status_as_of } = await get(one, first);
      return Date.now() - Date.parse(status_as_of) < 5_000;
    });
  },
);
