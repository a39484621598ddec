import { createServer } from 'node:net';
import t from 'tap';
import { systemClock } from '../../../kernel/clock.js';
import { testClock } from '../../helpers/clock.js';
import { bareNode, monitorIds, numbered } from '../../helpers/node-link/bare-node.js';
import { setUpControlPlane } from '../../helpers/node-link/setup.js';
import { waitFor } from '../../helpers/wait.js';

t.test('drain: a new stream takes over, the old stream is ended, nothing is lost', async (t) => {
  const plane = await setUpControlPlane(t);
  const probe = bareNode(t, { control: plane });
  probe.link.start();
  await waitFor('a stream', 5_000, () => probe.link.state() === 'welcomed');
  const feeding = systemClock.every(5, () => probe.append(3));
  await waitFor('results', 5_000, () => plane.stored.size >= 60, 5);
  plane.send({ drain: { reconnectAfterMs: 500 } });
  await waitFor('draining', 20_000, () => probe.link.state() === 'draining', 5);
  await waitFor('moved', 5_000, () => plane.sessions.length === 2 && probe.link.state() === 'welcomed');
  await waitFor('the old one ended', 3_000, () => plane.sessions[0]?.open === false);
  t.equal(plane.sessions[1]?.open, true);
  const moved = plane.stored.size;
  await waitFor('results on the new stream', 5_000, () => plane.stored.size >= moved + 60, 5);
  feeding.cancel();
  await waitFor('an empty spool', 5_000, () => probe.spool.stats().records === 0);
  t.strictSame(monitorIds(plane), numbered(plane.stored.size));
  t.equal(plane.stored.size, probe.spool.lastSeq());
  t.strictSame(plane.conflicts, []);
  t.notOk(
    probe.lines.some((line) => line.level >= 40),
    'a planned move logs no warning',
  );
});

t.test('several addresses are tried in turn, and one line is logged about failing to connect', async (t) => {
  const plane = await setUpControlPlane(t);
  const dead = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => dead.listen(0, '127.0.0.1', resolve));
  t.teardown(() => dead.close());
  const address = dead.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const probe = bareNode(t, {
    control: plane,
    addresses: [`127.0.0.1:${port}`, `127.0.0.1:${port}`, `127.0.0.1:${plane.port}`],
  });
  probe.link.start();
  await waitFor('a stream', 10_000, () => probe.link.state() === 'welcomed');
  t.equal(probe.lines.filter((line) => line.level >= 40).length, 1);
});

t.test('a revoked node logs the reason in one line and retries only every 5 minutes', async (t) => {
  const plane = await setUpControlPlane(t);
  const clock = testClock();
  const probe = bareNode(t, { control: plane, credential: 'revoked', clock });
  probe.link.start();
  await waitFor('refused', 5_000, () => probe.link.state() === 'refused');
  await clock.advance(5 * 60_000 - 1);
  t.equal(probe.link.state(), 'refused', 'nothing is tried before');
  await clock.advance(1);
  await waitFor('asked again', 5_000, () => plane.attempts === 2);
  await waitFor('refused again', 5_000, () => probe.link.state() === 'refused');
  t.equal(plane.attempts, 2);
  const logged = probe.lines.filter((line) => line.level >= 40);
  t.match(logged[0]?.msg, /refused by the control plane \(revoked\)/);
  plane.script.credentials.add('revoked');
  await clock.advance(5 * 60_000);
  await waitFor('welcome at last', 5_000, () => probe.link.state() === 'welcomed');
});

t.test('refusals on the stream: revoked and version are permanent, duplicate is temporary', async (t) => {
  const plane = await setUpControlPlane(t);
  plane.script.refuse = { code: 'duplicate', detail: 'another stream is open' };
  const probe = bareNode(t, { control: plane });
  probe.link.start();
  await waitFor('two tries', 5_000, () => plane.attempts >= 2);
  plane.script.refuse = { code: 'version', detail: 'too old' };
  await waitFor('refused', 5_000, () => probe.link.state() === 'refused');
  t.match(probe.lines.at(-1)?.msg, /refused by the control plane \(version\)/);
});

t.test('a node comes back when a busy control plane requests it, and within its spread after a loss', async (t) => {
  const plane = await setUpControlPlane(t);
  const clock = testClock();
  plane.script.refuse = { code: 'busy', detail: 'too many nodes connect', retryAfterMs: 8_000 };
  plane.script.reconnectSpreadMs = 30_000;
  const agent = bareNode(t, { control: plane, clock });
  agent.link.start();
  await waitFor('a refusal', 5_000, () => agent.link.state() === 'waiting');
  plane.script.refuse = null;
  await clock.advance(7_999);
  t.equal(agent.attempts(), 1, 'not before');
  await clock.advance(1);
  await waitFor('a stream', 5_000, () => agent.link.state() === 'welcomed');
  await waitFor('the first pong', 5_000, () => agent.times() === 2, 5);
  await clock.advance(9_999);
  plane.cut();
  await waitFor('the loss', 5_000, () => agent.link.state() === 'waiting');
  await clock.advance(499);
  t.equal(agent.attempts(), 2, 'a tenth of five seconds, as its random number says');
  await clock.advance(1);
  await waitFor('a stream', 5_000, () => agent.link.state() === 'welcomed');
});

t.test(
  'a silent control plane is disconnected after 20 s: 10 s to the next ping and 10 s for its answer',
  async (t) => {
    const plane = await setUpControlPlane(t);
    const clock = testClock();
    const probe = bareNode(t, { control: plane, clock });
    probe.link.start();
    await waitFor('a stream', 5_000, () => probe.link.state() === 'welcomed');
    await waitFor('the first pong', 5_000, () => probe.times() === 2, 5);
    await clock.advance(9_999);
    plane.script.answerPings = false;
    await clock.advance(10_000);
    t.equal(probe.link.state(), 'welcomed');
    await clock.advance(2);
    t.equal(probe.link.state(), 'waiting');
    t.match(probe.lines.at(-1)?.msg, /disconnected/);
    plane.script.answerPings = true;
    await clock.advance(1_000);
    await waitFor('connected again', 5_000, () => probe.link.state() === 'welcomed');
  },
);

t.test('only a control plane with a certificate of the pinned authority is trusted', async (t) => {
  const plane = await setUpControlPlane(t);
  const untrusted = await setUpControlPlane(t);
  const probe = bareNode(t, { control: plane, addresses: [`127.0.0.1:${untrusted.port}`] });
  probe.link.start();
  await waitFor('a refusal', 5_000, () => probe.lines.some((line) => /cannot connect/.test(line.msg)));
  t.equal(untrusted.attempts, 0, 'the credential is not sent to it');
});
