import { status } from '@grpc/grpc-js';
import protobuf from 'protobufjs';
import t from 'tap';
import { createInventoryThrottle } from '../../../control-plane/servers/inventory/inventory-throttle.js';
import { createMinuteBudget } from '../../../control-plane/servers/samples/minute-budget.js';
import { createReceiptBudget } from '../../../control-plane/servers/samples/receipt-budget.js';
import type { Inventory } from '../../../proto/generated/picket/link/v1/Inventory.js';
import { MESSAGE_BYTES_MAX } from '../../../proto/limits.js';
import { loadMetricSampleCodec } from '../../../proto/load.js';
import { testClock } from '../../helpers/clock.js';
import type { FakeStream } from '../../helpers/node-link/fake-node.js';
import { sampleMessageOf, startServersApp } from '../../helpers/servers/app.js';
import { waitFor } from '../../helpers/wait.js';

const clock = testClock(Date.now());
const app = await startServersApp({ clock });
t.teardown(() => app.stop());

const codec = loadMetricSampleCodec();
const MINUTE_MS = 60_000;
const serverOf = (id: string) =>
  app.mongo.db.collection<{ _id: string; ip: string | null }>('servers').findOne({ _id: id });
const reportsOf = (id: string) =>
  app.mongo.db
    .collection<{ _id: string; report: { length(): number } }>('server_reports')
    .find({ _id: { $gte: `${id}/`, $lt: `${id}/~` } })
    .toArray();
async function counterOf(name: string, labels: Record<string, string>): Promise<number> {
  const metric = await app.metrics.getSingleMetric(name)?.get();
  const found = metric?.values.find((one) =>
    Object.entries(labels).every(([label, value]) => (one.labels as Record<string, unknown>)[label] === value),
  );
  return found?.value ?? 0;
}
/** Moves the clock until the samples are acknowledged: they are written in groups. */
async function acknowledged<T>(ack: Promise<T>): Promise<T> {
  let over = false;
  const settled = () => {
    over = true;
  };
  ack.then(settled, settled);
  await waitFor(
    'the acknowledgement',
    60_000,
    async () => {
      await clock.advance(100);
      return over;
    },
    5,
  );
  return ack;
}
/** Resolves when everything that was sent on the stream before is handled. */
async function pinged(stream: FakeStream, nonce: number): Promise<void> {
  stream.send({ ping: { nonce } });
  await stream.next((message) => message.pong?.nonce === nonce);
}

t.test('a message that is too long, or has too many elements, is not decoded', async (t) => {
  const agent = await app.join();
  const long = await agent.connect();
  long.send({ inventory: { hostname: 'x'.repeat(MESSAGE_BYTES_MAX) } });
  t.match(await long.ended, { code: status.RESOURCE_EXHAUSTED });

  const many = await agent.connect();
  many.send({ inventory: { disks: Array.from({ length: 400_000 }, () => ({})) } });
  t.match(await many.refusal(), { code: 'message_refused', detail: 'Inventory.disks has more than 1000 elements' });
  t.match(await many.ended, { code: status.INVALID_ARGUMENT });
  t.equal(await counterOf('picket_node_messages_refused_total', { kind: 'agent', reason: 'message_refused' }), 1);
  t.equal((await serverOf(agent.id))?.ip, null, 'nothing of it is stored');

  const again = await agent.connect();
  t.match(
    await acknowledged(again.reports([sampleMessageOf(clock.now(), { load_1: 1 })])),
    { rejections: [] },
    'the agent may return',
  );
  again.end();
});

t.test('the inventory of a server is stored once in ten seconds, and the newest one in the end', async (t) => {
  const agent = await app.join();
  const stream = await agent.connect();
  const inventory = (last: number): Inventory => ({ hostname: 'web-1', ip: `192.0.2.${last}` });
  for (let last = 1; last <= 50; last++) stream.send({ inventory: inventory(last) });
  await pinged(stream, 1);
  await waitFor('the first inventory', 60_000, async () => (await serverOf(agent.id))?.ip === '192.0.2.1');
  await clock.advance(9_999);
  t.equal((await serverOf(agent.id))?.ip, '192.0.2.1');
  await clock.advance(1);
  await waitFor('the newest inventory', 60_000, async () => (await serverOf(agent.id))?.ip === '192.0.2.50');

  stream.send({ inventory: { ...inventory(99), os: 'x'.repeat(200_000) } });
  await pinged(stream, 2);
  await clock.advance(20_000);
  t.equal((await serverOf(agent.id))?.ip, '192.0.2.50', 'one with 200 kB is ignored');
  t.equal(await counterOf('picket_node_messages_refused_total', { kind: 'agent', reason: 'inventory_too_large' }), 1);
  stream.send({ processes: { nonce: 1, byCpu: [{ name: 'x'.repeat(70_000) }] } });
  await pinged(stream, 3);
  t.equal(await counterOf('picket_node_messages_refused_total', { kind: 'agent', reason: 'processes_too_large' }), 1);
  t.notOk(stream.isOver());
  stream.end();
});

t.test('a sample is stored without what the agent added to it', async (t) => {
  const agent = await app.join();
  const stream = await agent.connect();
  const atMs = clock.now();
  const plain = codec.encode(sampleMessageOf(atMs, { load_1: 1, cpu_percent: 2 }));
  const unknown = protobuf.Writer.create()
    .uint32(99 * 8 + 2)
    .bytes(new Uint8Array(60_000))
    .finish();
  t.match(await acknowledged(stream.records([Buffer.concat([plain, unknown])])), { rejections: [] });
  const [stored, ...others] = await reportsOf(agent.id);
  t.equal(others.length, 0);
  t.equal(stored?.report.length(), plain.length, 'of 60 kB');
  stream.end();
});

t.test('a minute of a server has 120 samples at most; the rest is refused, counted and not sent again', async (t) => {
  const agent = await app.join();
  const stream = await agent.connect();
  const fromMs = clock.now() - (clock.now() % MINUTE_MS) - 5 * MINUTE_MS;
  const before = await counterOf('picket_server_samples_refused_total', { reason: 'report_over_budget' });
  const samples = (minuteMs: number) =>
    Array.from({ length: 200 }, (_, at) => sampleMessageOf(minuteMs + at * 250, { load_1: at }));
  const first = await acknowledged(stream.reports(samples(fromMs)));
  t.equal(first.rejections.length, 80);
  t.match(first.rejections[0], { seq: 121, reason: 'report_over_budget' });
  t.equal((await reportsOf(agent.id)).length, 120);
  const second = await acknowledged(stream.reports(samples(fromMs + MINUTE_MS)));
  t.equal(second.rejections.length, 80, 'each minute has its own limit');
  const after = await counterOf('picket_server_samples_refused_total', { reason: 'report_over_budget' });
  t.equal(after - before, 160);
  stream.end();
});

t.test(
  'the budget of a minute is counted in samples and bytes, and given back for samples that were not stored',
  async (t) => {
    const budget = createMinuteBudget(clock);
    const taken = (bytes: number, count: number, atMs = 0) =>
      Array.from({ length: count }, () => budget.take('srv_1', atMs, bytes)).filter(Boolean).length;
    t.equal(taken(1_048_576, 5), 2, '2 MiB');
    budget.giveBack('srv_1', 0, 1_048_576);
    t.equal(taken(1_048_576, 5), 1);
    t.equal(taken(1, 200, MINUTE_MS), 120);
    t.ok(budget.take('srv_2', MINUTE_MS, 1), 'other servers have their own');
  },
);

t.test('a day of samples is taken at once, a flood is slowed down', async (t) => {
  const budget = createReceiptBudget(clock);
  const records = (count: number, bytes: number) =>
    Array.from({ length: count }, (_, seq) => ({ seq, bytes: new Uint8Array(bytes) }));
  for (let batch = 0; batch < 20; batch++) t.equal(budget.delayMs('srv_1', records(500, 600)), 0);
  t.equal(budget.delayMs('srv_1', records(500, 600)), 10_000, '50 samples a second from then on');
  t.equal(budget.delayMs('srv_2', records(500, 600)), 0);
  await clock.advance(20_000);
  t.equal(budget.delayMs('srv_1', records(500, 600)), 0);
  for (let batch = 0; batch < 16; batch++) t.equal(budget.delayMs('srv_3', records(16, 65_536)), 0);
  t.equal(budget.delayMs('srv_3', records(16, 65_536)), 16_000, '64 KiB a second');
});

t.test('the samples of a server beyond its rate wait, and those of other servers do not', async (t) => {
  const [flooding, other] = [await (await app.join()).connect(), await (await app.join()).connect()];
  const batches = 30;
  const startMs = clock.now();
  const records = Array.from({ length: 500 }, () => new Uint8Array([0xff]));
  for (let batch = 0; batch < batches; batch++) {
    flooding.send({ batch: { firstSeq: 1 + batch * 500, records, droppedTotal: 0 } });
  }
  const handled = () => flooding.acks.at(-1)?.upToSeq ?? 0;
  const accepted = async () => acknowledged(other.reports([sampleMessageOf(clock.now(), { load_1: 1 })]));
  await waitFor('the samples that are taken at once', 60_000, async () => {
    t.match(await accepted(), { rejections: [] });
    return handled() >= 10_000;
  });
  for (let count = 0; count < 2 * batches; count++) await accepted();
  // The clock moves on while an acknowledgement is waited for, so a slow machine lets more of them pass.
  const passedS = (clock.now() - startMs) / 1_000;
  t.ok(handled() <= 10_000 + 500 + 50 * passedS, `${handled()} of ${batches * 500} are handled after ${passedS} s`);
  for (const stream of [flooding, other]) stream.end();
});

t.test('samples that could not be stored are not refused when they come again', async (t) => {
  const agent = await app.join();
  const minuteMs = clock.now() - (clock.now() % MINUTE_MS) - 5 * MINUTE_MS;
  const samples = Array.from({ length: 120 }, (_, at) => sampleMessageOf(minuteMs + at * 400, { load_1: at }));
  await app.mongo.db.command({ collMod: 'server_reports', validator: { _id: 'none' } });
  const refused = await agent.connect();
  refused.reports(samples).catch(() => {});
  await waitFor('the end of the stream', 60_000, async () => {
    await clock.advance(100);
    return refused.isOver();
  });
  await app.mongo.db.command({ collMod: 'server_reports', validator: {} });
  const again = await agent.connect();
  t.same((await acknowledged(again.reports(samples))).rejections, []);
  t.equal((await reportsOf(agent.id)).length, 120);
  again.end();
});

t.test('the inventories of 100 servers wait at once; further ones are dropped', async (t) => {
  const stored = new Map<string, string>();
  const store = async (serverId: string, inventory: string) => {
    stored.set(serverId, inventory);
    return true;
  };
  const throttle = createInventoryThrottle(clock, store, () => t.fail('each was stored'));
  const servers = Array.from({ length: 150 }, (_, index) => `srv_${index}`);
  const offered = (inventory: string) => servers.filter((serverId) => throttle.offer(serverId, inventory)).length;
  const storedAs = (inventory: string) => [...stored.values()].filter((one) => one === inventory).length;
  t.equal(offered('first'), 150, 'the first one of each server is stored at once');
  t.equal(offered('second'), 100);
  t.equal(offered('third'), 100, 'a newer one takes the place of the one that waits');
  t.equal(storedAs('first'), 150);
  await clock.advance(10_000);
  t.equal(storedAs('third'), 100);
  t.equal(storedAs('first'), 50);
  await clock.advance(10_000);
  t.equal(offered('fourth'), 150, 'every place is free again');
});

t.test('an inventory that could not be stored is tried again for a minute, unless a newer one waits', async (t) => {
  const tried: string[] = [];
  let isWell = false;
  let givenUp = 0;
  const store = async (_serverId: string, inventory: string) => {
    tried.push(inventory);
    return isWell;
  };
  const throttle = createInventoryThrottle(clock, store, () => givenUp++);
  throttle.offer('srv_1', 'first');
  await clock.advance(60_000);
  t.equal(tried.length, 7);
  throttle.offer('srv_1', 'second');
  await clock.advance(10_000);
  t.equal(tried.at(-1), 'second');
  t.equal(givenUp, 0, 'a newer one took its place');
  await clock.advance(600_000);
  t.equal(tried.length, 15, 'each at most eight times');
  t.equal(givenUp, 1);
  throttle.offer('srv_1', 'third');
  isWell = true;
  await clock.advance(600_000);
  t.equal(tried.length, 17);
  t.equal(givenUp, 1);
});
