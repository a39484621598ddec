import t from 'tap';
import { createFairCache } from '../../../../kernel/concurrency/fair-cache.js';

/** Returns a function that tells whether the cache had the value. */
function had(cache: ReturnType<typeof createFairCache<string>>) {
  return (group: string, key: string): boolean => {
    let made = false;
    cache.get(group, key, () => {
      made = true;
      return key;
    });
    return !made;
  };
}

t.test('a group with many values pushes out its own, the one that it has not used for the longest first', (t) => {
  const cache = createFairCache<string>(10);
  const has = had(cache);
  has('few', 'a');
  has('few', 'b');
  for (let index = 0; index < 8; index++) has('many', `${index}`);
  t.equal(cache.size(), 10);
  t.ok(has('many', '0'), 'it is used again');
  for (let index = 8; index < 1_000; index++) {
    has('many', `${index}`);
    has('many', '0');
  }
  t.equal(cache.size(), 10);
  t.ok(has('few', 'a') && has('few', 'b'), 'another group keeps its own');
  t.ok(has('many', '0') && has('many', '999'));
  t.notOk(has('many', '1'));
  t.end();
});

t.test('a group that has none gets a place of the one with most', (t) => {
  const cache = createFairCache<string>(4);
  const has = had(cache);
  for (const key of ['a', 'b', 'c']) has('many', key);
  has('few', 'a');
  has('new', 'a');
  t.ok(has('new', 'a') && has('few', 'a') && has('many', 'c') && has('many', 'b'));
  t.notOk(has('many', 'a'));
  t.equal(cache.size(), 4);
  t.end();
});

t.test('keys of different groups are different', (t) => {
  const cache = createFairCache<string>(4);
  t.equal(
    cache.get('a', 'key', () => 'of a'),
    'of a',
  );
  t.equal(
    cache.get('b', 'key', () => 'of b'),
    'of b',
  );
  t.end();
});
