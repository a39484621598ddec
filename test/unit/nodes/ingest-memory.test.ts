import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import t from 'tap';
import { createBytePool } from '../../../control-plane/nodes/streams/memory/byte-pool.js';
import { createCredit } from '../../../control-plane/nodes/streams/memory/credit.js';

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

t.test('who waits behind a request that gives up is granted', async (t) => {
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
  const credit = createCredit(total);
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
      const credit = createCredit(1_024 * KIB);
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
