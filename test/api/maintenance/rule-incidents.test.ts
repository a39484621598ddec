import t, { type Test } from 'tap';
import { createSilenceEnd } from '../../../control-plane/incidents/silence/end-job.js';
import { createMaintenanceEnd } from '../../../control-plane/incidents/silence/maintenance-end-job.js';
import { silenceIncident } from '../../../control-plane/incidents/silence/silence.js';
import { createTagsNow } from '../../../control-plane/incidents/silence/tags-now.js';
import { createMonitorStore } from '../../../control-plane/monitors/store.js';
import { createLogger } from '../../../kernel/logger.js';
import { testDatabase } from '../../helpers/database.js';
import { NO_DEPENDENCIES } from '../../helpers/dependencies/none.js';
import { openRecords, setUpWithWindows } from '../../helpers/maintenance/windows-of-verdicts.js';
import { LOCATIONS, person } from '../../helpers/verdicts/setup.js';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const WORKSPACE = 'ws_test';
const expiring = (not_after_ms: number) => ({
  ...{ grade: 'A' as const, not_after_ms, fingerprint: 'aa', issuer: 'Test CA', subject: 'a.example.com' },
  checked_at_ms: not_after_ms - DAY_MS,
});

async function world(t: Test) {
  const database = await testDatabase();
  const { it, clock, records, windows } = await setUpWithWindows(database.uri);
  t.teardown(async () => {
    await it.stop();
    await database.drop();
  });
  const { runTransaction } = it;
  const logger = createLogger({ name: 'test', level: 'silent' });
  const { db } = it.mongo;
  const servers = db.collection<{ _id: string; workspace_id: string; tags: string[] }>('servers');
  const tagsNow = createTagsNow({
    monitor: createMonitorStore(db).tagsOf,
    server: (workspace_id, ids) => servers.find({ workspace_id, _id: { $in: [...ids] } }).toArray(),
  });
  const needs = { ...it.manual, ...NO_DEPENDENCIES, maintenance: records.cache, runTransaction, logger, tagsNow };
  const tasks = [1, 2, 3].map(() => createMaintenanceEnd(needs));
  const incident = async () => it.incidents.unresolved(WORKSPACE, 'rule:one');
  return {
    ...{ it, clock, windows, incident },
    /** What a control plane does that knows no changes of others since `ready`. */
    late: async () => {
      const { cache } = openRecords(it.mongo, clock);
      await cache.ready();
      return createMaintenanceEnd({ ...needs, maintenance: cache });
    },
    /** Gives the server these tags. */
    tagServer: (tags: string[]) =>
      servers.updateOne({ _id: 'srv_a', workspace_id: WORKSPACE }, { $set: { tags } }, { upsert: true }),
    /** Opens the incident of a server, as alert rules do. */
    open: (tags: string[] = []) =>
      runTransaction((tx) =>
        it.incidents.open(tx, {
          ...{ workspaceId: WORKSPACE, kind: 'server', subject: 'rule:one', monitor: null, severity: 'warning', tags },
          ...{ resource: { type: 'server', id: 'srv_a', name: 'web-1' }, message: 'CPU', startedAtMs: clock.now() },
          ...{ decision: null, channels: null, runbookUrl: null },
        }),
      ),
    /** What three control planes do every few seconds. */
    compare: () => Promise.all(tasks.map((task) => task.runOnce())),
    silence: async (forMinutes: number) => {
      const id = (await incident())?._id ?? '';
      await runTransaction((tx) => silenceIncident(it.manual, tx, person(), { id, forMinutes }));
    },
    endSilences: () => createSilenceEnd(needs).runOnce(),
  };
}

t.test('an incident of a rule that opens in a window fires once when the window ends', async (t) => {
  const { it, clock, windows, incident, tagServer, open, compare } = await world(t);
  const window = await windows.open(10, { tags: ['db'] });
  await tagServer(['db']);
  t.match(await open(['db']), { status: 'silenced', maintenance: { id: window._id, fires: 'at_end' } });
  await compare();
  t.match(await incident(), { status: 'silenced' });
  await windows.extend(window._id, 5);
  await compare();
  t.match(await incident(), { maintenance: { until_ms: (window.ends_at_ms ?? 0) + 5 * MINUTE_MS } });

  await clock.advance(14 * MINUTE_MS);
  await compare();
  t.match(await incident(), { status: 'silenced' });
  t.same(await it.notified(), []);
  await clock.advance(MINUTE_MS);
  await compare();
  await compare();
  t.match(await incident(), { status: 'firing', silenced_at_ms: null, maintenance: null });
  t.same(await it.notified(), ['unsilenced'], 'once, although three control planes saw the end');
  t.same(await it.audited(), [
    'maintenance.created ada@example.com',
    'maintenance.extended ada@example.com',
    'alert.unsilenced system',
  ]);
});

t.test('when a window is deleted it fires; while another one covers it, it does not', async (t) => {
  const { clock, windows, incident, open, compare } = await world(t);
  const first = await windows.open(10, { server_ids: ['srv_a'] });
  await open();
  const second = await windows.open(20, { everything: true });
  await windows.remove(first._id);
  await compare();
  t.match(await incident(), { status: 'silenced', maintenance: { id: second._id } });
  await clock.advance(MINUTE_MS);
  await windows.end(second._id);
  await compare();
  t.match(await incident(), { status: 'firing' });
});

t.test('what recovers in the window never fires', async (t) => {
  const { it, clock, windows, incident, open, compare } = await world(t);
  await windows.open(10, { everything: true });
  await open();
  await it.runTransaction((tx) =>
    it.incidents.resolveSubject(tx, person(), {
      ...{ workspaceId: WORKSPACE, subject: 'rule:one', resolution: 'recovered', message: 'Fine.', recovery: null },
    }),
  );
  await clock.advance(11 * MINUTE_MS);
  await compare();
  t.equal(await incident(), null);
  t.notOk((await it.notified()).includes('unsilenced'));
});

t.test('a person who silences it too has the last word', async (t) => {
  const { clock, windows, incident, open, compare, silence, endSilences } = await world(t);
  await windows.open(10, { everything: true });
  await open();
  await silence(5);
  await clock.advance(6 * MINUTE_MS);
  await endSilences();
  t.match(await incident(), { status: 'silenced', silenced_by: null, silenced_until_ms: null }, 'the window lasts');
  await silence(30);
  await clock.advance(5 * MINUTE_MS);
  await compare();
  t.match(await incident(), { status: 'silenced', maintenance: null }, 'the silence of the person lasts');
  await clock.advance(30 * MINUTE_MS);
  await endSilences();
  t.match(await incident(), { status: 'firing' });
});

t.test('an expiring certificate is not forgotten when an outage in the same window takes its place', async (t) => {
  const { it, clock, windows, compare } = await world(t);
  await it.insert({ _id: 'mon_a', certificate: expiring(clock.now() + 2 * DAY_MS) });
  await windows.open(30, { monitor_ids: ['mon_a'] });
  // Nobody gets the end of what they were not told of.
  const told = async () => (await it.notified()).filter((event) => event !== 'resolved');
  const look = () => it.certificates.runDue(clock.now());
  const check = async (up: boolean) => {
    for (const code of LOCATIONS) await it.check('mon_a', code, up);
  };
  await look();
  t.match(await it.open('mon_a'), { kind: 'certificate', status: 'silenced' });
  await check(false);
  t.match(await it.open('mon_a'), { kind: 'monitor', status: 'silenced' });
  await clock.advance(1_000);
  await check(true);
  await clock.advance(5_000);
  await check(true);
  await look();
  t.match(await it.open('mon_a'), { kind: 'certificate', status: 'silenced' }, 'nobody knows of it so far');
  t.same(await told(), []);
  await clock.advance(30 * MINUTE_MS);
  await compare();
  t.match(await it.open('mon_a'), { kind: 'certificate', status: 'firing' });
  t.same(await told(), ['unsilenced']);
});

t.test('a control plane that has not read that a window was extended lets nothing fire', async (t) => {
  const { it, clock, windows, incident, open, late } = await world(t);
  const window = await windows.open(10, { everything: true });
  await open();
  const other = await late();
  await windows.extend(window._id, 10);
  await clock.advance(11 * MINUTE_MS);
  await other.runOnce();
  t.match(await incident(), { status: 'silenced' });
  t.same(await it.notified(), []);
  await clock.advance(10 * MINUTE_MS);
  await other.runOnce();
  t.match(await incident(), { status: 'firing' });
});

t.test(
  'a server that loses the tag of the window fires; one that gets the tag of another stays silenced',
  async (t) => {
    const { it, clock, windows, incident, tagServer, open, compare } = await world(t);
    await tagServer(['db']);
    await windows.open(60, { tags: ['db'] });
    await open(['db']);
    const other = await windows.open(30, { tags: ['web'] });
    await tagServer(['web']);
    await compare();
    t.match(await incident(), { status: 'silenced', maintenance: { id: other._id } });
    await tagServer(['mail']);
    await clock.advance(5_000);
    await compare();
    t.match(await incident(), { status: 'firing', maintenance: null });
    t.same(await it.notified(), ['unsilenced']);
  },
);

t.test('the certificate of a monitor that loses the tag fires, also after the silence of a person', async (t) => {
  const { it, clock, windows, compare, endSilences } = await world(t);
  for (const id of ['mon_a', 'mon_b'])
    await it.insert({ _id: id, tags: ['shop'], certificate: expiring(clock.now() + 2 * DAY_MS) });
  await windows.open(600, { tags: ['shop'] });
  await it.certificates.runDue(clock.now());
  const silenced = await it.open('mon_b');
  t.match(await it.open('mon_a'), { kind: 'certificate', status: 'silenced' });
  t.match(silenced, { kind: 'certificate', status: 'silenced' });
  await it.runTransaction((tx) => silenceIncident(it.manual, tx, person(), { id: silenced?._id ?? '', forMinutes: 5 }));
  await it.mongo.db.collection('monitors').updateMany({}, { $set: { tags: [] } });
  await compare();
  t.match(await it.open('mon_a'), { status: 'firing' });
  t.match(await it.open('mon_b'), { status: 'silenced' }, 'the silence of the person lasts');
  await clock.advance(5 * MINUTE_MS);
  await endSilences();
  t.match(await it.open('mon_b'), { status: 'firing' });
});
