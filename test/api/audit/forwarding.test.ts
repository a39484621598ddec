import { Webhook } from 'standardwebhooks';
import t from 'tap';
import type { ForwarderDocument } from '../../../control-plane/audit/forward/documents.js';
import type { Forwarder, ForwarderTest } from '../../../control-plane/audit/forward/schema.js';
import { sealedEntries } from '../../helpers/audit/forwarding.js';
import { AUTH, entryIds, openForwardingScene, receiver, unique } from '../../helpers/audit/forwarding-scene.js';
import { testDatabase } from '../../helpers/database.js';
import { freePort } from '../../helpers/machine/ports.js';
import { startSyslogReceiver } from '../../helpers/machine/syslog-receiver.js';
import { waitFor } from '../../helpers/wait.js';

const mongo = await testDatabase();
const { close, drive, scene } = await openForwardingScene(mongo);
t.teardown(async () => {
  await close();
  await mongo.drop();
});

const HEARTBEAT_MS = 500;

t.test('a webhook gets every entry in order, signed, authorized, numbered and in batches', async (t) => {
  const { api, write, forwarder, caughtUp } = await scene();
  const hook = await receiver(t);
  await write(3, 'before the forwarder');
  const { id, secret = '' } = await forwarder({ type: 'webhook', target: `${hook.url}/in`, auth: AUTH });
  const ids = await write(250);
  drive(t);
  const done = await caughtUp(id);
  t.same(entryIds(hook.requests), ids);
  t.match(done, { state: 'active', sequence: 250, delivered: 250, last_error: null, lag: { seconds: 0 } });
  t.ok(done.last_success_at);
  t.same(
    hook.requests.map(({ json }) => json.data.first_sequence),
    [1, 101, 201],
  );
  for (const request of hook.requests) {
    t.equal(request.headers['authorization'], AUTH);
    t.doesNotThrow(() => new Webhook(secret).verify(request.body, request.headers));
  }
  hook.behave({ status: 202 });
  t.match(await api<ForwarderTest>('POST', `/${id}/test`), { status: 'sent', error: null, response_status: 202 });
  t.equal(hook.requests.at(-1)?.json.type, 'audit.test');
  t.equal((await api('GET', `/${id}`)).sequence, 250, 'a test message is not an entry');
  hook.behave({ status: 418 });
  t.match(await api<ForwarderTest>('POST', `/${id}/test`), { status: 'failed', response_status: 418 });
  hook.behave('reset');
  t.match(await api<ForwarderTest>('POST', `/${id}/test`), { status: 'failed', response_status: null });
});

t.test('the sealed secrets of a forwarder are of no use in another one', async (t) => {
  const { api, forwarder } = await scene();
  const [hook, other] = [await receiver(t), await receiver(t)];
  const { id } = await forwarder({ target: `${hook.url}/in`, auth: AUTH });
  const { id: otherId } = await forwarder({ target: `${other.url}/in`, auth: 'Bearer other' });
  const forwarders = mongo.db.collection<ForwarderDocument>('audit_forwarders');
  const sealed = (await forwarders.findOne({ _id: id }))?.sealed ?? '';
  t.match(await api<ForwarderTest>('POST', `/${otherId}/test`), { status: 'sent' });
  await forwarders.updateOne({ _id: otherId }, { $set: { sealed } });
  await t.rejects(api<ForwarderTest>('POST', `/${otherId}/test`));
  t.same(
    other.requests.map(({ headers }) => headers['authorization']),
    ['Bearer other'],
  );
});

t.test('a failing receiver gets everything later, completely and in order', async (t) => {
  const { api, write, forwarder } = await scene();
  const [bad, good] = [await receiver(t), await receiver(t)];
  const ids: string[] = [];
  const first = await forwarder({ type: 'webhook', target: `${bad.url}/in`, auth: AUTH });
  const second = await forwarder({ type: 'webhook', target: `${good.url}/in` });
  const answers = [
    { status: 500, body: `you sent ${AUTH}` },
    { status: 404 },
    { status: 302, headers: { location: `${good.url}/stolen` } },
    'reset',
    { status: 200, afterMs: 300 },
  ] as const;
  // The first answer stays until its failure was read, because the next try comes within a second.
  bad.behave(answers[0]);
  ids.push(...(await write(40)));
  drive(t);
  await good.arrived(1);
  const failing = await waitFor('failing', 30_000, async () => {
    const one = await api('GET', `/${first.id}`);
    return one.state === 'failing' && one;
  });
  // This includes the entries of the two forwarders themselves, which are not sealed here.
  t.match(failing, { sequence: 0, lag: { events: 42 }, last_success_at: null });
  t.match(failing.last_error, /^HTTP 500: you sent \[secret\]$/, 'the text of the receiver without the secret');
  const more = bad.requests.length - 1;
  bad.behave((_, index) => answers[index - more] ?? { status: 200 });
  // A change makes it retry at once, without waiting for the backoff.
  for (let tries = 0; tries < 6; tries++) {
    await waitFor('a try', 20_000, () => bad.requests.length > more + tries, 20);
    if (bad.requests.length >= more + 5) break;
    await waitFor('the failure is stored', 30_000, async () => (await api('GET', `/${first.id}`)).failures > 0, 20);
    await api('PATCH', `/${first.id}`, { name: `attempt ${tries}` });
  }
  ids.push(...(await write(10)));
  await waitFor('all', 20_000, () => unique(entryIds(bad.requests)).length === 50);
  const taken = entryIds(bad.requests.slice(more + 4));
  t.same(taken, ids, 'the accepted entries are complete, unique and in order');
  t.same(entryIds(good.requests), ids, 'the other forwarder was not delayed');
  t.notOk(
    good.requests.some(({ path }) => path === '/stolen'),
    'a redirect is not followed',
  );
  await waitFor('active again', 30_000, async () => (await api('GET', `/${first.id}`)).state === 'active');
  t.equal((await api('GET', `/${second.id}`)).failures, 0);
});

t.test('a hanging receiver does not delay others', async (t) => {
  const { write, forwarder } = await scene();
  const [hung, good] = [await receiver(t), await receiver(t)];
  hung.behave('hang');
  await forwarder({ type: 'webhook', target: hung.url });
  await forwarder({ type: 'webhook', target: good.url });
  drive(t);
  await write(1);
  await hung.arrived(1, 10_000);
  const ids = await write(5);
  t.ok(await waitFor('the other', 30_000, () => entryIds(good.requests).includes(ids[4] ?? '')));
});

t.test('the filter, pause, resume and back-fill', async (t) => {
  const { api, write, forwarder, caughtUp } = await scene();
  const hook = await receiver(t);
  const beginning = new Date().toISOString();
  const before = await write(5, 'old', 'critical');
  const { id } = await forwarder({ type: 'webhook', target: hook.url, filter: { severity: ['critical'] } });
  drive(t);
  await write(150, 'quiet');
  const loud = await write(2, 'loud', 'critical');
  await caughtUp(id);
  t.same(entryIds(hook.requests), loud);

  t.equal((await api('PATCH', `/${id}`, { paused: true })).state, 'paused');
  const meanwhile = await write(3, 'meanwhile', 'critical');
  // The entry about the pause is critical too. Nothing seals it in this test, so it is never sent.
  await waitFor('two runs of the driver', 30_000, async () => (await api('GET', `/${id}`)).lag.events === 4);
  t.same(entryIds(hook.requests), loud, 'nothing is sent while it is paused');
  await api('PATCH', `/${id}`, { paused: false });
  await caughtUp(id);
  t.same(entryIds(hook.requests), [...loud, ...meanwhile], 'and no entry is lost');

  let sequence = 6;
  for (const from of [beginning, '1970-01-01T00:00:00Z', '1969-07-20T20:17:40Z']) {
    hook.requests.length = 0;
    await api('PATCH', `/${id}`, { from });
    await waitFor('all again', 30_000, () => entryIds(hook.requests).length === 10);
    t.same(entryIds(hook.requests), [...before, ...loud, ...meanwhile], from);
    t.equal(hook.requests[0]?.json.data.first_sequence, sequence, 'sequence numbers continue');
    sequence += 10;
  }
});

t.test('heartbeats show that the connection works without entries', async (t) => {
  const { workspace, forwarder, caughtUp, write } = await scene();
  const hook = await receiver(t);
  const { id } = await forwarder({ type: 'webhook', target: hook.url, format: 'json' });
  drive(t, { heartbeatMs: HEARTBEAT_MS });
  await write(1);
  await caughtUp(id);
  await waitFor(
    'two heartbeats',
    10_000,
    () => hook.requests.filter(({ json }) => json.type === 'audit.heartbeat').length >= 2,
  );
  t.match(hook.requests.at(-1)?.json, { data: { forwarder_id: id, workspace_id: workspace.id, sequence: 1 } });
  t.notOk(hook.requests.at(-1)?.body.includes('evt_'));
});

t.test('the connected address is checked again', async (t) => {
  const { workspace, api } = await scene();
  const hook = await receiver(t);
  const log = await startSyslogReceiver();
  t.teardown(() => log.close());
  const port = await freePort();
  const targets = [
    `http://127.0.0.1:${hook.port}/`,
    `syslog+tcp://127.0.0.1:${log.port}`,
    `syslog+udp://127.0.0.1:${port}`,
  ];
  drive(t, { allowPrivate: false });
  for (const target of targets) {
    const type = target.startsWith('http') ? 'webhook' : 'syslog';
    // Created where private targets are allowed, and run where they are not.
    await api('POST', '', { type, target });
  }
  await sealedEntries(mongo, workspace.id, [{ action: 'monitor.updated', name: 'Shop' }]);
  const all = await waitFor('all fail', 30_000, async () => {
    const found = await api<Forwarder[]>('GET');
    return found.every(({ state }) => state === 'failing') && found;
  });
  for (const one of all) {
    t.match(one.last_error, /127\.0\.0\.1 points to an address that is not allowed/, one.target);
    t.notMatch(one.last_error, /loopback/, one.target);
  }
  t.equal(hook.requests.length + log.sockets.size + log.messages.length, 0);
});
