import t from 'tap';
import { acknowledgeIncident, resolveIncident } from '../../../control-plane/incidents/manual.js';
import { silenceIncident } from '../../../control-plane/incidents/silence/silence.js';
import { dependencyWorld, WORKSPACE } from '../../helpers/dependencies/world.js';
import { person } from '../../helpers/verdicts/setup.js';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const children = Array.from({ length: 30 }, (_, index) => `mon_child${String(index).padStart(2, '0')}`);

t.test('thirty children fail before their parent: one notification, that of the parent, counts them', async (t) => {
  const { it, clock, fail, succeed, recover, depend, compare, notified } = await dependencyWorld(t);
  await it.insert({ _id: 'mon_router', name: 'Router' });
  for (const [index, _id] of children.entries()) await it.insert({ _id, name: `Web ${index}`, tags: ['rack'] });
  await depend({ tag: 'rack' }, 'mon_router');
  await succeed('mon_router');
  await clock.advance(SECOND_MS);
  for (const id of children) await fail(id);
  t.match(await it.open('mon_child00'), { status: 'silenced', dependency: { state: 'waiting' } });
  const asked = it.commands.filter(({ monitorId }) => monitorId === 'mon_router');
  t.equal(asked.length, 30, 'each asks for a check of the router at once');
  t.same(await it.notified(), []);

  await clock.advance(2 * SECOND_MS);
  await fail('mon_router');
  const router = await it.open('mon_router');
  t.match(router, { status: 'firing', dependents: { total: 30, down: 30 } });
  t.same(router?.dependents?.names, ['Web 0', 'Web 1', 'Web 2', 'Web 3', 'Web 4']);
  t.same(await it.notified(), ['opened'], 'that of the router');

  await compare();
  const child = await it.open('mon_child00');
  t.match(child, {
    status: 'silenced',
    dependency: { state: 'parent_down', monitor_id: 'mon_router', incident_id: router?._id, until_ms: null },
    decision: { silent: { state: 'parent_down', incident_id: router?._id } },
  });
  t.match(child?.decision?.silent?.reason, 'Silent because “Router” is down, which it depends on.');
  await clock.advance(10 * MINUTE_MS);
  await fail('mon_router');
  await compare();
  t.same(await it.notified(), ['opened'], 'however long it lasts');

  await recover('mon_router');
  for (const id of children.slice(1)) await recover(id);
  const before = await it.monitor('mon_router');
  await clock.advance(before.state.changed_at_ms + 2 * MINUTE_MS - 1 - clock.now());
  await fail('mon_child00');
  await compare();
  t.match(await it.open('mon_child00'), { status: 'silenced', dependency: { state: 'parent_recovered' } });
  t.same(await notified('mon_child00'), []);
  await clock.advance(1);
  await compare();
  t.match(await it.open('mon_child00'), { status: 'firing', dependency: null });
  t.same(await notified('mon_child00'), ['unsilenced'], 'once, although three control planes saw it');
  for (const id of children.slice(1)) {
    t.equal(await it.open(id), null);
    t.same(
      (await it.all(id)).map(({ resolution }) => resolution),
      ['recovered'],
      'opened and recovered',
    );
    t.same(await notified(id), ['resolved'], 'which goes only to those who were notified of the opening');
  }
});

t.test('a child that fails after its parent is silent at once, at any depth', async (t) => {
  const { it, fail, depend, compare } = await dependencyWorld(t);
  for (const _id of ['mon_router', 'mon_switch', 'mon_web']) await it.insert({ _id, name: _id });
  await depend({ monitor_id: 'mon_switch' }, 'mon_router');
  await depend({ monitor_id: 'mon_web' }, 'mon_switch');
  await fail('mon_router');
  await fail('mon_web');
  const router = await it.open('mon_router');
  t.match(router, { status: 'firing', dependents: { total: 2, down: 0 } });
  t.match(await it.open('mon_web'), {
    status: 'silenced',
    dependency: { state: 'parent_down', incident_id: router?._id },
  });
  await fail('mon_switch');
  await compare();
  t.match(await it.open('mon_web'), { dependency: { monitor_id: 'mon_router' } }, 'the one that notifies');
  t.match(await it.open('mon_router'), { dependents: { total: 2, down: 2 } }, 'as its reminders say');
  t.same(await it.notified(), ['opened']);
});

t.test('a child whose parent works notifies as soon as that is known, or after a time', async (t) => {
  const { it, clock, fail, succeed, depend, compare, notified } = await dependencyWorld(t);
  for (const _id of ['mon_router', 'mon_a', 'mon_b']) await it.insert({ _id, name: _id, interval_seconds: 60 });
  await depend({ monitor_id: 'mon_a' }, 'mon_router');
  await depend({ monitor_id: 'mon_b' }, 'mon_router');
  await succeed('mon_router');
  await clock.advance(SECOND_MS);
  await fail('mon_a');
  await compare();
  t.match(await it.open('mon_a'), { status: 'silenced', dependency: { state: 'waiting' } });
  await clock.advance(SECOND_MS);
  await succeed('mon_router');
  await compare();
  t.match(await it.open('mon_a'), { status: 'firing' });
  t.same(await notified('mon_a'), ['unsilenced']);

  await clock.advance(SECOND_MS);
  await fail('mon_b');
  await clock.advance(80 * SECOND_MS);
  await compare();
  t.match(await it.open('mon_b'), { status: 'silenced' }, 'no check of the router so far');
  await clock.advance(10 * SECOND_MS);
  await compare();
  t.match(await it.open('mon_b'), { status: 'firing' }, 'after its interval and 30 s');
});

t.test('a child whose parent was just checked does not wait', async (t) => {
  const { it, clock, fail, succeed, depend } = await dependencyWorld(t);
  await it.insert({ _id: 'mon_router' });
  await it.insert({ _id: 'mon_a' });
  await depend({ monitor_id: 'mon_a' }, 'mon_router');
  await clock.advance(SECOND_MS);
  await succeed('mon_router');
  await fail('mon_a');
  t.match(await it.open('mon_a'), { status: 'firing' });
  t.same(await it.notified(), ['opened']);
});

t.test('what keeps a child silent is in the database: another control plane takes it up', async (t) => {
  const { it, clock, fail, depend, otherCompare, notified } = await dependencyWorld(t);
  await it.insert({ _id: 'mon_router' });
  await it.insert({ _id: 'mon_a' });
  await depend({ monitor_id: 'mon_a' }, 'mon_router');
  await it.check('mon_router', 'fra', true);
  await clock.advance(SECOND_MS);
  await fail('mon_a');
  t.match(await it.open('mon_a'), { status: 'silenced', dependency: { state: 'waiting' } });
  // The control plane that opened it runs no task any more.
  await clock.advance(90 * SECOND_MS);
  await otherCompare();
  t.same(await notified('mon_a'), ['unsilenced']);
});

t.test('a parent that is paused, unknown or in maintenance mutes nothing', async (t) => {
  const { it, clock, windows, fail, depend } = await dependencyWorld(t);
  await it.insert({ _id: 'mon_paused', paused_at_ms: clock.now() });
  await it.insert({ _id: 'mon_unknown' });
  await it.insert({ _id: 'mon_maintained' });
  await windows.open(60, { monitor_ids: ['mon_maintained'] });
  await fail('mon_maintained');
  t.match(await it.open('mon_maintained'), { status: 'silenced' });
  for (const parent of ['paused', 'unknown', 'maintained']) {
    await it.insert({ _id: `mon_of_${parent}` });
    await depend({ monitor_id: `mon_of_${parent}` }, `mon_${parent}`);
    await fail(`mon_of_${parent}`);
    t.match(await it.open(`mon_of_${parent}`), { status: 'firing' }, parent);
  }
});

t.test('a silent child notifies when its parent is paused, or the dependency or its tag is removed', async (t) => {
  const { it, clock, fail, depend, undepend, compare, notified } = await dependencyWorld(t);
  await it.insert({ _id: 'mon_router' });
  await it.insert({ _id: 'mon_other' });
  for (const [index, id] of ['mon_a', 'mon_b', 'mon_c'].entries())
    await it.insert({ _id: id, tags: index === 1 ? ['rack'] : [] });
  const { dependency } = await depend({ monitor_id: 'mon_a' }, 'mon_router');
  await depend({ tag: 'rack' }, 'mon_router');
  await depend({ monitor_id: 'mon_c' }, 'mon_other');
  await fail('mon_router');
  await fail('mon_other');
  for (const id of ['mon_a', 'mon_b', 'mon_c']) await fail(id);
  await compare();
  for (const id of ['mon_a', 'mon_b', 'mon_c']) t.match(await it.open(id), { status: 'silenced' }, id);

  await undepend(dependency._id);
  const monitors = it.mongo.db.collection<{ _id: string; tags: string[] }>('monitors');
  await monitors.updateOne({ _id: 'mon_b' }, { $set: { tags: [] } });
  await monitors.updateOne({ _id: 'mon_other' }, { $set: { paused_at_ms: clock.now() } });
  await compare();
  for (const id of ['mon_a', 'mon_b', 'mon_c']) {
    t.match(await it.open(id), { status: 'firing' }, id);
    t.same(await notified(id), ['unsilenced'], id);
  }
});

t.test('people who act on the incident of the parent do not make its children loud', async (t) => {
  const { it, clock, fail, depend, compare } = await dependencyWorld(t);
  await it.insert({ _id: 'mon_router' });
  await it.insert({ _id: 'mon_a' });
  await depend({ monitor_id: 'mon_a' }, 'mon_router');
  await fail('mon_router');
  await fail('mon_a');
  const router = (await it.open('mon_router'))?._id ?? '';
  await it.runTransaction((tx) => acknowledgeIncident(it.manual, tx, person(), router));
  await compare();
  t.match(await it.open('mon_a'), { status: 'silenced' }, 'acknowledged');
  await it.runTransaction((tx) => silenceIncident(it.manual, tx, person(), { id: router, forMinutes: 5 }));
  await compare();
  t.match(await it.open('mon_a'), { status: 'silenced' }, 'silenced');
  await it.runTransaction((tx) => resolveIncident(it.manual, tx, person(), router));
  await compare();
  t.match(await it.open('mon_a'), { status: 'silenced', dependency: { incident_id: router } }, 'resolved by hand');
  await clock.advance(10 * MINUTE_MS);
  await fail('mon_router');
  await compare();
  const next = await it.open('mon_router');
  t.match(next, { status: 'firing', dependents: { total: 1, down: 1 } }, 'it is still down, which notifies again');
  t.match(await it.open('mon_a'), { status: 'silenced', dependency: { incident_id: next?._id } });
});

t.test('a maintenance window of the child and a dependency: silent until both have ended', async (t) => {
  const { it, clock, windows, fail, recover, depend, compare, endMaintenance, notified } = await dependencyWorld(t);
  await it.insert({ _id: 'mon_router' });
  await it.insert({ _id: 'mon_a' });
  await depend({ monitor_id: 'mon_a' }, 'mon_router');
  await windows.open(10, { monitor_ids: ['mon_a'] });
  await fail('mon_a');
  t.match(await it.open('mon_a'), { status: 'silenced', maintenance: { name: 'Upgrade' } });
  await fail('mon_router');
  await clock.advance(11 * MINUTE_MS);
  await fail('mon_router');
  await fail('mon_a');
  await fail('mon_a');
  await it.sweep.run();
  await endMaintenance();
  t.match(await it.open('mon_a'), { status: 'silenced', maintenance: null, dependency: { state: 'parent_down' } });
  t.same(await notified('mon_a'), []);

  await windows.open(10, { monitor_ids: ['mon_a'] });
  await recover('mon_router');
  await clock.advance(3 * MINUTE_MS);
  await fail('mon_a');
  await compare();
  t.match(await it.open('mon_a'), { status: 'silenced', maintenance: { name: 'Upgrade' }, dependency: null });
  await clock.advance(10 * MINUTE_MS);
  await endMaintenance();
  t.match(await it.open('mon_a'), { status: 'firing' });
  t.same(await notified('mon_a'), ['unsilenced']);
});

t.test('a person who silences a silent child has the last word, and who ends the silence too', async (t) => {
  const { it, clock, fail, recover, depend, compare, endSilences, notified } = await dependencyWorld(t);
  await it.insert({ _id: 'mon_router' });
  await it.insert({ _id: 'mon_a' });
  await depend({ monitor_id: 'mon_a' }, 'mon_router');
  await fail('mon_router');
  await fail('mon_a');
  const id = (await it.open('mon_a'))?._id ?? '';
  const silence = (forMinutes: number) =>
    it.runTransaction((tx) => silenceIncident(it.manual, tx, person(), { id, forMinutes }));
  await silence(5);
  await clock.advance(6 * MINUTE_MS);
  await endSilences();
  t.match(await it.open('mon_a'), { status: 'silenced', silenced_by: null }, 'the router is still down');
  await fail('mon_router');
  await silence(30);
  await recover('mon_router');
  await clock.advance(5 * MINUTE_MS);
  await compare();
  t.match(await it.open('mon_a'), { status: 'silenced', dependency: null }, 'the silence of the person lasts');
  await clock.advance(30 * MINUTE_MS);
  await endSilences();
  t.same(await notified('mon_a'), ['unsilenced']);
});

t.test('a change of tags that closes a circle mutes nothing in it', async (t) => {
  const { it, fail, depend } = await dependencyWorld(t);
  await it.insert({ _id: 'mon_a' });
  await it.insert({ _id: 'mon_b' });
  await depend({ monitor_id: 'mon_a' }, 'mon_b');
  await depend({ tag: 'late' }, 'mon_a');
  await it.mongo.db.collection<{ _id: string }>('monitors').updateOne({ _id: 'mon_b' }, { $set: { tags: ['late'] } });
  await fail('mon_a');
  await fail('mon_b');
  t.match(await it.open('mon_a'), { status: 'firing' });
  t.match(await it.open('mon_b'), { status: 'firing' });
});

t.test('a server that is offline depends on monitors; what its rules measure does not', async (t) => {
  const { it, fail, depend } = await dependencyWorld(t);
  await it.insert({ _id: 'mon_router' });
  await it.mongo.db.collection<{ _id: string }>('servers').insertOne({
    ...{ _id: 'srv_a', workspace_id: WORKSPACE, name: 'web-1', tags: [] },
  });
  await depend({ server_id: 'srv_a' }, 'mon_router');
  await fail('mon_router');
  const open = (subject: string, followsParents: boolean) =>
    it.runTransaction((tx) =>
      it.incidents.open(tx, {
        ...{ workspaceId: WORKSPACE, kind: 'server', subject, monitor: null, severity: 'critical', tags: [] },
        ...{
          resource: { type: 'server', id: 'srv_a', name: 'web-1' },
          message: 'Offline',
          startedAtMs: it.clock.now(),
        },
        ...{ decision: null, channels: null, runbookUrl: null, followsParents },
      }),
    );
  t.match(await open('server:srv_a:offline', true), { status: 'silenced', dependency: { state: 'parent_down' } });
  t.match(await open('rule:cpu', false), { status: 'firing' });
});

t.test('the search for silent incidents reads no others', async (t) => {
  const { it, fail, depend, compare } = await dependencyWorld(t);
  for (const id of ['mon_router', 'mon_a']) await it.insert({ _id: id });
  for (const id of children) {
    await it.insert({ _id: id });
    await fail(id);
  }
  await depend({ monitor_id: 'mon_a' }, 'mon_router');
  await fail('mon_router');
  await fail('mon_a');
  const { db } = it.mongo;
  await db.command({ profile: 2 });
  await compare();
  await db.command({ profile: 0 });
  const searches = await db
    .collection('system.profile')
    .find({ op: 'query', ns: `${db.databaseName}.incidents` })
    .toArray();
  t.ok(searches.length >= 6, 'of three control planes');
  for (const { docsExamined, keysExamined, planSummary } of searches) {
    t.ok(docsExamined <= 2 && keysExamined <= 2, `${planSummary}: ${docsExamined} documents, ${keysExamined} keys`);
  }
});

t.test('many fire together, and who acknowledged one while it was silent still lets its channels know', async (t) => {
  const { it, fail, depend, undepend, otherCompare, notified } = await dependencyWorld(t);
  await it.insert({ _id: 'mon_router' });
  for (const id of children) await it.insert({ _id: id, tags: ['rack'] });
  const { dependency } = await depend({ tag: 'rack' }, 'mon_router');
  await fail('mon_router');
  for (const id of children) await fail(id);
  const [first = ''] = children;
  const id = (await it.open(first))?._id ?? '';
  await it.runTransaction((tx) => acknowledgeIncident(it.manual, tx, person(), id));
  await undepend(dependency._id);
  const before = it.transactions();
  await otherCompare();
  t.equal(it.transactions() - before, 1, 'one transaction for thirty');
  for (const child of children) t.match(await it.open(child), { status: 'firing' }, child);
  t.same(await notified(children[1] ?? ''), ['unsilenced']);
  t.ok((await notified(first)).includes('opened'), 'the notification that an acknowledgement alone does not send');
});

t.test('a parent that notifies other channels mutes nothing', async (t) => {
  const { it, fail, depend } = await dependencyWorld(t);
  await it.insert({ _id: 'mon_router', channels: ['chn_network'] });
  await it.insert({ _id: 'mon_a', channels: ['chn_shop'] });
  await it.insert({ _id: 'mon_b', channels: ['chn_network'] });
  for (const id of ['mon_a', 'mon_b']) await depend({ monitor_id: id }, 'mon_router');
  for (const id of ['mon_router', 'mon_a', 'mon_b']) await fail(id);
  t.match(await it.open('mon_a'), { status: 'firing' });
  t.match(await it.open('mon_b'), { status: 'silenced' });
});

t.test('silent children wait, for a time, when checks of their parent stop', async (t) => {
  const { it, clock, fail, depend, compare } = await dependencyWorld(t);
  for (const id of ['mon_router', 'mon_a']) await it.insert({ _id: id });
  await depend({ monitor_id: 'mon_a' }, 'mon_router');
  await fail('mon_router');
  await fail('mon_a');
  await clock.advance(5 * MINUTE_MS);
  await compare();
  t.match(await it.open('mon_a'), { status: 'silenced', dependency: { state: 'waiting' } });
  await clock.advance(3 * MINUTE_MS);
  await compare();
  t.match(await it.open('mon_a'), { status: 'firing' });
});

t.test('a chain of more than twenty monitors is refused', async (t) => {
  const { it, depend } = await dependencyWorld(t);
  const chain = Array.from({ length: 22 }, (_, index) => `mon_${index}`);
  for (const _id of chain) await it.insert({ _id });
  // Twenty monitors, on which the last one depends.
  for (const [index, id] of chain.slice(1, 21).entries()) await depend({ monitor_id: id }, chain[index] ?? '');
  await t.rejects(depend({ monitor_id: 'mon_21' }, 'mon_20'), { code: 'validation_failed' });
  await depend({ monitor_id: 'mon_21' }, 'mon_19');
});
