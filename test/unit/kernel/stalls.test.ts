import t from 'tap';
import { afterListening } from '../../../kernel/stalls/listening-timer.js';
import { createMissedTime } from '../../../kernel/stalls/missed-time.js';
import { createStallWatch } from '../../../kernel/stalls/stall-watch.js';
import { testClock } from '../../helpers/clock.js';

t.test('the watch knows of a stall before any timer has fired after it', async (t) => {
  const clock = testClock();
  const stalls: number[] = [];
  const watch = createStallWatch(clock, (ms) => stalls.push(ms));
  await clock.advance(5_000);
  const startedMs = clock.monotonic();
  await clock.advance(500);
  t.equal(watch.longestSince(startedMs), 0, 'a process that runs is not stalled');
  clock.stall(20_000);
  t.equal(watch.longestSince(startedMs), 20_000);
  t.equal(watch.total(), 1);
  await clock.advance(5_000);
  t.equal(watch.longestSince(startedMs), 20_000, 'also long after it');
  t.equal(watch.longestSince(clock.monotonic() - 5_000), 0, 'not for what began when it was over');
  t.equal(watch.longestSince(clock.monotonic() - 5_400), 400, 'only the common time counts');
  t.same(stalls, [20_000], 'each stall is announced once');
  watch.stop();
});

t.test('a suspended machine is a stall, although its monotonic clock stood still', async (t) => {
  const clock = testClock();
  const watch = createStallWatch(clock, () => {});
  await clock.advance(1_000);
  const startedMs = clock.monotonic();
  await clock.advance(50);
  clock.jump(3_600_000);
  t.ok(watch.longestSince(startedMs) >= 3_600_000);
  await clock.advance(1_000);
  clock.jump(-3_600_000);
  await clock.advance(1_000);
  t.equal(watch.total(), 1, 'a wall clock that is set back is not a stall');
  watch.stop();
});

t.test('short pauses do not add up to a stall, and are kept for checks with a short timeout', async (t) => {
  const clock = testClock();
  const watch = createStallWatch(clock, () => {});
  const startedMs = clock.monotonic();
  for (let pause = 0; pause < 10; pause += 1) {
    clock.stall(300);
    await clock.advance(1_000);
  }
  t.equal(watch.total(), 0);
  t.equal(watch.longestSince(startedMs), 300);
  watch.stop();
});

t.test('missed time is what lies between two calls beyond their period', async (t) => {
  const clock = testClock();
  const missedTime = createMissedTime(clock, 2_000);
  await clock.advance(2_500);
  t.equal(missedTime(), 0, 'a busy machine');
  clock.stall(12_000);
  t.equal(missedTime(), 10_000);
  t.equal(missedTime(), 0);
  clock.jump(60_000);
  t.equal(missedTime(), 58_000, 'a suspended machine');
  await clock.advance(2_000);
  t.equal(missedTime(), 0);
});

t.test(
  'a timer that is late because of a stall waits once more, so that a waiting response is read first',
  async (t) => {
    const clock = testClock();
    const fired: string[] = [];
    afterListening(clock, 10_000, () => fired.push('on time'));
    await clock.advance(10_000);
    t.same(fired, ['on time']);
    afterListening(clock, 10_000, () => fired.push('late'));
    clock.stall(13_000);
    await clock.advance(2_999);
    t.same(fired, ['on time'], 'it waits for as long as it was late');
    await clock.advance(1);
    t.same(fired, ['on time', 'late'], 'but only once');
    const cancelled = afterListening(clock, 10_000, () => fired.push('cancelled'));
    clock.stall(60_000);
    await clock.advance(9_999);
    cancelled.cancel();
    await clock.advance(60_000);
    t.equal(fired.length, 2, 'it can be cancelled while it waits again');
  },
);
