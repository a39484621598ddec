import t, { type Test } from 'tap';
import type { BlacklistMonitorDocument } from '../../../control-plane/blacklist/documents.js';
import type { IncidentDetail } from '../../../control-plane/incidents/schema.js';
import type { TimelineLine } from '../../../control-plane/timeline/schema.js';
import { setUpAlertRules } from '../../helpers/alert-rules/setup.js';
import { buildListing, ZEN } from '../../helpers/blacklist/listings.js';
import { actorOf, buildWorkspace } from '../../helpers/factories.js';

const DAY = 86_400_000;
const RULE = { name: 'Listed', type: 'blacklist_listed' };
const PATH = '/v1/alert-rules';

async function setUp(t: Test) {
  const world = await setUpAlertRules();
  t.teardown(() => world.stop());
  const channels: string[] = [];
  for (const name of ['One', 'Two']) {
    const config = { to: ['ann@example.com'] };
    channels.push((await world.notifying.channel(world.app.workspace.id, { type: 'email', name, config })).id);
  }
  const [one = '', two = ''] = channels;
  const monitor = await world.insertMonitor();
  const zen = () => buildListing(ZEN, world.clock.now());
  const cop = () => buildListing('spamcop', world.clock.now());
  /** Listings have their turn once a minute. */
  const sweep = async () => {
    await world.clock.advance(60_000);
    return world.first.sweep();
  };
  const notified = async () => (await world.outbox()).sort();
  const remove = ({ _id, workspace_id }: BlacklistMonitorDocument) =>
    world.first.runTransaction(async (tx) => {
      const now = await world.blacklist.find(workspace_id, _id, tx);
      if (now === null) throw new Error(`no monitor ${_id}`);
      await world.first.listingListener.deleted(tx, actorOf(world.app.workspace), now);
      await world.blacklist.remove(tx, workspace_id, _id);
    });
  return { world, one, two, monitor, zen, cop, notified, remove, sweep };
}

t.test('a new listing opens an incident and notifies every channel; its end does, too', async (t) => {
  const { world, one, two, monitor, zen, notified } = await setUp(t);
  const rule = await world.rule(RULE);
  const listing = { ...zen(), addresses: ['203.0.113.7'] };
  const since = world.clock.now();
  await world.clock.advance(6_000);
  await world.check(monitor._id, [listing]);
  const [incident] = await world.unresolved();
  t.match(incident, {
    ...{ kind: 'blacklist', subject: `blacklist:${monitor._id}:${ZEN}`, monitor_id: null, monitor_name: null },
    resource: { type: 'blacklist_monitor', id: monitor._id, name: 'mail.example.com' },
    ...{ severity: 'warning', status: 'firing', channels: null, started_at_ms: since },
    runbook_url: 'https://check.spamhaus.org/',
    message:
      'mail.example.com is listed on Spamhaus ZEN (SBL) with its address 203.0.113.7: “https://lists.example/why”. Delisting instructions: https://check.spamhaus.org/',
  });
  t.same(await notified(), [`opened ${one}`, `opened ${two}`].sort());

  const opened = await world.app.request<IncidentDetail>('GET', `/v1/alerts/${incident?._id}`);
  t.equal(opened.status, 200);
  const iso = (atMs: number) => new Date(atMs).toISOString();
  const look = { codes: ['127.0.0.2'], reason: 'https://lists.example/why' };
  t.same(opened.body.data.decision, {
    rule: { id: rule.id, name: 'Listed', version: 1, type: 'blacklist_listed', severity: 'warning' },
    other_rules: [],
    listing: {
      ...{ provider: ZEN, provider_name: 'Spamhaus ZEN', zone: 'zen.spamhaus.org', target: 'mail.example.com' },
      ...{ addresses: ['203.0.113.7'], meanings: ['SBL'], policy: false, delist_url: 'https://check.spamhaus.org/' },
      ...look,
      first: { at: iso(since), ...look },
      confirmed: { at: iso(since + 5_000), ...look },
      tested: true,
    },
    answer: null,
    reason: 'two consecutive lookups agree, and the list passed its own tests during the second one',
    times: {
      ...{ listed_since: iso(since), evaluated_at: iso(since + 6_000), opened_at: iso(since + 6_000) },
      ...{ recovered_at: null, notifications: [] },
    },
  });

  await world.clock.advance(3 * DAY + 2 * 3_600_000 - 6_000);
  await world.check(monitor._id, []);
  const minute = (atMs: number) => `${iso(atMs).slice(0, 16).replace('T', ' ')} UTC`;
  t.match(await world.incidents(), [
    {
      ...{ status: 'resolved', resolution: 'recovered' },
      message: `mail.example.com is no longer listed on Spamhaus ZEN after 3 d 2 h (${minute(since)} to ${minute(world.clock.now())}).`,
    },
  ]);
  t.same(await notified(), [`opened ${one}`, `opened ${two}`, `resolved ${one}`, `resolved ${two}`].sort());
  const ended = await world.app.request<IncidentDetail>('GET', `/v1/alerts/${incident?._id}`);
  t.match(ended.body.data.recovery, {
    answer: { at: iso(world.clock.now()), status: 'clean', codes: [], policy: false, reason: null },
    reason: 'two consecutive lookups agree that the target is no longer listed',
    times: { opened_at: null, recovered_at: iso(world.clock.now()) },
  });
  const lines = await world.app.request<TimelineLine[]>('GET', `/v1/timeline?resource_id=${monitor._id}`);
  t.match(lines.body.data, [
    { type: 'incident.resolved', message: /^mail\.example\.com is no longer listed/, metadata: { kind: 'blacklist' } },
    { type: 'incident.opened', message: /^mail\.example\.com is listed on Spamhaus ZEN/ },
  ]);
  t.equal(lines.body.data.length, 2);
});

t.test('a policy listing opens no incident; a real listing does, until only the policy is left', async (t) => {
  const { world, monitor, zen } = await setUp(t);
  await world.rule(RULE);
  const policy = { ...zen(), policy: true, meanings: ['PBL'], codes: ['127.0.0.10'] };
  await world.check(monitor._id, [policy]);
  await world.first.sweep();
  t.same(await world.incidents(), []);
  await world.check(monitor._id, [zen()]);
  t.equal((await world.unresolved()).length, 1);
  await world.check(monitor._id, [policy]);
  t.match(await world.incidents(), [
    {
      ...{ status: 'resolved', resolution: 'policy_only' },
      message: 'mail.example.com is only listed on Spamhaus ZEN by policy (PBL), which is not a sign of abuse.',
      recovery: { answer: { status: 'listed', policy: true, codes: ['127.0.0.10'] } },
    },
  ]);
});

t.test('a decision does not claim a list test without a result', async (t) => {
  const { world, monitor, zen } = await setUp(t);
  await world.rule(RULE);
  const listing = zen();
  await world.check(monitor._id, [{ ...listing, evidence: { ...listing.evidence, tested: false } }]);
  t.match(await world.unresolved(), [
    {
      decision: {
        listing: { tested: false },
        reason: 'two consecutive lookups agree; whether the list works is unknown',
      },
    },
  ]);
});

t.test('each list has its own incident; a missing answer changes nothing; a dropped list is named', async (t) => {
  const { world, monitor, zen, cop } = await setUp(t);
  await world.rule(RULE);
  const listings = [zen(), cop()];
  await world.check(monitor._id, [zen()]);
  await world.check(monitor._id, listings);
  t.same(
    (await world.unresolved()).map(({ subject }) => subject),
    [`blacklist:${monitor._id}:${ZEN}`, `blacklist:${monitor._id}:spamcop`],
  );
  const rows = await world.outbox();
  await world.check(monitor._id, listings, { silent: [ZEN, 'spamcop'] });
  await world.check(monitor._id, listings);
  await world.first.sweep();
  t.equal((await world.unresolved()).length, 2);
  t.same(await world.outbox(), rows, 'no further notification');

  await world.check(monitor._id, listings.slice(0, 1), { lists: [ZEN] });
  t.match(await world.incidents(), [
    { status: 'firing' },
    {
      ...{ status: 'resolved', resolution: 'gone', recovery: null },
      message: 'Picket no longer checks mail.example.com on SpamCop; it may still be listed there.',
    },
  ]);
});

t.test('a rule with monitor ids applies only to them, and never to other workspaces', async (t) => {
  const { world, monitor, zen } = await setUp(t);
  const other = await world.insertMonitor({ target: 'other.example.com' });
  const foreign = await world.insertMonitor({ workspace_id: (await buildWorkspace(world.app.parts.mongo)).id });
  await world.rule({ ...RULE, blacklist_monitor_ids: [other._id] });
  await world.rule({ name: 'Offline', type: 'server_offline' });
  for (const { _id } of [monitor, other, foreign]) await world.check(_id, [zen()]);
  await world.first.sweep();
  t.match(await world.incidents(), [{ resource: { id: other._id, name: 'other.example.com' } }]);
  t.equal((await world.incidents()).length, 1);
  await world.rule({ ...RULE, name: 'All' });
  await world.check(foreign._id, [zen()]);
  await world.first.sweep();
  t.same((await world.incidents()).map(({ resource }) => resource.id).sort(), [monitor._id, other._id].sort());
});

t.test('a listing rule does not affect servers', async (t) => {
  const { world } = await setUp(t);
  await world.rule(RULE);
  const server = await world.insertServer();
  await world.sample(server, { cpu_percent: 99, 'disk_used_percent:/': 100 });
  await world.clock.advance(3_600_000);
  t.ok(await world.first.setStatus(server._id, 'online', 'offline'));
  t.equal(await world.first.sweep(), true);
  t.equal(await world.first.checkDisks(), true);
  t.same(await world.incidents(), []);
});

t.test('an incident without a rule is resolved', async (t) => {
  const { world, monitor, zen } = await setUp(t);
  const open = async () => {
    await world.first.sweep();
    const [incident] = await world.unresolved();
    t.ok(incident, 'the sweep opens incidents for a new or enabled rule');
  };
  await world.check(monitor._id, [zen()]);
  const last = async () => (await world.incidents()).at(-1);
  const rule = await world.rule(RULE);
  const patch = (body: object) => world.app.request('PATCH', `${PATH}/${rule.id}`, { body });
  await open();
  await patch({ enabled: false });
  t.match(await last(), { status: 'resolved', resolution: 'rule_disabled' });
  t.match((await last())?.message, 'Resolved because the alert rule “Listed” was disabled by ');
  await patch({ enabled: true });
  await open();
  const other = await world.insertMonitor();
  await patch({ blacklist_monitor_ids: [other._id] });
  t.match(await last(), { status: 'resolved', resolution: 'rule_changed' });
  await patch({ blacklist_monitor_ids: null });
  await open();
  const second = await world.rule({ ...RULE, name: 'Second' });
  await world.app.request('DELETE', `${PATH}/${rule.id}`);
  t.equal((await world.unresolved()).length, 1, 'another rule still applies');
  await world.app.request('DELETE', `${PATH}/${second.id}`);
  t.match(await last(), { status: 'resolved', resolution: 'rule_deleted' });
  t.equal((await world.incidents()).length, 3);
});

t.test('two rules open one incident with the higher severity and the channels of both', async (t) => {
  const { world, one, two, monitor, zen, cop, notified, sweep } = await setUp(t);
  const first = await world.rule({ ...RULE, name: 'Quiet', severity: 'info', channels: [one] });
  await world.check(monitor._id, [zen()]);
  t.match(await world.unresolved(), [{ severity: 'info', channels: [one] }]);
  const loud = await world.rule({ ...RULE, name: 'Loud', severity: 'critical', channels: [two] });
  await world.first.sweep();
  await sweep();
  t.match(await world.unresolved(), [
    {
      ...{ severity: 'critical', channels: [one, two] },
      decision: { rule: { id: first.id }, other_rules: [{ id: loud.id, name: 'Loud' }] },
      events: [{ type: 'opened' }, { type: 'widened', message: 'Rule “Loud” matches too.' }],
    },
  ]);
  t.same(await notified(), [`opened ${one}`, `opened ${two}`].sort(), 'no duplicate notification');
  await world.check(monitor._id, [zen(), cop()]);
  t.match((await world.unresolved())[1], {
    ...{ severity: 'critical', channels: [one, two] },
    decision: { rule: { id: loud.id }, other_rules: [{ id: first.id }] },
  });
});

t.test('a manually resolved listing opens again after ten minutes, or when it is listed again', async (t) => {
  const { world, monitor, zen, sweep } = await setUp(t);
  await world.rule(RULE);
  const listing = zen();
  await world.check(monitor._id, [listing]);
  const resolve = async () => {
    const [incident] = await world.unresolved();
    t.equal((await world.app.request('POST', `/v1/alerts/${incident?._id}/resolve`)).status, 200);
  };
  await world.clock.advance(60_000);
  await resolve();
  await world.clock.advance(590_000);
  await world.check(monitor._id, [listing]);
  await world.first.sweep();
  t.equal((await world.incidents()).length, 1);
  await sweep();
  t.equal((await world.unresolved()).length, 1);
  await resolve();
  await world.clock.advance(1_000);
  await world.check(monitor._id, []);
  await world.clock.advance(1_000);
  await world.check(monitor._id, [zen()]);
  t.equal((await world.incidents()).length, 3, 'it was delisted and listed again');
});

t.test('deleting a monitor resolves its incidents and no others', async (t) => {
  const { world, monitor, zen, cop, remove } = await setUp(t);
  await world.rule(RULE);
  const other = await world.insertMonitor({ target: 'other.example.com' });
  const server = await world.insertServer();
  await world.rule({ name: 'Busy', metric: 'cpu_percent', operator: '>', threshold: 90 });
  await world.sample(server, { cpu_percent: 99 });
  await world.check(monitor._id, [zen(), cop()]);
  await world.check(other._id, [zen()]);
  await remove(monitor);
  const incidents = await world.incidents();
  t.match(incidents, [
    { status: 'firing' },
    { resolution: 'deleted' },
    { resolution: 'deleted' },
    { status: 'firing' },
  ]);
  t.match(incidents[1]?.message, /^Resolved because the blacklist monitor of mail\.example\.com was deleted by .+@/);
  await world.first.sweep();
  t.equal((await world.unresolved()).length, 2, 'server and listing incidents do not resolve each other');
});

t.test('the sweep resolves incidents without a listing or without a monitor', async (t) => {
  const { world, monitor, zen, cop, sweep } = await setUp(t);
  await world.rule(RULE);
  await world.check(monitor._id, [zen(), cop()]);
  await world.check(monitor._id, [cop()], { unnoticed: true });
  await sweep();
  t.match(await world.incidents(), [{ resolution: 'recovered' }, { status: 'firing' }]);
  await world.check(monitor._id, [], { lists: [ZEN], unnoticed: true });
  await sweep();
  t.match((await world.incidents())[1], { resolution: 'gone' }, 'a list that is not queried is not clean');
  await world.check(monitor._id, [zen()]);
  const rules = world.app.parts.mongo.db.collection('alert_rules');
  await rules.updateMany({}, { $set: { enabled: false } });
  await sweep();
  t.match((await world.incidents()).at(-1), {
    resolution: 'rule_changed',
    message: 'Resolved because no alert rule applies to it any more.',
  });
  await rules.updateMany({}, { $set: { enabled: true } });
  await sweep();
  t.equal((await world.unresolved()).length, 1);
  await world.app.parts.runTransaction((tx) => world.blacklist.remove(tx, monitor.workspace_id, monitor._id));
  await sweep();
  t.equal((await world.unresolved()).length, 0);
});

t.test('two control planes open one incident', async (t) => {
  const { world, zen, cop } = await setUp(t);
  await world.rule(RULE);
  const second = world.plane('second');
  for (let round = 0; round < 10; round++) {
    const monitor = await world.insertMonitor({ target: `mx${round}.example.com` });
    const check = await world.check(monitor._id, [zen(), cop()], { unnoticed: true });
    const now = await world.blacklist.find(monitor.workspace_id, monitor._id);
    if (now === null) throw new Error('the monitor is gone');
    const looks = await Promise.allSettled([
      second.runTransaction((tx) => second.listingListener.checked(tx, now, check)),
      world.first.sweep(),
      second.sweep(),
    ]);
    t.match(looks, [{ status: 'fulfilled' }, { status: 'fulfilled' }, { status: 'fulfilled' }]);
    const its = (await world.incidents()).filter(({ resource }) => resource.id === monitor._id);
    t.equal(its.length, 2);
    await world.clock.advance(60_000);
  }
});
