import t from 'tap';
import { createFairQueue, type Owner } from '../../../control-plane/accounts/passwords/fair-queue.js';

/** A queue whose work ends when the test says so. `started` has the names of the work in the order of its start. */
function queueUnderTest(waitingMax: number) {
  const queue = createFairQueue({
    runningMax: 1,
    waitingMax,
    groupsOfMemberMax: 10,
    refusal: () => new Error('too many'),
  });
  const ends: (() => void)[] = [];
  const started: string[] = [];
  const results = new Map<string, Promise<unknown>>();
  const run = (name: string, owner: Partial<Owner> = {}) => {
    const work = async () => {
      started.push(name);
      await new Promise<void>((resolve) => ends.push(resolve));
      if (name.startsWith('failing')) throw new Error('failed');
      return 'done';
    };
    const result = queue.run({ group: name, member: '', known: false, ...owner }, work);
    results.set(
      name,
      result.catch((error: Error) => error.message),
    );
  };
  const finish = async () => {
    for (let idle = 0; idle < 3; idle++) {
      if (ends.length > 0) idle = 0;
      ends.shift()?.();
      await new Promise((resolve) => setImmediate(resolve));
    }
    return Object.fromEntries(await Promise.all([...results].map(async ([name, result]) => [name, await result])));
  };
  return { run, finish, started };
}

t.test('the queue runs no more at a time than it may, in their order, also after failures', async (t) => {
  const { run, finish, started } = queueUnderTest(3);
  for (const name of ['failing', 'a', 'b', 'c', 'd']) run(name);
  await new Promise((resolve) => setImmediate(resolve));
  t.same(started, ['failing']);
  t.same(await finish(), { failing: 'failed', a: 'done', b: 'done', c: 'done', d: 'too many' });
  t.same(started, ['failing', 'a', 'b', 'c']);
  run('again');
  t.match(await finish(), { again: 'done' }, 'every turn was given back');
});

t.test('accounts take turns, and within an account the networks', async (t) => {
  const { run, finish, started } = queueUnderTest(100);
  run('first');
  for (const name of ['a1', 'a2', 'a3']) run(name, { group: 'a', member: 'net 1' });
  run('a4', { group: 'a', member: 'net 2' });
  run('b1', { group: 'b' });
  await finish();
  t.same(started, ['first', 'a1', 'b1', 'a4', 'a2', 'a3']);
});

t.test('a network that tries one account after the other gets no turn for each', async (t) => {
  const { run, finish, started } = queueUnderTest(1_000);
  run('first');
  for (let index = 0; index < 300; index++) run(`invented ${index}`, { member: 'net 1' });
  run('right', { member: 'net 2' });
  run('in the same network', { group: 'invented 0', member: 'net 2' });
  await finish();
  t.equal(started.length, 303);
  t.ok(started.indexOf('right') <= 12, 'ten of that network at most, and one for all its further ones');
  const again = queueUnderTest(20);
  again.run('first');
  for (let index = 0; index < 300; index++) again.run(`invented ${index}`, { member: 'net 1' });
  for (const name of ['a', 'b', 'c']) again.run(name, { member: 'net 2' });
  t.match(await again.finish(), { a: 'done', b: 'done', c: 'done' }, 'nor does it keep others out');
});

t.test('those who are known and strangers take turns, whoever came first', async (t) => {
  const { run, finish, started } = queueUnderTest(100);
  run('first');
  for (const name of ['s1', 's2', 's3']) run(name);
  for (const name of ['k1', 'k2']) run(name, { known: true });
  await finish();
  t.same(started, ['first', 'k1', 's1', 'k2', 's2', 's3']);
});

t.test('when it is full, the account with most waiting loses its newest to one that has fewer', async (t) => {
  const { run, finish } = queueUnderTest(4);
  run('first');
  for (const name of ['a1', 'a2', 'a3', 'a4']) run(name, { group: 'a', member: name });
  run('a5', { group: 'a', member: 'a5' });
  run('b1', { group: 'b' });
  run('b2', { group: 'b' });
  run('b3', { group: 'b' });
  const results = await finish();
  const refused = Object.keys(results).filter((name) => results[name] === 'too many');
  t.same(refused.length, 4);
  t.match(
    results,
    { a5: 'too many', b1: 'done', b2: 'done', b3: 'too many' },
    'two each, and the newest of two equals lose',
  );
});

t.test('strangers of any number never keep out those who are known', async (t) => {
  const { run, finish } = queueUnderTest(3);
  run('first');
  for (const name of ['s1', 's2', 's3']) run(name);
  run('s4');
  for (const name of ['k1', 'k2', 'k3']) run(name, { known: true });
  run('k4', { known: true });
  run('s5');
  t.match(await finish(), {
    ...{ s1: 'too many', s2: 'too many', s3: 'too many', s4: 'too many', s5: 'too many' },
    ...{ k1: 'done', k2: 'done', k3: 'done', k4: 'too many' },
  });
});
