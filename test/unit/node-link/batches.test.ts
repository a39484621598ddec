import { pino } from 'pino';
import t from 'tap';
import { createBatchSender } from '../../../node-link/batch.js';
import type { NodeCredentials } from '../../../node-link/enrolment/credentials.js';
import { openSpool } from '../../../node-link/spool/spool.js';
import type { FromNode } from '../../../proto/generated/picket/link/v1/FromNode.js';
import { testClock } from '../../helpers/clock.js';
import { temporaryFolder } from '../../helpers/machine/temporary-folder.js';
import { bareNode, monitorIds, numbered } from '../../helpers/node-link/bare-node.js';
import { setUpControlPlane } from '../../helpers/node-link/setup.js';
import { waitFor } from '../../helpers/wait.js';

const ADDRESS = '127.0.0.1:1';

t.test(
  'records are sent in order, in batches of bounded size, and removed from the spool once acknowledged',
  async (t) => {
    const plane = await setUpControlPlane(t);
    const clock = testClock();
    const probe = bareNode(t, { control: plane, senderClock: clock });
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
  const probe = bareNode(t, { control: plane });
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
  const probe = bareNode(t, { control: plane });
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
  const probe = bareNode(t, { control: plane });
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
  const probe = bareNode(t, { control: plane });
  probe.link.start();
  probe.append(100);
  await waitFor('an empty spool', 5_000, () => probe.spool.stats().records === 0);
  t.equal(plane.stored.size, 90);
  t.equal(probe.sender.rejectedTotal(), 10);
});
