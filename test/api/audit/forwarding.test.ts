import { type ChildProcess, spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { Webhook } from 'standardwebhooks';
import t, { type Test } from 'tap';
import type { AuditHeadDocument } from '../../../control-plane/audit/documents.js';
import type { ForwarderDocument } from '../../../control-plane/audit/forward/documents.js';
import type { Forwarder, ForwarderTest } from '../../../control-plane/audit/forward/schema.js';
import { createForwarderStore } from '../../../control-plane/audit/forward/store.js';
import { createSecretBox } from '../../../control-plane/storage/secret-box.js';
import { systemRandom } from '../../../kernel/random.js';
import { startApp } from '../../helpers/app.js';
import { buildForwarding, sealedEntries } from '../../helpers/audit/forwarding.js';
import { quickClock } from '../../helpers/clock.js';
import { testDatabase } from '../../helpers/database.js';
import { buildKey, buildWorkspace } from '../../helpers/factories.js';
import { freePort } from '../../helpers/machine/ports.js';
import { parseMessage, startSyslogReceiver } from '../../helpers/machine/syslog-receiver.js';
import { type Received, type Receiver, startReceiver } from '../../helpers/machine/webhook-receiver.js';
import { createAuthority } from '../../helpers/probe/targets-tls.js';
import { nodeArguments } from '../../helpers/processes/node-arguments.js';
import { waitFor } from '../../helpers/wait.js';

/** The driver polls five times as often. Leases, pauses between tries and what counts as settled keep their time. */
const clock = quickClock(5);
const SETTLE_MS = 100;
const HEARTBEAT_MS = 500;
const SECRET_KEY = Buffer.alloc(32, 9);
const PATH = '/api/v1/audit-logs/forwarders';
const AUTH = 'Bearer very-secret-token-0815';

const mongo = await testDatabase();
const secretBox = createSecretBox(SECRET_KEY, systemRandom);
const app = await startApp({ mongo, routes: (parts) => buildForwarding({ ...parts, secretBox }).routes });
t.teardown(async () => {
  await app.close();
  await mongo.drop();
});

const heads = mongo.db.collection<AuditHeadDocument>('audit_heads');

/** Runs the driver of one control plane during the test. */
function drive(
  t: Test,
  options: { owner?: string; heartbeatMs?: number; settleMs?: number; allowPrivate?: boolean } = {},
) {
  const forwarding = buildForwarding({ ...app.parts, secretBox }, { clock, ...options });
  void forwarding.start();
  t.teardown(() => forwarding.stop());
  return forwarding;
}

async function scene() {
  const workspace = await buildWorkspace(mongo);
  const { key } = await buildKey(mongo, workspace);
  const api = async <D = Forwarder>(method: string, path = '', body?: object) => {
    const answer = await app.request<D>(method, `${PATH}${path}`, { key, ...(body === undefined ? {} : { body }) });
    if (answer.status >= 400) throw new Error(answer.text);
    return answer.body.data;
  };
  const write = (count: number, name = 'Shop', severity: 'info' | 'warning' | 'critical' = 'info') =>
    sealedEntries(
      mongo,
      workspace.id,
      Array.from({ length: count }, () => ({ action: 'monitor.updated' as const, name, severity })),
    );
  const forwarder = (body: object) => api<Forwarder & { secret?: string }>('POST', '', body);
  const caughtUp = (id: string, timeoutMs = 15_000) =>
    waitFor('all forwarded', timeoutMs, async () => {
      const one = await api('GET', `/${id}`);
      const head = await heads.findOne({ _id: workspace.id });
      return one.cursor.entry_id === head?.last_id && one;
    });
  return { workspace, api, write, forwarder, caughtUp };
}

interface Body {
  type: string;
  data: { first_sequence: number; sequence: number; entries: { id: string }[] };
}
const entryIds = (requests: readonly Received[]) =>
  requests.flatMap(({ json }) => ((json as Body).data.entries ?? []).map(({ id }) => id));
const unique = (ids: readonly string[]) => [...new Set(ids)];
async function receiver(t: Test): Promise<Receiver> {
  const started = await startReceiver();
  t.teardown(() => started.close());
  return started;
}

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
  bad.behave((_, index) => answers[index] ?? { status: 200 });
  ids.push(...(await write(40)));
  drive(t);
  await good.arrived(1);
  const failing = await waitFor('failing', 5_000, async () => {
    const one = await api('GET', `/${first.id}`);
    return one.state === 'failing' && one;
  });
  // This includes the entries of the two forwarders themselves, which are not sealed here.
  t.match(failing, { sequence: 0, lag: { events: 42 }, last_success_at: null });
  t.match(failing.last_error, /^HTTP 500: you sent \[secret\]$/, 'the text of the receiver without the secret');
  // A change makes it retry at once, without waiting for the backoff.
  for (let tries = 0; tries < 6; tries++) {
    await waitFor('a try', 20_000, () => bad.requests.length > tries, 20);
    if (bad.requests.length >= 5) break;
    await waitFor('the failure is stored', 5_000, async () => (await api('GET', `/${first.id}`)).failures > 0, 20);
    await api('PATCH', `/${first.id}`, { name: `attempt ${tries}` });
  }
  ids.push(...(await write(10)));
  await waitFor('all', 20_000, () => unique(entryIds(bad.requests)).length === 50);
  const taken = entryIds(bad.requests.slice(4));
  t.same(taken, ids, 'the accepted entries are complete, unique and in order');
  t.same(entryIds(good.requests), ids, 'the other forwarder was not delayed');
  t.notOk(
    good.requests.some(({ path }) => path === '/stolen'),
    'a redirect is not followed',
  );
  await waitFor('active again', 5_000, async () => (await api('GET', `/${first.id}`)).state === 'active');
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
  t.ok(await waitFor('the other', 3_000, () => entryIds(good.requests).includes(ids[4] ?? '')));
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
  await waitFor('two runs of the driver', 5_000, async () => (await api('GET', `/${id}`)).lag.events === 4);
  t.same(entryIds(hook.requests), loud, 'nothing is sent while it is paused');
  await api('PATCH', `/${id}`, { paused: false });
  await caughtUp(id);
  t.same(entryIds(hook.requests), [...loud, ...meanwhile], 'and no entry is lost');

  let sequence = 6;
  for (const from of [beginning, '1970-01-01T00:00:00Z', '1969-07-20T20:17:40Z']) {
    hook.requests.length = 0;
    await api('PATCH', `/${id}`, { from });
    await waitFor('all again', 10_000, () => entryIds(hook.requests).length === 10);
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

t.test(
  'syslog over TCP: octet counting, structured data, and entries lost with a connection are sent again',
  async (t) => {
    const { workspace, write, forwarder, caughtUp, api } = await scene();
    const log = await startSyslogReceiver();
    t.teardown(() => log.close());
    const name = 'a\nb = "c" ] \\ | \u0000 😀 \u202eabc\u202c ü';
    const { id } = await forwarder({ type: 'syslog', target: `syslog+tcp://127.0.0.1:${log.port}`, format: 'json' });
    drive(t);
    const ids = await write(1, name, 'critical');
    await waitFor('the first', 5_000, () => log.messages.length === 1);
    const [first] = log.messages;
    t.equal(first?.priority, 13 * 8 + 2);
    t.equal(first?.msgid, 'monitor.updated');
    t.match(first?.data, { kind: 'entry', id: ids[0], sequence: '1', workspace: workspace.id, forwarder: id });
    t.equal(JSON.parse(first?.body ?? '').resource.name, name);
    t.notMatch(first?.text, /[\n\0\u202e]/, 'the line is safe to display');
    await caughtUp(id);

    ids.push(...(await write(3_000)));
    await waitFor('some', 10_000, () => log.messages.length > 500, 1);
    // The receiver does not read what is still in its buffers.
    for (const socket of log.sockets) socket.destroy();
    const before = log.messages.length;
    await waitFor('all', 20_000, () => unique(log.messages.map(({ data }) => data['id'] ?? '')).length === 3_001);
    const arrived = log.messages.map(({ data }) => data['id'] ?? '');
    t.same(unique(arrived), ids, 'each one, in order');
    t.equal(unique(arrived.slice(0, before)).length, before, 'no duplicates before the break');
    t.equal(unique(arrived.slice(before)).length, arrived.length - before, 'no duplicates after it');
    const done = await caughtUp(id);
    t.equal(done.sequence, 3_001);
    t.match(await api<ForwarderTest>('POST', `/${id}/test`), { status: 'sent', response_status: null });
    await waitFor('the test', 20_000, () => log.messages.at(-1)?.data['kind'] === 'test');
  },
);

t.test('syslog: entries without an acknowledgement never count as confirmed', async (t) => {
  const { api, write, forwarder, caughtUp } = await scene();
  const log = await startSyslogReceiver();
  t.teardown(() => log.close());
  const { id } = await forwarder({ type: 'syslog', target: `syslog+tcp://127.0.0.1:${log.port}` });
  drive(t, { settleMs: SETTLE_MS });
  await write(1);
  await caughtUp(id);
  log.pause();
  // More than fits into the buffers of both ends.
  await sealedEntries(
    mongo,
    (await mongo.db.collection<ForwarderDocument>('audit_forwarders').findOne({ _id: id }))?.workspace_id ?? '',
    Array.from({ length: 400 }, (_, index) => ({
      action: 'monitor.updated' as const,
      name: `big ${index}`,
      metadata: { text: 'x'.repeat(60_000) },
    })),
  );
  const [polls, pollMs] = [10, SETTLE_MS];
  const sequences: number[] = [];
  const stuck = await waitFor(
    'it stands still',
    20_000,
    async () => {
      sequences.push((await api('GET', `/${id}`)).sequence);
      return sequences.length > polls && new Set(sequences.slice(-polls)).size === 1 && sequences.at(-1);
    },
    pollMs,
  );
  t.ok(stuck < 401, `${stuck} of 401 are confirmed`);
  for (const socket of log.sockets) socket.destroy();
  await caughtUp(id, 30_000);
  t.equal(unique(log.messages.map(({ data }) => data['id'] ?? '')).length, 401);
});

t.test('syslog over TLS: only to a receiver with the right certificate', async (t) => {
  const { api, write, forwarder, caughtUp } = await scene();
  const authority = await createAuthority();
  const certificate = await authority.issue();
  const wrongName = await authority.issue({ names: ['elsewhere.example'] });
  const log = await startSyslogReceiver({ tls: certificate });
  const other = await startSyslogReceiver({ tls: wrongName });
  t.teardown(() => Promise.all([log.close(), other.close()]));
  drive(t);
  const target = `syslog+tls://127.0.0.1:${log.port}`;
  const { id } = await forwarder({ type: 'syslog', target, format: 'cef' });
  const ids = await write(3);
  const failing = await waitFor('failing', 5_000, async () => {
    const one = await api('GET', `/${id}`);
    return one.state === 'failing' && one;
  });
  t.match(failing.last_error, /certificate|UNABLE_TO_VERIFY/);
  t.equal(log.messages.length, 0);
  const named = await forwarder({ type: 'syslog', target: `syslog+tls://127.0.0.1:${other.port}`, ca: authority.pem });
  t.match(await api<ForwarderTest>('POST', `/${named.id}/test`), { status: 'failed', error: /altnames|ALTNAME/i });
  await api('PATCH', `/${id}`, { ca: authority.pem });
  await caughtUp(id);
  t.same(
    log.messages.map(({ data }) => data['id']),
    ids,
  );
  t.match(log.messages[0]?.body, /^CEF:0\|Picket\|Picket\|1\.2\.3\|monitor\.updated\|Monitor updated\|3\|rt=/);
});

t.test('syslog over UDP: one datagram per message, of limited size', async (t) => {
  const { workspace, forwarder, caughtUp } = await scene();
  const socket = createSocket('udp4');
  const received: Buffer[] = [];
  socket.on('message', (message) => received.push(message));
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  t.teardown(() => socket.close());
  const { id } = await forwarder({
    type: 'syslog',
    target: `syslog+udp://127.0.0.1:${socket.address().port}`,
    format: 'ocsf',
  });
  drive(t);
  await sealedEntries(mongo, workspace.id, [
    { action: 'monitor.updated', name: 'small' },
    { action: 'monitor.updated', name: '😀'.repeat(200), metadata: { text: 'x'.repeat(5_000) } },
  ]);
  await caughtUp(id);
  await waitFor('both', 20_000, () => received.length === 2);
  t.ok(
    received.every(({ length }) => length <= 2_048),
    received.map(({ length }) => length).join(),
  );
  t.match(JSON.parse(parseMessage(String(received[1])).body), {
    class_uid: 6003,
    unmapped: { metadata: { omitted: true } },
  });
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
  const all = await waitFor('all fail', 5_000, async () => {
    const found = await api<Forwarder[]>('GET');
    return found.every(({ state }) => state === 'failing') && found;
  });
  for (const one of all) t.match(one.last_error, /127\.0\.0\.1 is a loopback address/, one.target);
  t.equal(hook.requests.length + log.sockets.size + log.messages.length, 0);
});

t.test('on stop, a control plane saves what its receiver has read, without waiting', async (t) => {
  const { api, write, forwarder } = await scene();
  const log = await startSyslogReceiver();
  t.teardown(() => log.close());
  const { id } = await forwarder({ type: 'syslog', target: `syslog+tcp://127.0.0.1:${log.port}` });
  const forwarding = drive(t, { settleMs: 3_600_000 });
  const ids = await write(5);
  await waitFor('all', 10_000, () => log.messages.length === 5);
  t.equal((await api('GET', `/${id}`)).sequence, 0, 'nothing is confirmed yet');
  await forwarding.stop();
  t.match(await api('GET', `/${id}`), { sequence: 5, cursor: { entry_id: ids[4] } });
});

t.test('a worker with an old lease or old settings cannot move the cursor', async (t) => {
  const { workspace, api, forwarder } = await scene();
  const { id } = await forwarder({ type: 'syslog', target: 'syslog+tcp://127.0.0.1:9', paused: false });
  const store = createForwarderStore(mongo.db);
  const to = (sequence: number) => ({ id: `evt_${sequence}`, at_ms: null, sequence });
  t.equal(await store.advance({ id, version: 1, fence: 7 }, to(1), 1), true);
  t.equal(await store.advance({ id, version: 1, fence: 6 }, to(2), 2), false, 'another control plane holds the lease');
  t.equal(await store.fail({ id, version: 1, fence: 6 }, { error: 'late', atMs: 1, nextAttemptMs: 1 }), false);
  await api('PATCH', `/${id}`, { name: 'changed' });
  t.equal(await store.advance({ id, version: 1, fence: 8 }, to(3), 3), false, 'the settings have changed');
  await api('PATCH', `/${id}`, { paused: true });
  t.equal(await store.advance({ id, version: 3, fence: 8 }, to(4), 4), false, 'the forwarder is paused');
  t.equal((await store.find(workspace.id, id))?.cursor.sequence, 1);
});

t.test('another control plane takes over within 15 s after the running one was killed', async (t) => {
  const { write, forwarder, caughtUp } = await scene();
  const hook = await receiver(t);
  hook.behave(() => ({ status: 200, afterMs: 20 }));
  const { id } = await forwarder({ type: 'webhook', target: hook.url });
  const child = forwardProcess('a killed one');
  t.teardown(() => child.kill('SIGKILL'));
  const ids = await write(1_000);
  await hook.arrived(2, 20_000);
  const gone = new Promise((resolve) => child.once('exit', resolve));
  drive(t, { owner: 'successor' });
  child.kill('SIGKILL');
  await gone;
  const killedAt = performance.now();
  const seen = hook.requests.length;
  await hook.arrived(seen + 1, 15_000);
  t.comment(`taken over after ${Math.round(performance.now() - killedAt)} ms`);
  const done = await caughtUp(id);
  t.equal(done.sequence, 1_000);
  t.same(unique(entryIds(hook.requests)), ids);
  t.ok(hook.requests.length <= 12, 'at most the current batch was sent twice');
});

function forwardProcess(owner: string): ChildProcess {
  const script = nodeArguments(new URL('../../helpers/audit/forward-process.ts', import.meta.url));
  const args = [...script, mongo.uri, owner, SECRET_KEY.toString('hex')];
  return spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] });
}
