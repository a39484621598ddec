import t from 'tap';
import { createAdmissionQueue } from '../../../control-plane/nodes/streams/connections/admission-queue.js';
import { reconnectSpreadMs } from '../../../control-plane/nodes/streams/connections/reconnect-spread.js';
import { holdWhileUnavailable } from '../../../control-plane/nodes/streams/hold/hold-while-unavailable.js';
import { type TestClock, testClock } from '../../helpers/clock.js';

const unavailable = () => Object.assign(new Error('no primary'), { name: 'MongoServerSelectionError' });

/** Starts work that fails as long as `error` returns one. */
function startHold(clock: TestClock, error: () => Error | null) {
  const controller = new AbortController();
  const seen = { tries: 0, holds: 0, ended: 0 };
  const needs = {
    ...{ clock, random: { fraction: () => 0.5 }, signal: controller.signal },
    onHold() {
      seen.holds += 1;
      return () => {
        seen.ended += 1;
      };
    },
  };
  const outcome = holdWhileUnavailable(needs, async () => {
    seen.tries += 1;
    const failure = error();
    if (failure !== null) throw failure;
    return 'stored';
  }).catch((thrown: Error) => thrown.message);
  return { outcome, seen, abort: () => controller.abort() };
}

t.test('work is repeated until the database is available', async (t) => {
  const clock = testClock();
  let isAway = true;
  const { outcome, seen } = startHold(clock, () => (isAway ? unavailable() : null));
  await clock.advance(0);
  await clock.advance(20_000);
  t.ok(seen.tries > 8, `${seen.tries} tries`);
  t.same([seen.holds, seen.ended], [1, 0], 'one hold');
  isAway = false;
  await clock.advance(2_000);
  t.equal(await outcome, 'stored');
  t.equal(seen.ended, 1);
});

t.test('a hold ends after 30 s, with another error, and when it is aborted', async (t) => {
  const clock = testClock();
  const long = startHold(clock, unavailable);
  const startedMs = clock.monotonic();
  let endedMs = 0;
  void long.outcome.then(() => {
    endedMs = clock.monotonic();
  });
  await clock.advance(0);
  await clock.advance(60_000);
  t.equal(await long.outcome, 'no primary');
  t.equal(endedMs - startedMs, 30_000);
  t.equal(long.seen.ended, 1);

  const broken = startHold(clock, () => new Error('a bug'));
  t.equal(await broken.outcome, 'a bug');
  t.same(broken.seen, { tries: 1, holds: 0, ended: 0 }, 'at once');

  const stopped = startHold(clock, unavailable);
  await clock.advance(0);
  await clock.advance(1_000);
  const { tries } = stopped.seen;
  stopped.abort();
  t.equal(await stopped.outcome, 'no primary', 'without a further try');
  t.equal(stopped.seen.tries, tries);
});

t.test('32 nodes are admitted at once, in order; the others wait, at most 2,000 for at most 5 s', async (t) => {
  const clock = testClock();
  const queue = createAdmissionQueue(clock);
  const turns: (() => void)[] = [];
  for (let node = 0; node < 32; node++) turns.push((await queue.enter()) ?? (() => t.fail('turned away')));
  const admitted: number[] = [];
  let turnedAway = 0;
  const enter = (number: number) =>
    queue.enter().then((end) => {
      if (end === null) turnedAway += 1;
      else {
        admitted.push(number);
        turns.push(end);
      }
    });
  for (let node = 1; node <= 2_000; node++) void enter(node);
  await clock.advance(0);
  t.same([admitted.length, turnedAway], [0, 0]);
  await enter(2_001);
  t.equal(turnedAway, 1, 'the queue is full');
  turns[0]?.();
  turns[0]?.();
  await clock.advance(0);
  t.same(admitted, [1], 'a turn ends once');
  turns[1]?.();
  await clock.advance(4_999);
  t.same(admitted, [1, 2]);
  await clock.advance(1);
  t.equal(turnedAway, 1 + 1_998, 'an answer before the node gives up');
  for (const end of turns) end();
  t.type(await queue.enter(), 'function', 'the places are free again');
});

t.test('a mass of agents returns within 30 s', async (t) => {
  t.same([0, 5, 2_000, 10_000, 100_000].map(reconnectSpreadMs), [0, 50, 20_000, 30_000, 30_000]);
});
