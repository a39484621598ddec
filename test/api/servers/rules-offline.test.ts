import { Binary } from 'mongodb';
import t, { type Test } from 'tap';
import type { IncidentDetail } from '../../../control-plane/incidents/schema.js';
import type { ServerDocument } from '../../../control-plane/servers/documents.js';
import { type RulesPlane, setUpAlertRules } from '../../helpers/alert-rules/setup.js';

async function setUp(t: Test) {
  const world = await setUpAlertRules();
  t.teardown(() => world.stop());
  const channels: string[] = [];
  for (const name of ['One', 'Two']) {
    const config = { to: ['ann@example.com'] };
    channels.push((await world.notifying.channel(world.app.workspace.id, { type: 'email', name, config })).id);
  }
  const [one = '', two = ''] = channels;
  const server = await world.insertServer();
  /** Sends no sample for half a minute, and goes offline. */
  async function goesOffline(of: ServerDocument = server, plane: RulesPlane = world.first) {
    const atMs = world.clock.now();
    await world.changeServer(of._id, { live: { at_ms: atMs, received_at_ms: atMs, report: new Binary() } });
    await world.clock.advance(30_000);
    t.ok(await plane.setStatus(of._id, 'online', 'offline'));
  }
  const comesBack = (of: ServerDocument = server) => world.first.setStatus(of._id, 'offline', 'online');
  return { world, server, one, two, goesOffline, comesBack };
}

const RULE = { name: 'Server offline', metric: 'server_offline' };

t.test('going offline and coming back change the incident in the same transaction', async (t) => {
  const { world, server, one, two, goesOffline, comesBack } = await setUp(t);
  const rule = await world.rule(RULE);
  const heardMs = world.clock.now();
  await goesOffline();
  const [incident] = await world.unresolved();
  t.match(incident, {
    kind: 'server',
    subject: `server:${server._id}:offline`,
    severity: 'critical',
    monitor_id: null,
    resource: { type: 'server', id: server._id, name: 'web-1' },
    started_at_ms: heardMs,
    decision: { rule: { id: rule.id, type: 'server_offline' }, reason: 'no sample for 30 s; one is due every 10 s' },
  });
  const heard = new Date(heardMs).toISOString().slice(11, 19);
  t.equal(
    incident?.message,
    `web-1 is offline: its agent has sent no sample for 30 s. The last one arrived at ${heard} UTC.`,
  );
  t.same((await world.outbox()).sort(), [`opened ${one}`, `opened ${two}`].sort());
  t.equal(await world.first.sweep(), true);
  const answer = await world.app.request<IncidentDetail>('GET', `/v1/alerts/${incident?._id}`);
  t.match(answer.body.data, { kind: 'server', status: 'firing' });
  await world.clock.advance(60_000);
  await comesBack();
  t.match(await world.incidents(), [{ status: 'resolved', resolution: 'recovered' }]);
  t.match((await world.incidents())[0]?.message, /^web-1 is online again after 1 min 30 s \(/);
  t.equal((await world.outbox()).length, 4);
});

t.test('for_seconds: the server must stay offline', async (t) => {
  const { world, goesOffline, comesBack } = await setUp(t);
  await world.rule({ ...RULE, for_seconds: 120 });
  await goesOffline();
  await world.clock.advance(110_000);
  await world.first.sweep();
  t.same(await world.incidents(), []);
  await comesBack();
  await goesOffline();
  await world.clock.advance(119_000);
  await world.first.sweep();
  t.same(await world.incidents(), [], 'the time before its return does not count');
  await world.clock.advance(1_000);
  await world.first.sweep();
  await world.first.sweep();
  t.equal((await world.incidents()).length, 1);
  await comesBack();
  t.match(await world.incidents(), [{ status: 'resolved' }]);
});

t.test(
  'a rule that is created while the server is offline fires too; two control planes open one incident',
  async (t) => {
    const { world, goesOffline } = await setUp(t);
    await goesOffline();
    t.same(await world.incidents(), []);
    await world.rule(RULE);
    const second = world.plane('second');
    const checks = await Promise.all([world.first.sweep(), second.sweep()]);
    t.same(checks.sort(), [false, true], 'only one has the lease');
    t.equal((await world.unresolved()).length, 1);
  },
);

t.test('no rule fires after control planes were away, until servers had time to come back', async (t) => {
  const { world, goesOffline } = await setUp(t);
  await world.rule({ ...RULE, for_seconds: 120 });
  await goesOffline();
  world.setAway(true);
  await world.clock.advance(3_600_000);
  await world.first.sweep();
  t.same(await world.incidents(), []);
  t.same(world.silences, [3_600_000], 'after minutes, an agent that only reconnects is lost too');
  world.setAway(false);
  await world.first.sweep();
  t.equal((await world.unresolved()).length, 1);
});

t.test('two rules on the same server notify once, with the higher severity and the channels of both', async (t) => {
  const { world, one, two, goesOffline } = await setUp(t);
  const first = await world.rule({ ...RULE, name: 'Soon', severity: 'warning', channels: [one] });
  await world.rule({ ...RULE, name: 'Later', severity: 'critical', channels: [two], for_seconds: 300 });
  await goesOffline();
  t.match(await world.unresolved(), [{ severity: 'warning', channels: [one] }]);
  await world.clock.advance(300_000);
  await world.first.sweep();
  await world.first.sweep();
  t.match(await world.unresolved(), [
    {
      severity: 'critical',
      channels: [one, two],
      decision: { rule: { id: first.id }, other_rules: [{ name: 'Later' }] },
      events: [{ type: 'opened' }, { type: 'widened', message: 'Rule “Later” matches too.' }],
    },
  ]);
  t.same(await world.outbox(), [`opened ${one}`, `opened ${two}`], 'no duplicate notification');
  await world.app.request('DELETE', `/v1/alert-rules/${first.id}`);
  t.equal((await world.unresolved()).length, 1, 'another rule still applies');

  const both = await world.insertServer({ name: 'web-2' });
  const all = await world.rule({ ...RULE, name: 'All', severity: 'info', channels: null });
  await world.app.request('PATCH', `/v1/alert-rules/${all.id}`, { body: { severity: 'warning' } });
  await goesOffline(both);
  t.match((await world.unresolved()).at(-1), { severity: 'warning', channels: null });
});

t.test(
  'a manually resolved incident opens again after ten minutes, or when the server goes offline again',
  async (t) => {
    const { world, goesOffline, comesBack } = await setUp(t);
    await world.rule(RULE);
    await goesOffline();
    const resolve = async () => {
      const [incident] = await world.unresolved();
      await world.app.request('POST', `/v1/alerts/${incident?._id}/resolve`);
    };
    await resolve();
    await world.clock.advance(590_000);
    await world.first.sweep();
    t.equal((await world.incidents()).length, 1);
    await world.clock.advance(10_000);
    await world.first.sweep();
    t.equal((await world.unresolved()).length, 1);
    await resolve();
    await world.clock.advance(1_000);
    await comesBack();
    await goesOffline();
    t.equal((await world.incidents()).length, 3);
  },
);

t.test('the sweep resolves what a crash left open, and incidents without a rule', async (t) => {
  const { world, server, goesOffline } = await setUp(t);
  const rule = await world.rule(RULE);
  await goesOffline();
  await world.changeServer(server._id, { status: 'online' });
  await world.first.sweep();
  t.match(await world.incidents(), [{ status: 'resolved', resolution: 'recovered' }]);
  await goesOffline();
  await world.app.request('PATCH', `/v1/alert-rules/${rule.id}`, { body: { tags: ['production'] } });
  t.match((await world.incidents()).at(-1), { status: 'resolved', resolution: 'rule_changed' });
});
