import t, { type Test } from 'tap';
import type { WindowDocument } from '../../../control-plane/maintenance/documents.js';
import { testDatabase } from '../../helpers/database.js';
import { openRecords, setUpWithWindows } from '../../helpers/maintenance/windows-of-verdicts.js';
import { LOCATIONS } from '../../helpers/verdicts/setup.js';

const MINUTE_MS = 60_000;

async function world(t: Test) {
  const database = await testDatabase();
  const { it, clock, records, windows } = await setUpWithWindows(database.uri);
  t.teardown(async () => {
    await it.stop();
    await database.drop();
  });
  const all = async (id: string, up: boolean) => {
    for (const code of LOCATIONS) await it.check(id, code, up);
  };
  return { it, clock, records, windows, fail: (id: string) => all(id, false) };
}

t.test('an outage in a window fires once, when checks fail that are due after its end', async (t) => {
  const { it, clock, windows, fail } = await world(t);
  await it.insert({ _id: 'mon_a', tags: ['db'] });
  const window = await windows.open(10, { tags: ['db', 'other'] });
  await fail('mon_a');
  t.match(await it.open('mon_a'), { status: 'silenced', maintenance: { id: window._id, name: 'Upgrade' } });
  t.match((await it.open('mon_a'))?.events[1], { type: 'silenced', until_ms: window.ends_at_ms });

  await windows.extend(window._id, 10);
  await clock.advance(15 * MINUTE_MS);
  await fail('mon_a');
  await it.sweep.run();
  t.match(await it.open('mon_a'), { status: 'silenced' }, 'it was extended');
  t.same(await it.notified(), []);
  await clock.advance(5 * MINUTE_MS);
  await it.sweep.run();
  t.match(await it.open('mon_a'), { status: 'silenced' }, 'no check is newer than the window');
  await fail('mon_a');
  await fail('mon_a');
  await it.sweep.run();
  t.match(await it.open('mon_a'), { status: 'firing', maintenance: null });
  t.same(await it.notified(), ['opened']);
  t.equal(
    (await it.audited()).filter((entry) => entry.startsWith('alert.unsilenced')).join(),
    'alert.unsilenced system',
    'as when a person ends a silence',
  );
});

t.test('an outage of something else fires at once', async (t) => {
  const { it, windows, fail } = await world(t);
  await it.insert({ _id: 'mon_b', tags: ['web'] });
  await windows.open(10, { tags: ['db'], monitor_ids: ['mon_other'], server_ids: ['mon_b'] });
  await fail('mon_b');
  t.match(await it.open('mon_b'), { status: 'firing' });
});

t.test('a window that was ended early or deleted silences nothing more', async (t) => {
  const { it, clock, windows, fail } = await world(t);
  for (const [id, stop] of [
    ['mon_c', windows.end],
    ['mon_d', windows.remove],
  ] as const) {
    await it.insert({ _id: id });
    const window = await windows.open(600, { monitor_ids: [id] });
    await fail(id);
    t.match(await it.open(id), { status: 'silenced' });
    await clock.advance(MINUTE_MS);
    await stop(window._id);
    await fail(id);
    t.match(await it.open(id), { status: 'firing' }, id);
  }
  t.same(await it.notified(), ['opened', 'opened']);
});

t.test('an incident that fires already is not silenced by a new window', async (t) => {
  const { it, clock, windows, fail } = await world(t);
  await it.insert({ _id: 'mon_e' });
  await fail('mon_e');
  await windows.open(10, { everything: true });
  await clock.advance(MINUTE_MS);
  await fail('mon_e');
  t.match(await it.open('mon_e'), { status: 'firing' });
});

t.test('a window that cannot be computed silences nothing, and keeps no other from it', async (t) => {
  const { it, records, windows, fail } = await world(t);
  await it.insert({ _id: 'mon_f' });
  await it.insert({ _id: 'mon_g' });
  const good = await windows.open(10, { monitor_ids: ['mon_g'] });
  const broken: WindowDocument = {
    ...good,
    ...{ _id: 'mnt_broken', everything: true, ends_at_ms: null },
    recurrence: { cron: '* * * * *', time_zone: 'Europe/Nowhere', duration_minutes: 60 },
  };
  records.cache.put(broken, null);
  await fail('mon_f');
  await fail('mon_g');
  t.match(await it.open('mon_f'), { status: 'firing' });
  t.match(await it.open('mon_g'), { status: 'silenced' });
});

t.test('other control planes know changes by their next poll', async (t) => {
  const { it, clock, windows } = await world(t);
  const other = openRecords(it.mongo, clock).cache;
  const covered = (id = 'mon_h') =>
    other.covering({ workspaceId: 'ws_test', type: 'monitor', id, tags: [] }, clock.now())?.until_ms;
  await other.ready();
  t.equal(covered(), undefined);
  const window = await windows.open(10, { monitor_ids: ['mon_h'] });
  await other.ready();
  t.equal(covered(), window.ends_at_ms);
  t.equal(covered('mon_i'), undefined);
  await windows.extend(window._id, 10);
  await other.ready();
  t.equal(covered(), (window.ends_at_ms ?? 0) + 10 * MINUTE_MS);
  await windows.remove(window._id);
  await other.ready();
  t.equal(covered(), undefined);
});
