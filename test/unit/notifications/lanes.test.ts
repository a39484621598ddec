import t from 'tap';
import type { Answer } from '../../../control-plane/notifications/delivery/attempt.js';
import { createGroups } from '../../../control-plane/notifications/delivery/groups.js';
import { createLanes, LANE_WIDTH_MAX, nextWidth } from '../../../control-plane/notifications/delivery/lanes.js';
import type { OutboxRow } from '../../../control-plane/notifications/documents.js';

const TOOK: Answer = { channel: 'took', pausedUntilMs: null };
const turn = () => new Promise((resolve) => setImmediate(resolve));

t.test('a channel earns its width by answering, and loses it by failing', async (t) => {
  t.same(
    [1, 2, 8, LANE_WIDTH_MAX].map((width) => nextWidth(width, 'took')),
    [2, 4, 16, LANE_WIDTH_MAX],
  );
  t.same(
    [1, LANE_WIDTH_MAX].map((width) => nextWidth(width, 'failed')),
    [1, 1],
  );
  t.equal(nextWidth(4, 'unasked'), 4);
});

/** Lanes over rows in memory, each of an incident of its own, whose sends end when the test says so. */
function scene(lanesMax: number) {
  const backlog = new Map<string, number>();
  const sending: { channelId: string; end: (answer: Answer) => void }[] = [];
  const claims: [string, number][] = [];
  let numbers = 0;
  const lanes = createLanes({
    lanesMax,
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
    answers: async () => undefined,
    rests: () => undefined,
    failed: (error) => t.fail(String(error)),
  });
  return {
    lanes,
    backlog,
    sending,
    claims,
    /** Ends the oldest send of the channel. */
    async end(channelId: string, answer: Answer = TOOK) {
      const index = sending.findIndex((one) => one.channelId === channelId);
      sending.splice(index, 1)[0]?.end(answer);
      await turn();
    },
    channels: () => sending.map(({ channelId }) => channelId),
  };
}

t.test('with more channels than places each has its turn, however much waits for the others', async (t) => {
  const it = scene(2);
  for (const [channel, rows] of [
    ['a', 50],
    ['b', 50],
    ['c', 1],
  ] as const)
    it.backlog.set(channel, rows);
  for (const channel of ['a', 'b', 'c']) it.lanes.look(channel);
  await turn();
  t.same(it.channels(), ['a', 'b'], 'one each, and no place for the third');
  await it.end('a', { channel: 'failed', pausedUntilMs: null });
  t.same(it.channels(), ['b', 'c'], 'the first goes behind those that wait');
  await it.end('c');
  t.same(it.channels(), ['b', 'a']);
});

t.test('at its full width a channel claims ahead, and sends no more at once', async (t) => {
  const it = scene(1);
  it.backlog.set('a', 500);
  it.lanes.look('a');
  await turn();
  for (let answers = 0; answers < 200; answers++) await it.end('a');
  t.equal(it.sending.length, LANE_WIDTH_MAX);
  t.ok(it.claims.length < 20, `${it.claims.length} claims for 200 notifications`);
  await it.end('a', { channel: 'failed', pausedUntilMs: null });
  for (let answers = 0; answers < LANE_WIDTH_MAX - 1; answers++) {
    await it.end('a', { channel: 'failed', pausedUntilMs: null });
  }
  t.equal(it.sending.length, 1, 'once it fails, one at a time');
});

t.test('once closed it claims nothing, and ends when the last send has', async (t) => {
  const it = scene(2);
  it.backlog.set('a', 3);
  it.lanes.look('a');
  await turn();
  let over = false;
  const closing = it.lanes.close().then(() => {
    over = true;
  });
  await turn();
  t.equal(over, false);
  await it.end('a');
  await closing;
  t.equal(it.backlog.get('a'), 2, 'what was not claimed stays for others');
  it.lanes.look('a');
  await turn();
  t.equal(it.sending.length, 0);
});

t.test('what comes during a write shares the next one; a failure is that of its own group', async (t) => {
  const groups: number[][] = [];
  const run = createGroups<number>(3, async (items) => {
    groups.push([...items]);
    await turn();
    if (items.includes(7)) throw new Error('seven');
  });
  const outcomes = await Promise.allSettled([1, 2, 3, 4, 5, 6, 7].map((item) => run(item)));
  t.same(groups, [[1], [2, 3, 4], [5, 6, 7]]);
  t.same(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'fulfilled', 'fulfilled', 'fulfilled', 'rejected', 'rejected', 'rejected'],
  );
  await run(8);
  t.same(groups.at(-1), [8]);
});
