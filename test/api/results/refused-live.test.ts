import t from 'tap';
import type { CertificateState, MonitorDocument } from '../../../control-plane/monitors/documents.js';
import { createLiveStore } from '../../../control-plane/results/live-store.js';
import { createLiveWrites } from '../../../control-plane/results/live-writes.js';
import { createWaitingStore } from '../../../control-plane/results/waiting-store.js';
import { createLogger } from '../../../kernel/logger.js';
import { testClock } from '../../helpers/clock.js';
import { testDatabase } from '../../helpers/database.js';
import { lockMonitor } from '../../helpers/locked-monitor.js';
import { buildMonitor } from '../../helpers/results/history.js';
import { liveUpdate as update } from '../../helpers/results/live-update.js';
import { refuseResults } from '../../helpers/results/refuse-results.js';
import { keepSetAside } from '../../helpers/set-aside.js';
import { waitFor } from '../../helpers/wait.js';

const logger = createLogger({ name: 'test', level: 'silent' });

async function scene(ids: readonly string[]) {
  const mongo = await testDatabase();
  const monitors = mongo.db.collection<MonitorDocument>('monitors');
  await monitors.insertMany(ids.map((_id) => buildMonitor({ _id })));
  const { setAside, kept } = keepSetAside();
  const live = createLiveStore(mongo.db, setAside);
  const find = (id: string) => monitors.findOne({ _id: id });
  return { mongo, live, kept, find };
}

t.test('a refused result does not keep its batch from being acknowledged', async (t) => {
  const { mongo, live, kept, find } = await scene(['mon_1', 'bad_1', 'mon_2']);
  t.teardown(() => mongo.drop());
  await refuseResults(mongo.db);
  await live.apply([update('mon_1', 2_000, { up: false })]);
  const older = update('mon_1', 1_000);
  t.same(await live.apply([older, update('bad_1', 1_000), update('mon_2', 1_000)]), []);

  t.match(await find('mon_2'), { live: { fra: { checked_at_ms: 1_000 } } });
  t.match(await find('mon_1'), { live: { fra: { checked_at_ms: 2_000 } }, good: { fra: { checked_at_ms: 1_000 } } });
  const record = { _id: 'bad_1', workspace_id: 'ws_history', location: 'fra', result: { checked_at_ms: 1_000 } };
  t.match(kept, [{ collection: 'monitors', record, error: { code: 121 } }]);
  t.equal(kept.length, 1);
});

t.test('an older result is set aside too if only its certificate is refused', async (t) => {
  const { mongo, live, kept } = await scene(['mon_1']);
  t.teardown(() => mongo.drop());
  await mongo.db.command({ collMod: 'monitors', validator: { certificate: null } });
  await live.apply([update('mon_1', 2_000)]);
  const certificate = { checked_at_ms: 1_000 } as CertificateState;
  t.same(await live.apply([{ ...update('mon_1', 1_000), certificate }]), []);
  t.match(kept, [{ record: { _id: 'mon_1', certificate } }]);
});

t.test('of the results of locked monitors, those that are refused leave and the others are written', async (t) => {
  const { mongo, live, kept, find } = await scene(['mon_1', 'bad_1']);
  const clock = testClock();
  const writes = createLiveWrites({ live, waiting: createWaitingStore(mongo.db), owner: 'a', clock, logger });
  const releases = [await lockMonitor(mongo.uri, 'mon_1'), await lockMonitor(mongo.uri, 'bad_1')];
  t.teardown(async () => {
    for (const release of releases) await release();
    await writes.stop();
    await mongo.drop();
  });
  await writes.start();
  await writes.apply([update('bad_1', 1_000), update('mon_1', 1_000)]);
  const stored = mongo.db.collection('results_waiting');
  t.equal(await stored.countDocuments(), 2);

  for (const release of releases) await release();
  await refuseResults(mongo.db);
  await waitFor('nothing waits', 20_000, async () => {
    await clock.advance(1_000);
    return (await stored.countDocuments()) === 0;
  });
  t.match(await find('mon_1'), { live: { fra: { checked_at_ms: 1_000 } } });
  // Two tasks write what waits, so that it may be set aside by both.
  t.same([...new Set(kept.map(({ record }) => record['_id']))], ['bad_1']);
});
