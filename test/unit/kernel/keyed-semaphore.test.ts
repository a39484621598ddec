import t from 'tap';
import { createKeyedSemaphore } from '../../../kernel/concurrency/keyed-semaphore.js';

const never = new AbortController().signal;

/** Work that runs until `end`. */
function work() {
  let begun = false;
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return {
    hasBegun: () => begun,
    end,
    async run() {
      begun = true;
      await ended;
      return 'done';
    },
  };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

t.test('one of a key runs at a time, and keys do not wait for each other', async (t) => {
  const turns = createKeyedSemaphore(1);
  const [first, second, other] = [work(), work(), work()];
  const runs = [turns.run('a', never, first.run), turns.run('a', never, second.run), turns.run('b', never, other.run)];
  await turn();
  t.same(
    [first, second, other].map((one) => one.hasBegun()),
    [true, false, true],
  );
  first.end();
  await turn();
  t.ok(second.hasBegun());
  second.end();
  other.end();
  t.same(await Promise.all(runs), ['done', 'done', 'done']);
  t.equal(turns.size(), 0, 'nothing is kept');
});

t.test('one that fails, or gives up, lets the next run', async (t) => {
  const turns = createKeyedSemaphore(1);
  const gone = new AbortController();
  const first = work();
  const failed = turns.run('a', never, async () => {
    await first.run();
    throw new Error('it failed');
  });
  const given = turns.run('a', gone.signal, async () => t.fail('nobody waits for it'));
  const last = turns.run('a', never, async () => 'last');
  gone.abort(new Error('gone'));
  await t.rejects(given, { message: 'gone' });
  first.end();
  await t.rejects(failed, { message: 'it failed' });
  t.equal(await last, 'last');
  t.equal(turns.size(), 0);
});
