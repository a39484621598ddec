import { createSocket } from 'node:dgram';
import t from 'tap';
import type { ForwarderDocument } from '../../../control-plane/audit/forward/documents.js';
import type { ForwarderTest } from '../../../control-plane/audit/forward/schema.js';
import { sealedEntries } from '../../helpers/audit/forwarding.js';
import { openForwardingScene, unique } from '../../helpers/audit/forwarding-scene.js';
import { testDatabase } from '../../helpers/database.js';
import { parseMessage, startSyslogReceiver } from '../../helpers/machine/syslog-receiver.js';
import { createAuthority } from '../../helpers/probe/targets-tls.js';
import { waitFor } from '../../helpers/wait.js';

const mongo = await testDatabase();
const { close, drive, scene } = await openForwardingScene(mongo);
t.teardown(async () => {
  await close();
  await mongo.drop();
});

const SETTLE_MS = 100;

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
    await waitFor('the first', 30_000, () => log.messages.length === 1);
    const [first] = log.messages;
    t.equal(first?.priority, 13 * 8 + 2);
    t.equal(first?.msgid, 'monitor.updated');
    t.match(first?.data, { kind: 'entry', id: ids[0], sequence: '1', workspace: workspace.id, forwarder: id });
    t.equal(JSON.parse(first?.body ?? '').resource.name, name);
    t.notMatch(first?.text, /[\n\0\u202e]/, 'the line is safe to display');
    await caughtUp(id);

    ids.push(...(await write(3_000)));
    await waitFor('some', 30_000, () => log.messages.length > 500, 1);
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
  const failing = await waitFor('failing', 30_000, async () => {
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

t.test('on stop, a control plane saves what its receiver has read, without waiting', async (t) => {
  const { api, write, forwarder } = await scene();
  const log = await startSyslogReceiver();
  t.teardown(() => log.close());
  const { id } = await forwarder({ type: 'syslog', target: `syslog+tcp://127.0.0.1:${log.port}` });
  const forwarding = drive(t, { settleMs: 3_600_000 });
  const ids = await write(5);
  await waitFor('all', 30_000, () => log.messages.length === 5);
  t.equal((await api('GET', `/${id}`)).sequence, 0, 'nothing is confirmed yet');
  await forwarding.stop();
  t.match(await api('GET', `/${id}`), { sequence: 5, cursor: { entry_id: ids[4] } });
});
