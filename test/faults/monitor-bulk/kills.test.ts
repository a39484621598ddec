import t from 'tap';
import type { BulkJobDocument } from '../../../control-plane/monitor-bulk/documents.js';
import type { MonitorDocument } from '../../../control-plane/monitors/documents.js';
import { testDatabase } from '../../helpers/database.js';
import { lockMonitor } from '../../helpers/locked-monitor.js';
import { settingsAsStored } from '../../helpers/monitor-bulk/app.js';
import { type ControlPlane, startControlPlane } from '../../helpers/processes/control-plane.js';
import { waitFor } from '../../helpers/wait.js';

const MONITORS = 2_000;
/** On a busy machine, one transaction with all of them takes longer than a request may. */
const ADDED_AT_ONCE = 200;
/** A process that is killed in a transaction leaves its locks to the database for a minute. */
const CONTINUED_MS_MAX = 120_000;

t.test(
  'kill -9 in the middle of a bulk change and of its undo: another control plane completes it, once',
  async (t) => {
    const mongo = await testDatabase();
    const first = await startControlPlane(mongo.uri);
    const others = [await startOther(first), await startOther(first)];
    t.teardown(async () => {
      for (const other of others) await other.stop();
      await first.remove();
      await mongo.drop();
    });
    const [second, third] = others;
    if (second === undefined || third === undefined) throw new Error('three control planes are needed');
    const jobs = mongo.db.collection<BulkJobDocument>('monitor_bulk_jobs');
    const stored = () => mongo.db.collection<MonitorDocument>('monitors').find().sort({ _id: 1 }).toArray();
    const settings = (monitors: MonitorDocument[]) =>
      monitors.map((monitor) => JSON.stringify(settingsAsStored(monitor)));
    const names = Array.from({ length: MONITORS }, (_, n) => `Monitor ${n}`);
    const monitors = names.map((name, n) => ({ name, url: `${n}.example:1`, type: 'tcp', interval_seconds: 300 }));
    for (let from = 0; from < MONITORS; from += ADDED_AT_ONCE) {
      const some = monitors.slice(from, from + ADDED_AT_ONCE);
      const added = await first.api('POST', '/v1/monitors/bulk', { operation: 'add', monitors: some });
      t.match(added, { status: 202, body: { data: { state: 'applied', total: ADDED_AT_ONCE } } });
    }
    const before = await stored();
    t.equal(before.length, MONITORS);
    // They are changed in the order of their ids, and what is locked cannot be: so no change has ended before its kill.
    const lockLast = () => lockMonitor(mongo.uri, before.at(-1)?._id ?? '');

    const unlock = await lockLast();
    t.teardown(unlock);
    const started = await first.api('POST', '/v1/monitors/bulk', {
      ...{ operation: 'set', filter: {}, set: { retries: 4, tags: ['bulk'] } },
    });
    t.equal(started.status, 202);
    const { id } = started.body.data;
    await waitFor(
      'some parts to be written',
      30_000,
      async () => ((await jobs.findOne({ _id: id }))?.done ?? 0) > 0,
      1,
    );
    await first.kill();
    const atKill = await jobs.findOne({ _id: id });
    t.match(atKill, { state: 'applying' }, `killed after ${atKill?.done} of ${MONITORS}`);
    await unlock();
    await waitFor('another control plane to complete it', CONTINUED_MS_MAX, async () => isIn('applied'));
    const changed = await stored();
    t.ok(changed.every(({ retries, tags, version }) => retries === 4 && tags.join() === 'bulk' && version === 2));
    t.same(await entries('monitor.updated'), MONITORS, 'one audit entry for each monitor');

    const unlockAgain = await lockLast();
    t.teardown(unlockAgain);
    t.equal((await second.api('POST', `/v1/monitors/bulk/${id}/undo`)).status, 202);
    await waitFor('some parts to be undone', 60_000, async () => ((await jobs.findOne({ _id: id }))?.done ?? 0) > 0, 1);
    const holder = await mongo.db.collection<{ _id: string; owner: string }>('leases').findOne({ _id: 'monitor-bulk' });
    t.ok(holder);
    await second.kill();
    t.match(await jobs.findOne({ _id: id }), { state: 'undoing' });
    await unlockAgain();
    await waitFor('the third one to complete it', CONTINUED_MS_MAX, async () => isIn('undone'));
    t.same(settings(await stored()), settings(before), 'byte for byte');
    t.same(await entries('monitor.updated'), 2 * MONITORS);
    t.match((await third.api('GET', `/v1/monitors/bulk/${id}`)).body.data, { state: 'undone', kept: 0, skipped: 0 });

    async function isIn(state: BulkJobDocument['state']): Promise<boolean> {
      return (await jobs.findOne({ _id: id }))?.state === state;
    }
    function entries(action: string): Promise<number> {
      return mongo.db.collection('audit_log').countDocuments({ action });
    }
  },
);

async function startOther(first: ControlPlane): Promise<ControlPlane> {
  const { PICKET_HTTP_PORT: _http, PICKET_GRPC_PORT: _grpc, ...installation } = first.env;
  return startControlPlane(first.env['PICKET_MONGODB_URI'] ?? '', installation);
}
