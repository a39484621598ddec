import t from 'tap';
import {
  createConnectionPlaces,
  type WaitingConnection,
} from '../../../control-plane/http/limits/connection-places.js';

const PLACES = { max: 100, silentMsMin: 1_000 };
const full = PLACES.max;
/** Waiting connections, the one that has been silent longest first; `id` distinguishes those of one network. */
const from = (...counts: [network: string, count: number][]) =>
  counts.flatMap(([network, count]) => Array.from({ length: count }, (_, id) => ({ network, id, silentSinceMs: id })));
const placesOf = <W extends WaitingConnection>(waiting: readonly W[]) => {
  const places = createConnectionPlaces<W>();
  for (const one of waiting) places.add(one);
  return places;
};
const placeAt = <W extends WaitingConnection>(waiting: readonly W[], network: string, nowMs = 0) =>
  placesOf(waiting).placeFor(network, PLACES, nowMs);

t.test('there is a place until too many connections wait', (t) => {
  t.equal(placeAt([], 'a'), 'free');
  t.equal(placeAt(from(['a', full - 1]), 'a'), 'free');
  t.equal(
    placeAt(from(['a', full]), 'a'),
    'full',
    'a network whose connections are busy does not take places from itself',
  );
  t.end();
});

t.test('the network with the most connections gives the place of its most silent one to another network', (t) => {
  t.match(placeAt(from(['a', full]), 'b'), { network: 'a', id: 0 });
  t.match(placeAt(from(['a', 10], ['b', full - 10]), 'a'), { network: 'b', id: 0 });
  t.equal(placeAt(from(['a', full / 2], ['b', full / 2]), 'b'), 'full', 'not to one that has as many');
  t.equal(placeAt(from(['a', full / 2], ['b', full / 2 - 1], ['c', 1]), 'b'), 'full', 'nor to one that would');
  t.end();
});

t.test('of a crowd from many networks, the one that has been silent longest makes room', (t) => {
  const waiting = Array.from({ length: full }, (_, id) => ({ network: `10.0.0.${id}`, id, silentSinceMs: 500 + id }));
  t.equal(placeAt(waiting, 'node', 1_499), 'full', 'none has been silent long enough');
  t.match(placeAt(waiting, 'node', 1_500), { id: 0 });
  const places = placesOf(waiting);
  const [first] = waiting;
  if (first === undefined) throw new Error('there is a first one');
  t.equal(places.remove(first), true);
  t.equal(places.remove(first), false);
  places.add({ ...first, silentSinceMs: 1_500 });
  t.match(places.placeFor('node', PLACES, 1_501), { id: 1 }, 'one that was heard again comes last');
  t.end();
});

t.test('a fleet that returns at once from many addresses does not evict itself', (t) => {
  const waiting = Array.from({ length: full }, (_, index) => ({ network: `10.0.0.${index}`, silentSinceMs: 0 }));
  const places = Array.from({ length: 1_000 }, (_, index) =>
    placeAt(waiting, `10.1.${index >> 8}.${index & 255}`, 999),
  );
  t.same([...new Set(places)], ['full']);
  t.end();
});

t.test('two addresses that open as many as they can end with half of the places each', (t) => {
  const waiting = placesOf<WaitingConnection>([]);
  let most = 0;
  for (let index = 0; index < 1_000; index++) {
    for (const network of index < 300 ? ['a'] : ['a', 'b']) {
      const place = waiting.placeFor(network, PLACES, 0);
      if (place === 'full') continue;
      if (place !== 'free') waiting.remove(place);
      waiting.add({ network, silentSinceMs: 0 });
      most = Math.max(most, waiting.size());
    }
  }
  t.equal(most, full);
  const ofB = waiting.all().filter(({ network }) => network === 'b').length;
  t.ok(Math.abs(ofB - full / 2) <= 1, `${ofB}`);
  t.end();
});
