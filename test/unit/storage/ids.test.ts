import t from 'tap';
import { createIds, idFloor, idTime } from '../../../control-plane/storage/ids.js';
import { systemRandom } from '../../../kernel/random.js';
import { testClock } from '../../helpers/clock.js';

t.test('ids contain the time of the given clock and sort by creation', async (t) => {
  const clock = testClock(1_700_000_000_000);
  const ids = createIds(clock, systemRandom);
  const first = ids.next('evt');
  const second = ids.next('evt');
  t.equal(idTime(first), 1_700_000_000_000);
  t.ok(first < second, 'also within a millisecond');
  t.equal(idTime(createIds(testClock(0), systemRandom).next('evt')), 1, 'and never that of the real clock');
});

t.test('ids follow a clock that is set back, unless it is set back by less than a second', async (t) => {
  const clock = testClock(1_700_000_000_000);
  const ids = createIds(clock, systemRandom);
  const first = ids.next('evt');
  clock.jump(-900);
  const second = ids.next('evt');
  t.ok(first < second);
  clock.jump(-60_000);
  t.equal(idTime(ids.next('evt')), clock.now());
  t.equal(idTime(ids.next('evt')), clock.now());
});

t.test('the floor of a time sorts before every id of that time', async (t) => {
  for (const atMs of [0, 1, 1_700_000_000_000]) {
    const id = createIds(testClock(atMs), systemRandom).next('evt');
    t.ok(idFloor('evt', atMs) <= id, `${atMs}`);
    t.ok(idFloor('evt', atMs + 2) > id, `${atMs} + 2`);
  }
  t.equal(idFloor('evt', -5), idFloor('evt', 0));
});
