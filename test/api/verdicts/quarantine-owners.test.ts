import t, { type Test } from 'tap';
import type { MonitorDocument } from '../../../control-plane/monitors/documents.js';
import { testDatabase } from '../../helpers/database.js';
import { LOCATIONS, liveResult, setUpVerdicts, type VerdictSetup } from '../../helpers/verdicts/setup.js';

const MINUTE_MS = 60_000;
const database = await testDatabase();
t.teardown(() => database.drop());
const first = await setUpVerdicts(database.uri);
await first.ensureIndexes();
await first.stop();

interface Tenant {
  workspace: string;
  owner: string;
  monitors: number;
}

/** A control plane on a database with the monitors of these tenants, each checked from every location. */
async function world(t: Test, tenants: readonly Tenant[]): Promise<VerdictSetup> {
  for (const { name } of await database.db.listCollections().toArray())
    await database.db.collection(name).deleteMany({});
  const it = await setUpVerdicts(database.uri);
  t.teardown(() => it.stop());
  const assigned: { monitorId: string; intervalSeconds: number; workspaceId: string }[] = [];
  for (const { workspace, owner, monitors } of tenants) {
    it.owners.push({ workspaceId: workspace, userId: owner });
    for (let index = 0; index < monitors; index++) {
      const _id = `mon_${workspace}_${index}`;
      const live = Object.fromEntries(LOCATIONS.map((code) => [code, liveResult(true, it.clock.now())]));
      await it.insert({ _id, workspace_id: workspace, live });
      assigned.push({ monitorId: _id, intervalSeconds: 60, workspaceId: workspace });
    }
  }
  for (const code of LOCATIONS) it.assigned.set(code, assigned);
  await it.clock.advance(MINUTE_MS);
  return it;
}

/** Checks every monitor from every location; those of `failing` workspaces fail from sin, and those of `down` from everywhere. */
async function round(it: VerdictSetup, failing: readonly string[], down: readonly string[] = []): Promise<void> {
  const monitors = it.mongo.db.collection<MonitorDocument>('monitors');
  const all = await monitors.find({}, { projection: { workspace_id: 1 } }).toArray();
  for (const up of [false, true]) {
    for (const code of LOCATIONS) {
      const isUp = (workspace: string) =>
        !(down.includes(workspace) || (code === 'sin' && failing.includes(workspace)));
      const checked = all.filter(({ workspace_id }) => isUp(workspace_id) === up).map(({ _id }) => _id);
      if (checked.length === 0) continue;
      await monitors.updateMany(
        { _id: { $in: checked } },
        { $set: { [`live.${code}`]: liveResult(up, it.clock.now()) } },
      );
      await it.evaluator.evaluate(checked);
    }
    await it.clock.advance(1_000);
  }
  for (let second = 0; second < 3; second++) {
    await it.clock.advance(1_000);
    await it.health.tick();
    await it.sweep.run();
  }
}

const quarantinedOf = (it: VerdictSetup) => it.health.quarantined().map(({ location }) => location);
const FIVE = ['a1', 'a2', 'a3', 'a4', 'a5'].map((workspace) => ({ workspace, owner: 'usr_a', monitors: 4 }));
const tenant = (workspace: string, monitors: number): Tenant => ({ workspace, owner: `usr_${workspace}`, monitors });
const names = (tenants: readonly Tenant[]) => tenants.map(({ workspace }) => workspace);

t.test('one person with five workspaces does not get a location quarantined for others', async (t) => {
  const others = [tenant('b', 5), tenant('c', 3), tenant('d', 3)];
  const it = await world(t, [...FIVE, ...others]);
  await round(it, names(FIVE));
  t.same(quarantinedOf(it), [], '20 of 31 monitors fail, of one owner');
  await round(it, [...names(FIVE), 'b']);
  t.same(quarantinedOf(it), [], 'those of two owners fail');
});

t.test('nor does one person keep a broken location from being quarantined', async (t) => {
  const others = [tenant('b', 5), tenant('c', 5), tenant('d', 5)];
  const many = FIVE.map((one) => ({ ...one, monitors: 8 }));
  const it = await world(t, [...many, ...others]);
  await round(it, names(others));
  t.same(
    quarantinedOf(it),
    ['sin'],
    '15 of 55 monitors fail, but of three owners, and those of the fourth count as ten',
  );
  await it.clock.advance(MINUTE_MS);
  await round(it, names(many));
  await it.clock.advance(MINUTE_MS);
  await round(it, names(many));
  await round(it, names(many));
  t.same(quarantinedOf(it), [], 'failures of one owner do not prolong it either');
});

t.test('a person who owns everything decides alone', async (t) => {
  const it = await world(t, FIVE);
  await round(it, names(FIVE));
  t.same(quarantinedOf(it), ['sin'], 'an installation with one tenant');
});

t.test('workspaces with a common owner count as those of one owner', async (t) => {
  const it = await world(t, [tenant('a', 10), tenant('b', 10), tenant('c', 10), tenant('d', 4)]);
  // Anna owns a and b, and Ben owns b and c.
  it.owners.push({ workspaceId: 'a', userId: 'usr_anna' }, { workspaceId: 'b', userId: 'usr_anna' });
  it.owners.push({ workspaceId: 'b', userId: 'usr_ben' }, { workspaceId: 'c', userId: 'usr_ben' });
  await round(it, ['a', 'b', 'c']);
  t.same(quarantinedOf(it), []);
});

t.test(
  'where monitors of two owners are, those of both must fail; an owner whose targets are down says nothing',
  async (t) => {
    const two = await world(t, [tenant('a', 12), tenant('b', 2)]);
    await round(two, ['a']);
    t.same(quarantinedOf(two), []);
    await two.clock.advance(MINUTE_MS);
    const both = await world(t, [tenant('a', 12), tenant('b', 2)]);
    await round(both, ['a', 'b']);
    t.same(quarantinedOf(both), ['sin']);
    const down = await world(t, [tenant('a', 12), tenant('b', 2)]);
    await round(down, ['a'], ['b']);
    t.same(quarantinedOf(down), ['sin']);
  },
);
