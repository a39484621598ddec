import { createServer } from 'node:net';
import { pino } from 'pino';
import t, { type Test } from 'tap';
import { type Clock, systemClock } from '../../../kernel/clock.js';
import { systemRandom } from '../../../kernel/random.js';
import { createBatchSender } from '../../../node-link/batch.js';
import { createOpenChannel } from '../../../node-link/channel.js';
import type { NodeCredentials } from '../../../node-link/enrolment/credentials.js';
import { createLink } from '../../../node-link/link.js';
import { createLinkMachine, type LinkState } from '../../../node-link/link-state.js';
import { openSpool, type Spool } from '../../../node-link/spool/spool.js';
import { createOpenStream } from '../../../node-link/stream.js';
import type { FromNode } from '../../../proto/generated/picket/link/v1/FromNode.js';
import { loadCheckResultCodec, loadNodeLink } from '../../../proto/load.js';
import { testClock } from '../../helpers/clock.js';
import { temporaryFolder } from '../../helpers/machine/temporary-folder.js';
import type { FakeControlPlane } from '../../helpers/node-link/fake-control-plane.js';
import { setUpControlPlane } from '../../helpers/node-link/setup.js';
import { waitFor } from '../../helpers/wait.js';

const openChannel = createOpenChannel(loadNodeLink());
const codec = loadCheckResultCodec();
const ADDRESS = '127.0.0.1:1';

interface Node {
  spool: Spool;
  sender: ReturnType<typeof createBatchSender>;
  link: ReturnType<typeof createLink>;
  lines: { level: number; msg: string }[];
  /** How often it received the time of the control plane: with the welcome and with each pong. */
  times(): number;
  /** How many streams it has begun to open. The control plane may not know of the latest yet. */
  attempts(): number;
  /** How many records it has handed to its streams. */
  sent(): number;
  append(count: number, urgent?: boolean, size?: number): void;
}

/** Returns the spool, the sender and the link of a probe, without the rest of the probe. */
function node(
  t: Test,
  options: {
    control: FakeControlPlane;
    addresses?: string[];
    credential?: string;
    clock?: Clock;
    /** Of the batches. */
    senderClock?: Clock;
  },
): Node {
  const { control, clock = systemClock, senderClock = systemClock } = options;
  const lines: Node['lines'] = [];
  const logger = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const spool = openSpool({
    directory: temporaryFolder(t),
    bytesMax: 1e9,
    freeRatioMin: 0,
    clock: systemClock,
    logger,
  });
  const sender = createBatchSender({ spool, clock: senderClock, logger });
  const credentials: NodeCredentials = {
    nodeId: 'prb_test',
    location: 'fra',
    credential: options.credential ?? 'good',
    previous: null,
    authorityPem: control.authority.authorityPem,
    addresses: options.addresses ?? [`127.0.0.1:${control.port}`],
    issuedAtMs: 0,
  };
  let times = 0;
  let attempts = 0;
  let sent = 0;
  const openStream = createOpenStream({ openChannel, instance: 'test', clock: systemClock });
  const link = createLink({
    credentials: () => credentials,
    openStream(...of) {
      attempts += 1;
      return openStream(...of);
    },
    handlers: {
      hello: () => ({ version: '1', protocol: 1 }),
      opened: (session) =>
        sender.attach({
          ...session,
          send(message) {
            sent += message.batch?.records?.length ?? 0;
            return session.send(message);
          },
        }),
      welcome: () => {},
      writable: sender.writable,
      lost: sender.detach,
      ack: sender.ack,
      message: () => {},
      serverTime: () => {
        times += 1;
      },
      fallBack: () => false,
      revoked: () => {},
    },
    clock,
    random: { ...systemRandom, fraction: () => 0.1 },
    logger,
  });
  t.teardown(async () => {
    await link.stop();
    await spool.close();
  });
  let count = 0;
  return {
    spool,
    sender,
    link,
    lines,
    times: () => times,
    attempts: () => attempts,
    sent: () => sent,
    append(records, urgent = false, size = 10) {
      for (let index = 0; index < records; index += 1) {
        count += 1;
        spool.append(codec.encode({ monitorId: `mon_${count}`, errorMessage: 'x'.repeat(size) }));
        sender.appended(urgent);
      }
    },
  };
}

const monitorIds = (plane: FakeControlPlane) => plane.results().map((result) => result.monitorId);
const numbered = (count: number) => Array.from({ length: count }, (_, index) => `mon_${index + 1}`);

type LinkEvent = Parameters<ReturnType<typeof createLinkMachine>['transition']>[0];

/** The events that lead to each state. */
const PATHS: Record<LinkState, LinkEvent[]> = {
  stopped: [],
  connecting: ['start'],
  welcomed: ['start', 'welcome'],
  draining: ['start', 'welcome', 'drain'],
  waiting: ['start', 'lost'],
  refused: ['start', 'refused'],
};

/** Returns the state after `event`; null when the event is ignored. */
function nextState(state: LinkState, event: LinkEvent): LinkState | null {
  const machine = createLinkMachine(testClock());
  for (const step of PATHS[state]) machine.transition(step);
  if (machine.state() !== state) throw new Error(`the events lead to ${machine.state()}, not ${state}`);
  const before = machine.state();
  if (machine.transition(event)) return machine.state();
  if (machine.state() !== before) throw new Error('an ignored event has changed the state');
  return null;
}

t.test('a link changes its state only as its table allows; late events are ignored', async (t) => {
  t.equal(nextState('stopped', 'start'), 'connecting');
  t.equal(nextState('connecting', 'welcome'), 'welcomed');
  t.equal(nextState('welcomed', 'drain'), 'draining');
  t.equal(nextState('draining', 'welcome'), 'welcomed');
  t.equal(nextState('draining', 'lost'), 'waiting');
  t.equal(nextState('waiting', 'retry'), 'connecting');
  t.equal(nextState('connecting', 'refused'), 'refused');
  t.equal(nextState('refused', 'retry'), 'connecting');
  for (const state of ['connecting', 'welcomed', 'draining', 'waiting', 'refused'] as const) {
    t.equal(nextState(state, 'stop'), 'stopped');
  }
  t.equal(nextState('stopped', 'welcome'), null, 'a welcome after the stop');
  t.equal(nextState('waiting', 'lost'), null, 'the second of two streams that were lost together');
  t.equal(nextState('welcomed', 'retry'), null);
});

t.test('the timer of a link is cancelled when its state changes', async (t) => {
  const clock = testClock();
  const machine = createLinkMachine(clock);
  machine.transition('start');
  machine.transition('lost');
  machine.after(1_000, () => t.fail('the timer was cancelled'));
  machine.transition('stop');
  await clock.advance(2_000);
  t.equal(machine.state(), 'stopped');
});

t.test(
  'records are sent in order, in batches of bounded size, and removed from the spool once acknowledged',
  async (t) => {
    const plane = await setUpControlPlane(t);
    const clock = testClock();
    const probe = node(t, { control: plane, senderClock: clock });
    probe.append(1250);
    probe.link.start();
    await waitFor('all stored', 5_000, () => plane.stored.size === 1250);
    t.strictSame(monitorIds(plane), numbered(1250));
    t.ok(plane.batchSizes.every((size) => size <= 500));
    await waitFor('an empty spool', 20_000, () => probe.spool.stats().records === 0);

    plane.batchSizes.length = 0;
    probe.append(5);
    t.equal(probe.sent(), 1250, 'not at once');
    await clock.advance(999);
    t.equal(probe.sent(), 1250);
    await clock.advance(1);
    await waitFor('five more', 20_000, () => plane.stored.size === 1255, 5);
    t.strictSame(plane.batchSizes, [5], 'a few records are sent together, after a second');
    plane.batchSizes.length = 0;
    probe.append(3);
    probe.append(1, true);
    await waitFor('an urgent one, while the clock stands still', 20_000, () => plane.stored.size === 1259, 5);
    t.strictSame(plane.batchSizes, [4], 'an urgent record is sent at once, together with the waiting ones');
    plane.batchSizes.length = 0;
    probe.append(40, false, 60_000);
    await clock.advance(1_000);
    await waitFor('large ones', 20_000, () => plane.stored.size === 1299);
    t.ok(
      plane.batchSizes.every((size) => size <= 17),
      'a batch is at most 1 MiB',
    );
  },
);

t.test('at most eight batches are unacknowledged', async (t) => {
  const plane = await setUpControlPlane(t);
  plane.script.acknowledge = false;
  const probe = node(t, { control: plane });
  probe.append(6000);
  probe.link.start();
  await waitFor('eight batches', 5_000, () => plane.batchSizes.length === 8);
  t.equal(probe.spool.stats().records, 6000, 'no record is removed before it is acknowledged');
  plane.script.acknowledge = true;
  plane.acknowledgeAll();
  await waitFor('the rest', 5_000, () => plane.stored.size === 6000 && probe.spool.stats().records === 0);
  t.equal(plane.unacknowledgedMax, 8);
});

t.test('with a window, a node sends one batch at a time, as large as the window', async (t) => {
  const plane = await setUpControlPlane(t);
  plane.script.acknowledge = false;
  plane.script.welcome = { ...plane.script.welcome, windowBytes: 1_000 };
  const probe = node(t, { control: plane });
  probe.append(100, false, 80);
  probe.link.start();
  await waitFor('the first batch', 5_000, () => plane.batchSizes.length === 1);
  probe.append(1, true, 5_000);
  t.equal(plane.batchSizes[0], 11, 'of ninety bytes each');
  plane.script.acknowledge = true;
  plane.send({ ack: { upToSeq: 11, windowBytes: 2_000 } });
  await waitFor('the second batch', 5_000, () => plane.batchSizes.length >= 2);
  t.equal(plane.batchSizes[1], 21, 'as the acknowledgement says');
  await waitFor('everything', 5_000, () => plane.results().length === 101);
  t.ok(plane.batchSizes.length < 12, 'without a window, the next batch has its full size');
});

t.test('nothing is sent on a stream that is not writable, until it is writable again', async (t) => {
  const spool = openSpool({
    directory: temporaryFolder(t),
    bytesMax: 1e9,
    freeRatioMin: 0,
    clock: testClock(),
    logger: pino({ level: 'silent' }),
  });
  const sender = createBatchSender({ spool, clock: testClock(), logger: pino({ level: 'silent' }) });
  for (let count = 0; count < 2000; count += 1) spool.append(Buffer.from('x'));
  const sent: FromNode[] = [];
  const session = {
    address: ADDRESS,
    credentials: {} as NodeCredentials,
    windowBytes: 0,
    send: (message: FromNode) => sent.push(message) < 1,
  };
  sender.attach(session);
  t.equal(sent.length, 1, 'write() returned false');
  sender.ack({ upToSeq: 100, rejections: [], windowBytes: 0 });
  t.equal(sent.length, 1);
  sender.writable();
  t.equal(sent.length, 2);
  sender.ack({ upToSeq: 1_000_000, rejections: [], windowBytes: 0 });
  t.equal(spool.ackedSeq(), 1000, 'records that were not sent cannot be acknowledged');
  await spool.close();
});

t.test('unacknowledged records are sent again on the next stream; none is lost or changed', async (t) => {
  const plane = await setUpControlPlane(t);
  plane.script.acknowledge = false;
  const probe = node(t, { control: plane });
  probe.link.start();
  probe.append(300);
  await waitFor('300 there', 5_000, () => plane.stored.size === 300);
  plane.cut();
  plane.script.acknowledge = true;
  probe.append(50);
  await waitFor('a second stream', 5_000, () => plane.sessions.length === 2);
  await waitFor('all acknowledged', 5_000, () => probe.spool.stats().records === 0);
  t.strictSame(monitorIds(plane), numbered(350));
  t.strictSame(plane.conflicts, []);
  t.ok(plane.records >= 650, 'the records of the first stream are received twice');
});

t.test('records that the control plane rejects permanently are counted and removed', async (t) => {
  const plane = await setUpControlPlane(t);
  plane.script.reject = (seq) => (seq % 10 === 0 ? 'undecodable' : null);
  const probe = node(t, { control: plane });
  probe.link.start();
  probe.append(100);
  await waitFor('an empty spool', 5_000, () => probe.spool.stats().records === 0);
  t.equal(plane.stored.size, 90);
  t.equal(probe.sender.rejectedTotal(), 10);
});

t.test('drain: a new stream takes over, the old stream is ended, nothing is lost', async (t) => {
  const plane = await setUpControlPlane(t);
  const probe = node(t, { control: plane });
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
  const probe = node(t, {
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
  const probe = node(t, { control: plane, credential: 'revoked', clock });
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
  const probe = node(t, { control: plane });
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
  const agent = node(t, { control: plane, clock });
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
    const probe = node(t, { control: plane, clock });
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
  const probe = node(t, { control: plane, addresses: [`127.0.0.1:${untrusted.port}`] });
  probe.link.start();
  await waitFor('a refusal', 5_000, () => probe.lines.some((line) => /cannot connect/.test(line.msg)));
  t.equal(untrusted.attempts, 0, 'the credential is not sent to it');
});
