import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { Registry } from 'prom-client';
import t from 'tap';
import { createIngest } from '../../../control-plane/nodes/streams/ingest.js';
import { createReadingGate } from '../../../control-plane/nodes/streams/limits/reading-gate.js';
import { createBytePool } from '../../../control-plane/nodes/streams/memory/byte-pool.js';
import { createCredit } from '../../../control-plane/nodes/streams/memory/credit.js';
import { createIngestMemory } from '../../../control-plane/nodes/streams/memory/ingest-memory.js';
import { systemRandom } from '../../../kernel/random.js';
import { testClock } from '../../helpers/clock.js';
import { createGate } from '../../helpers/gate.js';

const KIB = 1_024;
const never = new AbortController().signal;

t.test('a pool grants in the order of the requests, and never more than it has', async (t) => {
  const pool = createBytePool(100);
  const granted: string[] = [];
  const releases = new Map<string, () => void>();
  const ask = (name: string, bytes: number, signal = never) =>
    pool.reserve(bytes, signal).then((release) => {
      granted.push(release === null ? `${name} gave up` : name);
      if (release !== null) releases.set(name, release);
    });
  await ask('a', 60);
  const leaving = new AbortController();
  const waiting = [ask('b', 60), ask('c', 10, leaving.signal), ask('d', 40)];
  await turn();
  t.same(granted, ['a'], 'c would fit, but b was first');
  leaving.abort();
  releases.get('a')?.();
  releases.get('a')?.();
  await Promise.all(waiting);
  t.same(granted.sort(), ['a', 'b', 'c gave up', 'd']);
  t.equal(pool.usedBytes(), 100, 'a has returned its bytes once');
  const large = ask('larger than the pool', 1_000);
  releases.get('b')?.();
  await turn();
  t.notOk(releases.has('larger than the pool'), 'it waits until the pool is empty');
  releases.get('d')?.();
  await large;
  t.ok(releases.has('larger than the pool'), 'and is not stuck');
  const first = new AbortController();
  const both = [ask('e', 100, first.signal), ask('f', 50)];
  releases.get('larger than the pool')?.();
  await Promise.all(both.slice(0, 1));
  first.abort();
  releases.get('e')?.();
  await Promise.all(both);
  releases.get('f')?.();
  t.equal(pool.usedBytes(), 0);
  const last = await pool.reserve(100, first.signal);
  t.ok(last, 'work that ends may finish what does not have to wait');
  t.equal(await pool.reserve(1, first.signal), null, 'and nothing else');
  last?.();
  t.equal(pool.usedBytes(), 0);
});

t.test('when a waiting request is cancelled, the one behind it is granted', async (t) => {
  const pool = createBytePool(100);
  const release = await pool.reserve(60, never);
  const leaving = new AbortController();
  const large = pool.reserve(90, leaving.signal);
  const small = pool.reserve(30, never);
  leaving.abort();
  t.equal(await large, null);
  (await small)?.();
  release?.();
  t.equal(pool.usedBytes(), 0);
});

t.test('streams share the total, and each gets enough for a few samples', async (t) => {
  const total = 4_096 * KIB;
  const credit = createCredit(total, 0);
  const first = credit.open();
  t.equal(first.renew(), 128 * KIB, 'a stream that is alone gets a large batch, and leaves the rest to others');
  const many = Array.from({ length: 400 }, () => credit.open());
  for (const stream of many) stream.renew();
  t.ok(credit.grantedBytes() <= total + 401 * 8 * KIB, `${credit.grantedBytes()} bytes of 400 streams`);
  for (const stream of many) stream.renew();
  t.ok(credit.grantedBytes() <= total, `${credit.grantedBytes()} bytes after the next batch of each`);
  t.ok(first.renew() < 32 * KIB, 'the first one gets less for its next batch');
  for (const stream of many) stream.close();
  t.equal(first.renew(), 128 * KIB, 'and large again when they have left');
  first.close();
  first.close();
  t.equal(credit.grantedBytes(), 0);
});

t.test('whatever streams do, their credit is bounded and returned in the end', async (t) => {
  const action = fc.record({ stream: fc.nat(30), ends: fc.boolean() });
  fc.assert(
    fc.property(fc.array(action, { maxLength: 200 }), (actions) => {
      const credit = createCredit(1_024 * KIB, 0);
      const streams = Array.from({ length: 31 }, () => credit.open());
      for (const { stream, ends } of actions) {
        if (ends) streams[stream]?.close();
        else streams[stream]?.renew();
        if (credit.grantedBytes() > 1_024 * KIB) return false;
      }
      for (const stream of streams) stream.close();
      return credit.grantedBytes() === 0;
    }),
  );
  t.pass();
});

t.test('what waits beyond the credit is bounded over all streams, and returned in the end', async (t) => {
  const [total, overdraft] = [1_024 * KIB, 512 * KIB];
  const credit = createCredit(total, overdraft);
  const [first, second, third] = [credit.open(), credit.open(), credit.open()];
  const window = first.renew();
  t.ok(first.hold(window));
  t.equal(credit.overdrawnBytes(), 0, 'a node that keeps to it takes nothing');
  t.ok(first.hold(60 * KIB));
  t.notOk(first.isOverdrawn(), 'one large record does not stop the stream');
  t.ok(first.hold(40 * KIB));
  t.ok(first.isOverdrawn());
  second.renew();
  t.notOk(second.hold(1_024 * KIB), 'too much at once');
  t.ok(second.hold(8 * KIB), 'and it may still send what it was granted');
  t.ok(first.hold(overdraft - 100 * KIB));
  t.ok(third.hold(64 * KIB), 'the first record of a stream is always taken');
  t.notOk(third.hold(1), 'and nothing else');
  first.release(overdraft - 100 * KIB);
  third.release(64 * KIB);
  first.release(100 * KIB);
  t.notOk(first.isOverdrawn());
  t.equal(credit.overdrawnBytes(), 0);

  const action = fc.record({
    stream: fc.nat(2),
    kib: fc.nat(300),
    what: fc.constantFrom('hold', 'release', 'renew', 'close'),
  });
  fc.assert(
    fc.property(fc.array(action, { maxLength: 100 }), (actions) => {
      const shared = createCredit(total, overdraft);
      const streams = Array.from({ length: 3 }, () => ({ credit: shared.open(), held: [] as number[] }));
      for (const { stream, kib, what } of actions) {
        const one = streams[stream];
        if (one === undefined) continue;
        if (what === 'renew') one.credit.renew();
        else if (what === 'close') one.credit.close();
        else if (what === 'hold') {
          if (one.credit.hold(kib * KIB)) one.held.push(kib * KIB);
        } else one.credit.release(one.held.pop() ?? 0);
        if (shared.overdrawnBytes() < 0) return false;
      }
      for (const { credit: own } of streams) own.close();
      return shared.overdrawnBytes() === 0;
    }),
  );
  third.close();
});

t.test('small batches do not wait for the memory that large ones use, and are limited as well', async (t) => {
  const memory = createIngestMemory({ bytesMax: 8_192 * KIB, registry: new Registry() });
  const opened = createGate();
  const started: number[] = [];
  const decode = (kib: number) =>
    memory.decode([{ seq: 1, bytes: Buffer.alloc(kib * KIB) }], new AbortController().signal, async () => {
      started.push(kib);
      await opened.pass();
    });
  const work = Array.from({ length: 40 }, () => decode(64));
  await turn();
  const large = started.length;
  t.ok(large < 10, `${large} large batches of 1 MiB when decoded`);
  work.push(decode(1));
  await turn();
  t.same(started.slice(large), [1], 'a small one is decoded at once');
  work.push(...Array.from({ length: 40 }, () => decode(16)));
  await turn();
  t.ok(started.length < large + 10, `${started.length} batches`);
  opened.open();
  await Promise.all(work);
  t.equal(started.length, 81);
});

t.test('small batches use the free memory of large ones when their own is full', async (t) => {
  const memory = createIngestMemory({ bytesMax: 8_192 * KIB, registry: new Registry() });
  const opened = createGate();
  let started = 0;
  const work = Array.from({ length: 40 }, () =>
    memory.decode([{ seq: 1, bytes: Buffer.alloc(16 * KIB) }], new AbortController().signal, async () => {
      started += 1;
      await opened.pass();
    }),
  );
  await turn();
  // 256 KiB each: four fit in an eighth of the whole, and nineteen in what is left for large batches.
  t.equal(started, 23);
  opened.open();
  await Promise.all(work);
  t.equal(started, 40);
});

t.test('a stream that is far over its credit is not read until its batches are stored', async (t) => {
  const changes: boolean[] = [];
  const gate = createReadingGate((open) => void changes.push(open));
  const opened = createGate();
  const credit = createCredit(1_024 * KIB, 512 * KIB).open();
  credit.renew();
  const ingest = createIngest({
    ...{ node: { nodeId: 'srv_1', kind: 'agent', workspaceId: 'ws_1' } as const, credit, gate },
    handler: { delayMs: () => 0, accept: async () => [] },
    ...{ clock: testClock(), random: systemRandom, holdBatch: () => () => {} },
    memory: {
      async decode(_records, _signal, work) {
        await opened.pass();
        return work();
      },
    },
    after: async () => {},
    onAck() {},
    onFailure: (error) => t.fail(String(error)),
    onOverdraft: () => t.fail('it has sent no more than there is room for'),
  });
  const batch = (seq: number, kib: number) => ({
    ...{ records: [{ seq, bytes: Buffer.alloc(kib * KIB) }], rejections: [], upToSeq: seq },
  });
  ingest.take(batch(1, 32));
  t.same(changes, [], 'what it may');
  ingest.take(batch(2, 64));
  t.same(changes, [], 'one record more');
  ingest.take(batch(3, 64));
  t.same(changes, [false]);
  opened.open();
  await ingest.idle();
  t.same(changes, [false, true]);
});
