import t from 'tap';
import { placeFor, type Waiting } from '../../../control-plane/nodes/streams/connections/waiting-places.js';

/** Waiting connections in the order of arrival; `id` distinguishes those of one address. */
const from = (...counts: [bucket: string, count: number][]) =>
  counts.flatMap(([bucket, count]) => Array.from({ length: count }, (_, id) => ({ bucket, id })));
const full = 100;

t.test('there is a place until too many connections wait', (t) => {
  t.equal(placeFor([], 'a'), 'free');
  t.equal(placeFor(from(['a', full - 1]), 'a'), 'free');
  t.equal(placeFor(from(['a', full]), 'a'), 'full', 'one address does not take places from itself');
  t.end();
});

t.test('the address with the most connections gives the place of its first one to another address', (t) => {
  t.same(placeFor(from(['a', full]), 'b'), { bucket: 'a', id: 0 });
  t.same(placeFor(from(['a', 10], ['b', full - 10]), 'a'), { bucket: 'b', id: 0 });
  t.equal(placeFor(from(['a', full / 2], ['b', full / 2]), 'b'), 'full', 'not to one that has as many');
  t.equal(placeFor(from(['a', full / 2], ['b', full / 2 - 1], ['c', 1]), 'b'), 'full', 'nor to one that would');
  t.end();
});

t.test('a fleet that returns at once from many addresses does not evict itself', (t) => {
  const waiting: Waiting[] = Array.from({ length: full }, (_, index) => ({ bucket: `10.0.0.${index}` }));
  for (let index = 0; index < 1_000; index++) t.equal(placeFor(waiting, `10.1.${index >> 8}.${index & 255}`), 'full');
  t.end();
});

t.test('two addresses that open as many as they can end with half of the places each', (t) => {
  let waiting: Waiting[] = [];
  for (let index = 0; index < 1_000; index++) {
    for (const bucket of index < 300 ? ['a'] : ['a', 'b']) {
      const place = placeFor(waiting, bucket);
      if (place === 'full') continue;
      waiting = waiting.filter((one) => one !== place);
      waiting.push({ bucket });
      if (waiting.length > full) t.fail('more than there are places');
    }
  }
  const ofB = waiting.filter(({ bucket }) => bucket === 'b').length;
  t.ok(Math.abs(ofB - full / 2) <= 1, `${ofB}`);
  t.end();
});
