import t from 'tap';
import type { Answer } from '../../../control-plane/notifications/delivery/attempt.js';
import { createBatches } from '../../../control-plane/notifications/delivery/batches.js';
import { createChannelQueues } from '../../../control-plane/notifications/delivery/queues/channel-queues.js';
import { CONCURRENCY_MAX, nextConcurrency } from '../../../control-plane/notifications/delivery/queues/concurrency.js';
import type { OutboxRow } from '../../../control-plane/notifications/documents.js';
import { systemClock } from '../../../kernel/clock.js';

const DELIVERED: Answer = { channel: 'delivered', pausedUntilMs: null, tookMs: 20 };
const FAILED: Answer = { channel: 'failed', pausedUntilMs: null, tookMs: 20 };
const turn = () => new Promise((resolve) => setImmediate(resolve));

t.test('each success doubles the concurrency of a channel, a failure resets it', async (t) => {
  t.same(
    [1, 2, 8, CONCURRENCY_MAX].map((concurrency) => nextConcurrency(concurrency, 'delivered')),
    [2, 4, 16, CONCURRENCY_MAX],
  );
  t.same(
    [1, CONCURRENCY_MAX].map((concurrency) => nextConcurrency(concurrency, 'failed')),
    [1, 1],
  );
  t.equal(nextConcurrency(4, 'not_contacted'), 4);
});

/** Returns queues of rows in memory, each of another incident. The test ends their sends. */
function queuesInMemory(channelsMax: number, workspaceMax = channelsMax, slowMax = channelsMax) {
  const backlog = new Map<string, number>();
  const sending: { channelId: string; end: (answer: Answer) => void }[] = [];
  const claims: [string, number][] = [];
  let numbers = 0;
  const queues = createChannelQueues({
    limits: {
      ...{ all: channelsMax, unproven: channelsMax, slow: slowMax },
      // As when many are served.
      ...{ crowded: 0, workspace: workspaceMax, workspaceSlow: workspaceMax },
    },
    async claim(channelId, rowsMax) {
      claims.push([channelId, rowsMax]);
      const count = Math.min(rowsMax, backlog.get(channelId) ?? 0);
      backlog.set(channelId, (backlog.get(channelId) ?? 0) - count);
      return Array.from(
        { length: count },
        () => ({ channel_id: channelId, incident_id: `inc_${numbers++}` }) as OutboxRow,
      );
    },
    work: (rows) =>
      rows.map(
        (row) => () =>
          new Promise<Answer>((resolve) => {
            sending.push({ channelId: row.channel_id, end: resolve });
          }),
      ),
    clock: systemClock,
    recovered: async () => undefined,
    paused: () => undefined,
    failed: (error) => t.fail(String(error)),
  });
  return {
    queues,
    /** Channels are named after their workspace: `a/1`, or both the same. */
    wake: (channelId: string) => queues.wake({ channelId, workspaceId: channelId.split('/')[0] ?? '' }),
    backlog,
    sending,
    claims,
    /** Ends the oldest send of the channel. */
    async end(channelId: string, answer: Answer = DELIVERED) {
      const index = sending.findIndex((one) => one.channelId === channelId);
      sending.splice(index, 1)[0]?.end(answer);
      await turn();
    },
    channels: () => sending.map(({ channelId }) => channelId),
  };
}

t.test('with more channels than places, each channel is served, however many rows wait for the others', async (t) => {
  const test = queuesInMemory(2);
  for (const [channel, rows] of [
    ['a', 50],
    ['b', 50],
    ['c', 1],
  ] as const)
    test.backlog.set(channel, rows);
  for (const channel of ['a', 'b', 'c']) test.wake(channel);
  await turn();
  t.same(test.channels(), ['a', 'b'], 'one delivery each, and no place for the third channel');
  await test.end('a', FAILED);
  t.same(test.channels(), ['b', 'c'], 'the first channel queues behind waiting channels');
  await test.end('c');
  t.same(test.channels(), ['b', 'a']);
});

t.test('a workspace whose channels hang leaves places to others, and those begin at once', async (t) => {
  const test = queuesInMemory(4, 2);
  for (const channel of ['a/1', 'a/2', 'a/3', 'a/4', 'b/1', 'c/1', 'd/1']) test.backlog.set(channel, 1);
  for (const channel of ['a/1', 'a/2', 'a/3', 'a/4']) test.wake(channel);
  await turn();
  t.same(test.channels(), ['a/1', 'a/2'], 'two places are free, but not for this workspace');
  for (const channel of ['b/1', 'c/1', 'd/1']) test.wake(channel);
  await turn();
  t.same(test.channels(), ['a/1', 'a/2', 'b/1', 'c/1']);
  await test.end('a/1');
  t.same(test.channels(), ['a/2', 'b/1', 'c/1', 'd/1'], 'the place goes to the workspace with the fewest');
  await test.end('b/1');
  t.same(test.channels(), ['a/2', 'c/1', 'd/1', 'a/3']);
  await test.end('c/1');
  t.same(test.channels(), ['a/2', 'd/1', 'a/3'], 'a place stays free while the workspace has its share');
  await test.end('a/2');
  t.same(test.channels(), ['d/1', 'a/3', 'a/4']);
});

t.test('a channel that proves to be prompt leaves its place for slow ones to one that waits', async (t) => {
  const test = queuesInMemory(4, 4, 1);
  const slow: Answer = { ...DELIVERED, tookMs: 10_000 };
  test.backlog.set('b', 1);
  test.wake('b');
  await turn();
  await test.end('b', slow);
  test.backlog.set('a', 3);
  test.wake('a');
  await turn();
  await test.end('a', slow);
  test.backlog.set('b', 1);
  test.wake('b');
  await turn();
  t.same(test.channels(), ['a', 'a'], 'only one slow channel is served');
  await test.end('a', DELIVERED);
  t.same(test.channels(), ['a', 'b'], 'the first one is not slow any more');
});

t.test('at full concurrency a channel claims ahead, but does not exceed the concurrency', async (t) => {
  const test = queuesInMemory(1);
  test.backlog.set('a', 500);
  test.wake('a');
  await turn();
  for (let answers = 0; answers < 200; answers++) await test.end('a');
  t.equal(test.sending.length, CONCURRENCY_MAX);
  t.ok(test.claims.length < 20, `${test.claims.length} claims for 200 notifications`);
  await test.end('a', FAILED);
  for (let answers = 0; answers < CONCURRENCY_MAX - 1; answers++) {
    await test.end('a', FAILED);
  }
  t.equal(test.sending.length, 1, 'after a failure one at a time');
});

t.test('after close it claims nothing, and resolves when the last send has ended', async (t) => {
  const test = queuesInMemory(2);
  test.backlog.set('a', 3);
  test.wake('a');
  await turn();
  let closed = false;
  const closing = test.queues.close().then(() => {
    closed = true;
  });
  await turn();
  t.equal(closed, false);
  await test.end('a');
  await closing;
  t.equal(test.backlog.get('a'), 2, 'unclaimed rows stay for other processes');
  test.wake('a');
  await turn();
  t.equal(test.sending.length, 0);
});

t.test('items that arrive during a batch share the next one; a failure affects only its own batch', async (t) => {
  const batches: number[][] = [];
  const run = createBatches<number>(3, async (items) => {
    batches.push([...items]);
    await turn();
    if (items.includes(7)) throw new Error('seven');
  });
  const outcomes = await Promise.allSettled([1, 2, 3, 4, 5, 6, 7].map((item) => run(item)));
  t.same(batches, [[1], [2, 3, 4], [5, 6, 7]]);
  t.same(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'fulfilled', 'fulfilled', 'fulfilled', 'rejected', 'rejected', 'rejected'],
  );
  await run(8);
  t.same(batches.at(-1), [8]);
});
