import t from 'tap';
import type { MonitorDocument } from '../../../control-plane/monitors/documents.js';
import { createAdoption } from '../../../control-plane/results/adoption.js';
import { createLiveStore, type LiveStore, type LiveUpdate } from '../../../control-plane/results/live-store.js';
import { createWaitingStore } from '../../../control-plane/results/waiting-store.js';
import { testDatabase } from '../../helpers/database.js';
import { buildMonitor } from '../../helpers/results/history.js';
import { liveUpdate as update } from '../../helpers/results/live-update.js';
import { refuseResults } from '../../helpers/results/refuse-results.js';
import { keepSetAside } from '../../helpers/set-aside.js';

/** The result of each monitor, as a control plane has kept it that was killed. */
async function kept(ids: readonly string[]) {
  const mongo = await testDatabase();
  const waiting = createWaitingStore(mongo.db);
  // One after the other, so that their times have this order.
  for (const id of ids) await waiting.keep([{ id: `killed/${id}`, revision: 1, updates: [update(id, 1_000)] }]);
  const longAgo = { $set: { kept_at: { $subtract: ['$kept_at', 120_000] } } };
  await mongo.db.collection('results_waiting').updateMany({}, [longAgo]);
  const left = async () => (await waiting.kept(0, 10)).map(({ updates }) => updates[0]?.monitorId).sort();
  return { mongo, waiting, left };
}

t.test('monitors that stay locked do not keep younger results from being tried', async (t) => {
  const { mongo, waiting, left } = await kept(['mon_1', 'mon_2', 'mon_3', 'mon_4', 'mon_free']);
  t.teardown(() => mongo.drop());
  const tried: string[][] = [];
  /** All but one are locked, and there is time for two. */
  const write = async (updates: readonly LiveUpdate[]) => {
    const inTime = updates.slice(0, 2);
    tried.push(inTime.map(({ monitorId }) => monitorId));
    return [...updates.slice(2), ...inTime.filter(({ monitorId }) => monitorId !== 'mon_free')];
  };
  const adopt = createAdoption({ live: { apply: write, applyEach: write }, waiting });
  for (let runs = 0; runs < 3; runs++) await adopt();
  t.same(tried, [
    ['mon_1', 'mon_2'],
    ['mon_3', 'mon_4'],
    ['mon_free', 'mon_1'],
  ]);
  t.same(await left(), ['mon_1', 'mon_2', 'mon_3', 'mon_4']);
});

t.test('results that the database refuses are set aside, and the others are written', async (t) => {
  const refused = ['bad_1', 'bad_2', 'bad_3', 'bad_4'];
  const { mongo, waiting, left } = await kept([...refused, 'mon_1', 'mon_2']);
  t.teardown(() => mongo.drop());
  const monitors = mongo.db.collection<MonitorDocument>('monitors');
  await monitors.insertMany([...refused, 'mon_1', 'mon_2'].map((_id) => buildMonitor({ _id })));
  await refuseResults(mongo.db);
  const { setAside, kept: aside } = keepSetAside();
  await createAdoption({ live: createLiveStore(mongo.db, setAside), waiting })();

  t.same(await left(), []);
  t.same(aside.map(({ record }) => record['_id']).sort(), refused);
  for (const id of ['mon_1', 'mon_2']) t.ok((await monitors.findOne({ _id: id }))?.live['fra'], id);
});

t.test('results whose refusal says nothing about them stay, and keep no others waiting', async (t) => {
  const failing = ['bad_1', 'bad_2', 'bad_3', 'bad_4'];
  const { mongo, waiting, left } = await kept([...failing, 'mon_1', 'mon_2']);
  t.teardown(() => mongo.drop());
  const written: string[] = [];
  const write = async (updates: readonly LiveUpdate[]) => {
    const bad = updates.find(({ monitorId }) => monitorId.startsWith('bad_'));
    if (bad !== undefined) throw new Error('the disk is full');
    written.push(...updates.map(({ monitorId }) => monitorId));
    return [];
  };
  const adopt = createAdoption({ live: { apply: write, applyEach: write }, waiting });

  await t.rejects(adopt(), /disk/, 'it is logged');
  t.equal((await left()).length, 6, 'three in a row: the database may refuse everything');
  await t.rejects(adopt(), /disk/);
  t.same(await left(), failing, 'they come last the next time');
  t.same(written.sort(), ['mon_1', 'mon_2']);
});

t.test('without a database, it gives up at once', async (t) => {
  const { mongo, waiting } = await kept(['mon_1', 'mon_2', 'mon_3', 'mon_4', 'mon_5']);
  t.teardown(() => mongo.drop());
  let calls = 0;
  const fail = () => {
    calls += 1;
    return Promise.reject(new Error('away'));
  };
  const live: LiveStore = { apply: fail, applyEach: fail };
  await t.rejects(createAdoption({ live, waiting })(), /away/);
  t.equal(calls, 4, 'together, and three by themselves');
});
