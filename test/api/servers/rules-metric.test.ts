import t, { type Test } from 'tap';
import type { IncidentDetail } from '../../../control-plane/incidents/schema.js';
import type { ServerDocument } from '../../../control-plane/servers/documents.js';
import type { RuleDecision } from '../../../control-plane/servers/rules/incident/decision-schema.js';
import { INTERVAL_MS, type RulesPlane, setUpAlertRules } from '../../helpers/alert-rules/setup.js';
import { actorOf } from '../../helpers/factories.js';
import { lockDocument } from '../../helpers/locked-monitor.js';

const cpu = { name: 'CPU is busy', metric: 'cpu_percent', operator: '>', threshold: 90, for_seconds: 60 };

async function setUp(t: Test) {
  const world = await setUpAlertRules();
  t.teardown(() => world.stop());
  const channel = await world.notifying.channel(world.app.workspace.id, {
    type: 'email',
    name: 'On call',
    config: { to: ['ann@example.com'] },
  });
  const server = await world.insertServer();
  /** Sends one sample per interval, beginning with the next one. */
  async function sendSamples(
    values: number[],
    how: { plane?: RulesPlane; of?: ServerDocument; unseen?: boolean } = {},
  ) {
    for (const value of values) {
      await world.clock.advance(INTERVAL_MS);
      await world.sample(how.of ?? server, { cpu_percent: value }, how);
    }
  }
  return { world, server, channel, sendSamples };
}

t.test(
  'a rule fires once when every sample over for_seconds meets its condition, with a decision record',
  async (t) => {
    const { world, server, channel, sendSamples } = await setUp(t);
    const rule = await world.rule(cpu);
    await sendSamples([20, 95, 95, 95, 95, 95, 80]);
    t.same(await world.incidents(), [], 'one other sample restarts the time');
    await sendSamples([91, 92, 93, 94, 95, 96]);
    t.same(await world.incidents(), [], '50 s are not 60');
    await sendSamples([97.2]);
    const [incident] = await world.unresolved();
    const sinceMs = world.clock.now() - 60_000;
    t.match(incident, {
      kind: 'server',
      subject: `rule:${rule.id}:${server._id}`,
      monitor_id: null,
      resource: { type: 'server', id: server._id, name: 'web-1' },
      severity: 'warning',
      status: 'firing',
      started_at_ms: sinceMs,
    });
    t.equal(
      incident?.message,
      `web-1: cpu_percent is 97.2 %, over the limit of 90 % since ${new Date(sinceMs).toISOString().slice(11, 19)} UTC (1 min). Rule “CPU is busy”.`,
    );
    t.same(await world.outbox(), [`opened ${channel.id}`]);
    const answer = await world.app.request<IncidentDetail>('GET', `/v1/alerts/${incident?._id}`);
    t.match(answer.body.data.decision, {
      rule: { id: rule.id, name: 'CPU is busy', metric: 'cpu_percent', operator: '>', threshold: 90, for_seconds: 60 },
      value: 97.2,
      reason: 'cpu_percent > 90 in each of 7 samples over 60 s',
      times: { breaching_since: new Date(sinceMs).toISOString(), opened_at: new Date(world.clock.now()).toISOString() },
    });
    const { samples } = answer.body.data.decision as RuleDecision;
    t.same(
      samples.map(({ v }) => v),
      [91, 92, 93, 94, 95, 96, 97.2],
    );

    await sendSamples([99, 20, 99, 20]);
    t.equal((await world.unresolved()).length, 1, 'one good sample is not enough');
    await sendSamples([21]);
    const [resolved] = await world.incidents();
    t.match(resolved, { status: 'resolved', resolution: 'recovered' });
    t.match(resolved?.message, /^web-1: cpu_percent is 21 % and no longer over the limit of 90 %, after /);
    t.match(resolved?.recovery, { value: 21, samples: [{ value: 20 }, { value: 21 }] });
    t.same(await world.outbox(), [`opened ${channel.id}`, `resolved ${channel.id}`]);
    const lines = await world.app.request<{ type: string }[]>('GET', `/v1/timeline?resource_id=${server._id}`);
    t.same(
      lines.body.data.map(({ type }) => type),
      ['incident.resolved', 'incident.opened'],
    );
  },
);

t.test('without for_seconds one sample fires; each device has a series of its own', async (t) => {
  const { world, server } = await setUp(t);
  await world.rule({ name: 'Disk', metric: 'disk_used_percent:/var', operator: 'gte', threshold: 90 });
  await world.sample(server, { disk_used_percent: 99, 'disk_used_percent:/home': 99, 'disk_used_percent:/var': 89.9 });
  t.same(await world.incidents(), []);
  await world.clock.advance(INTERVAL_MS);
  await world.sample(server, { 'disk_used_percent:/var': 90 });
  t.match(await world.unresolved(), [
    { message: 'web-1: disk_used_percent:/var is 90 %, at or over the limit of 90 %. Rule “Disk”.' },
  ]);
});

t.test('late samples never fire', async (t) => {
  const { world, server, sendSamples } = await setUp(t);
  await world.rule(cpu);
  await world.rule({ ...cpu, name: 'At once', for_seconds: 0 });
  await sendSamples([20]);
  await world.clock.advance(600_000);
  for (let ago = 590; ago > 40; ago -= 10) {
    await world.sample(server, { cpu_percent: 99 }, { late: true, atMs: world.clock.now() - ago * 1_000 });
  }
  await sendSamples([20, 20]);
  t.same(await world.incidents(), []);
});

t.test(
  'late samples count as history of the next sample: an outage of Picket does not restart for_seconds',
  async (t) => {
    const { world, server, sendSamples } = await setUp(t);
    await world.rule(cpu);
    await sendSamples([20, 95, 95]);
    await world.clock.advance(50_000);
    for (const ago of [40, 30, 20, 10, 0]) {
      await world.sample(server, { cpu_percent: 95 }, { late: true, atMs: world.clock.now() - ago * 1_000 });
    }
    t.same(await world.incidents(), []);
    await sendSamples([95]);
    t.match(await world.unresolved(), [{ started_at_ms: world.clock.now() - 70_000 }]);
  },
);

t.test('a rule does not fire across a gap', async (t) => {
  const { world, sendSamples } = await setUp(t);
  await world.rule(cpu);
  await sendSamples([95, 95, 95]);
  await world.clock.advance(60_000);
  await sendSamples([95, 95, 95, 95, 95, 95]);
  t.same(await world.incidents(), []);
  await sendSamples([95]);
  t.equal((await world.unresolved()).length, 1);
});

t.test('a crash during for_seconds neither loses the rule nor restarts the time', async (t) => {
  const { world, channel, sendSamples } = await setUp(t);
  await world.rule(cpu);
  await sendSamples([20, 95, 95, 95], { plane: world.plane('second') });
  // Stored, but the control plane crashed before it evaluated them.
  await sendSamples([95, 95], { unseen: true });
  const third = world.plane('third');
  await sendSamples([95], { plane: third });
  t.same(await world.incidents(), [], '50 s are not 60');
  await sendSamples([95], { plane: third });
  t.match(await world.unresolved(), [{ started_at_ms: world.clock.now() - 60_000 }]);
  const fourth = world.plane('fourth');
  await sendSamples([95, 95], { plane: fourth });
  t.equal((await world.incidents()).length, 1, 'no second incident');
  await sendSamples([20], { plane: world.plane('fifth') });
  t.equal((await world.unresolved()).length, 1, 'one sample after a restart does not resolve');
  await sendSamples([20, 20], { plane: world.plane('sixth') });
  t.same(await world.unresolved(), []);
  t.same(await world.outbox(), [`opened ${channel.id}`, `resolved ${channel.id}`]);
});

t.test('two control planes with samples of the same server open and resolve one incident', async (t) => {
  const { world, server, channel } = await setUp(t);
  await world.rule({ ...cpu, for_seconds: 20 });
  const second = world.plane('second');
  const both = async (values: number[]) => {
    for (const value of values) {
      await world.clock.advance(INTERVAL_MS);
      const seen = [world.first, second].map((plane) => world.sample(server, { cpu_percent: value }, { plane }));
      await Promise.all(seen);
    }
  };
  await both([95, 95, 95, 95, 95]);
  t.equal((await world.incidents()).length, 1);
  await both([20, 20, 20]);
  t.match(await world.incidents(), [{ status: 'resolved' }]);
  t.same(await world.outbox(), [`opened ${channel.id}`, `resolved ${channel.id}`]);
});

t.test('a stream that moves between control planes is evaluated with all its samples', async (t) => {
  const { world, sendSamples } = await setUp(t);
  await world.rule(cpu);
  const second = world.plane('second');
  await sendSamples([95, 95, 95]);
  await sendSamples([20, 95, 95], { plane: second });
  await sendSamples([95, 95, 95]);
  t.same(await world.incidents(), [], 'the other control plane received the sample in between');
  await sendSamples([95, 95]);
  t.equal((await world.unresolved()).length, 1);
  await sendSamples([20, 20], { plane: second });
  t.same(await world.unresolved(), []);
  await sendSamples([20, 20, 95]);
  t.equal((await world.incidents()).length, 1);
});

t.test('a manually resolved incident opens again after ten minutes, or at once after a recovery', async (t) => {
  const { world, sendSamples } = await setUp(t);
  await world.rule({ ...cpu, for_seconds: 0 });
  await sendSamples([95]);
  const resolve = async () => {
    const [incident] = await world.unresolved();
    t.equal((await world.app.request('POST', `/v1/alerts/${incident?._id}/resolve`)).status, 200);
  };
  await resolve();
  await sendSamples(Array.from({ length: 59 }, () => 95));
  t.equal((await world.incidents()).length, 1, 'its grace');
  await sendSamples(Array.from({ length: 7 }, () => 95));
  t.equal((await world.unresolved()).length, 1, 'the condition is still met');
  await resolve();
  await sendSamples([...Array.from({ length: 6 }, () => 95), 20, 20, 95]);
  t.equal((await world.incidents()).length, 3, 'it recovered in between');
});

t.test('a rule applies only to its servers; the incident of a removed server is resolved at once', async (t) => {
  const { world, server, sendSamples } = await setUp(t);
  const tagged = await world.insertServer({ name: 'db-1', tags: ['production'] });
  const rule = await world.rule({ ...cpu, for_seconds: 0, tags: ['production', 'staging'] });
  await sendSamples([95]);
  await sendSamples([95], { of: tagged });
  t.match(await world.unresolved(), [{ resource: { id: tagged._id } }]);

  const bare = await world.changeServer(tagged._id, { tags: [] });
  const actor = actorOf(world.app.workspace, { email: 'ann@example.com' });
  await world.first.runTransaction((tx) => world.first.statusListener.edited(tx, actor, bare));
  t.match(await world.incidents(), [
    {
      status: 'resolved',
      resolution: 'server_changed',
      message: 'Resolved because no alert rule applies to db-1 after its tags were changed by ann@example.com.',
    },
  ]);
  await sendSamples([95], { of: bare });
  t.same(await world.unresolved(), []);

  const patch = (body: object) => world.app.request('PATCH', `/v1/alert-rules/${rule.id}`, { body });
  await patch({ tags: null, server_ids: [server._id] });
  await sendSamples([95]);
  t.match(await world.unresolved(), [{ resource: { id: server._id } }]);
  await patch({ threshold: 96, channels: [] });
  t.equal((await world.unresolved()).length, 1, 'a new threshold is evaluated with the next samples');
  await patch({ server_ids: [tagged._id] });
  t.match((await world.incidents()).at(-1), {
    resolution: 'rule_changed',
    message: `Resolved because the alert rule “CPU is busy” was changed by ${world.app.workspace.email}.`,
  });

  await patch({ server_ids: null, threshold: 90 });
  await sendSamples([95]);
  t.equal((await world.unresolved()).length, 1);
  await patch({ enabled: false });
  t.match((await world.incidents()).at(-1), { status: 'resolved', resolution: 'rule_disabled' });
  await sendSamples([95]);
  t.same(await world.unresolved(), []);
  await patch({ enabled: true });
  await sendSamples([95]);
  await world.first.runTransaction((tx) => world.first.statusListener.deleted(tx, actor, server));
  t.match((await world.incidents()).at(-1), {
    resolution: 'deleted',
    message: 'Resolved because the server web-1 was deleted by ann@example.com.',
  });
  await sendSamples([95]);
  t.equal((await world.app.request('DELETE', `/v1/alert-rules/${rule.id}`)).status, 204);
  t.match((await world.incidents()).at(-1), { status: 'resolved', resolution: 'rule_deleted' });
});

t.test('a rule that another control plane creates or changes applies within two seconds', async (t) => {
  const { world, sendSamples } = await setUp(t);
  const second = world.plane('second');
  for (const job of second.jobs) await job.start();
  await sendSamples([95], { plane: second });
  const rule = await world.rule({ ...cpu, for_seconds: 0 });
  const seen = async (plane: RulesPlane) => {
    for (let checks = 0; checks < 8; checks++) {
      await world.clock.advance(250);
      // A poll reads from the real database, like these queries.
      for (let turns = 0; turns < 5; turns++) await world.app.parts.mongo.db.command({ ping: 1 });
    }
    await sendSamples([95], { plane });
  };
  await seen(second);
  t.equal((await world.unresolved()).length, 1);
  await world.app.request('DELETE', `/v1/alert-rules/${rule.id}`);
  await seen(second);
  t.same(await world.unresolved(), []);
  t.equal((await world.incidents()).length, 1);
});

t.test('without samples of a series its incident is resolved after five minutes', async (t) => {
  const { world, server } = await setUp(t);
  await world.rule({ ...cpu, for_seconds: 0, metric: 'disk_used_percent:/mnt/usb' });
  await world.sample(server, { cpu_percent: 1, 'disk_used_percent:/mnt/usb': 99 });
  for (let seconds = 0; seconds <= 300; seconds += 10) {
    t.equal((await world.unresolved()).length, 1);
    await world.clock.advance(INTERVAL_MS);
    await world.sample(server, { cpu_percent: 1 });
  }
  t.match(await world.incidents(), [
    { resolution: 'gone', message: 'web-1 no longer sends samples of disk_used_percent:/mnt/usb.' },
  ]);
});

t.test('a locked incident delays the evaluation by seconds, and a later sample resolves it', async (t) => {
  const { world, sendSamples } = await setUp(t);
  await world.rule({ ...cpu, for_seconds: 0 });
  await sendSamples([95]);
  const [incident] = await world.unresolved();
  const release = await lockDocument(world.uri, 'incidents', incident?._id ?? '');
  t.teardown(release);
  await sendSamples([20, 20]);
  t.equal((await world.unresolved()).length, 1);
  // This error comes after four conflicts and five seconds, or after the hour that a transaction may take here.
  const err = { type: 'TransactionTimeout', message: /^a transaction took longer than \d{4,6} ms, with \d+ write/ };
  const failures = world.logged.filter(({ msg }) => /^failed to evaluate alert rules/.test(String(msg)));
  t.match(failures, [{ err }]);
  t.equal(failures.length, 1);
  await release();
  await sendSamples([20, 20]);
  t.match(await world.incidents(), [{ status: 'resolved', resolution: 'recovered' }]);
});

t.test('the sweep resolves what concurrent changes left', async (t) => {
  const { world, sendSamples } = await setUp(t);
  const rule = await world.rule({ ...cpu, for_seconds: 0 });
  await sendSamples([95]);
  await world.app.parts.mongo.db.collection<{ _id: string }>('alert_rules').deleteOne({ _id: rule.id });
  t.equal(await world.first.sweep(), true);
  t.match(await world.incidents(), [
    { status: 'resolved', message: 'Resolved because no alert rule applies to it any more.' },
  ]);
});
