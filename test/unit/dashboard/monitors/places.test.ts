import t from 'tap';
import { browserModule } from '../../../helpers/dashboard/browser-module.js';

interface Item {
  kind: 'group';
  tag: string;
  count: number;
  down: number;
}
interface Shown {
  items: readonly Item[];
  first: number;
  last: number;
}
const { inPlaces, idsInPlaces, newRows } = await browserModule<{
  inPlaces(now: Shown, late: Shown, pool: number, around: number): { place: number; index: number; item: Item }[];
  idsInPlaces(shown: object, pool: number, around: number): Set<string>;
  newRows(shown: object, known: Set<string>): number;
}>('parts/monitors/list/places.ts');

const POOL = 12;
const AROUND = 2;

function list(count: number, prefix: string): Item[] {
  return Array.from({ length: count }, (_, index) => ({ kind: 'group', tag: `${prefix}${index}`, count: 1, down: 0 }));
}

const shownIn = (shown: ReturnType<typeof inPlaces>) => shown.map(({ index, item }) => `${index} ${item.tag}`);

t.test('rows in the window are those of now, and those around them may be late', async (t) => {
  const now = { items: list(100, 'new'), first: 0, last: 5 };
  const late = { items: list(100, 'old'), first: 0, last: 5 };
  const tags = shownIn(inPlaces(now, late, POOL, AROUND));
  t.same(tags.slice(0, 6), ['0 new0', '1 new1', '2 new2', '3 new3', '4 new4', '5 new5']);
  t.same(tags.slice(6), ['6 old6', '7 old7', '8 old8', '9 old9', '10 old10', '11 old11']);
});

t.test('when both are the same, the rows are in order, with some above and below', async (t) => {
  const now = { items: list(100, ''), first: 30, last: 37 };
  t.same(
    inPlaces(now, now, POOL, AROUND).map(({ index }) => index),
    [28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39],
  );
});

t.test('a row keeps its place while the list moves', async (t) => {
  const items = list(100, '');
  const places = (first: number) => {
    const now = { items, first, last: first + 7 };
    return new Map(inPlaces(now, now, POOL, AROUND).map(({ index, place }) => [index, place]));
  };
  const [before, after] = [places(30), places(33)];
  for (const [index, place] of after) if (before.has(index)) t.equal(place, before.get(index), `row ${index}`);
});

t.test('while it scrolls, the window is whole and elements keep their order', async (t) => {
  const items = list(100, '');
  const late = { items, first: 10, last: 17 };
  const placesOf = (first: number) =>
    inPlaces({ items, first, last: first + 7 }, late, POOL, AROUND).map(({ place }) => place);
  for (let first = 10; first < 90; first++) {
    const shown = inPlaces({ items, first, last: first + 7 }, late, POOL, AROUND);
    const indexes = new Set(shown.map(({ index }) => index));
    for (let index = first; index <= first + 7; index++)
      t.ok(indexes.has(index), `${index} when ${first} is the first`);
    t.same(placesOf(first), placesOf(10));
  }
});

t.test('a list that became short has no rows of the former one', async (t) => {
  const late = { items: list(100, 'old'), first: 40, last: 47 };
  t.same(shownIn(inPlaces({ items: list(3, 'new'), first: 0, last: 2 }, late, POOL, AROUND)), [
    '0 new0',
    '1 new1',
    '2 new2',
  ]);
  t.same(inPlaces({ items: [], first: 0, last: 0 }, late, POOL, AROUND), []);
});

t.test('at the end of the list all places are used', async (t) => {
  const now = { items: list(100, ''), first: 92, last: 99 };
  const indexes = inPlaces(now, now, POOL, AROUND).map(({ index }) => index);
  t.same(indexes, [88, 89, 90, 91, 92, 93, 94, 95, 96, 97, 98, 99]);
});

t.test('the monitors in the page are those of its places; headings are none', async (t) => {
  const monitors = Array.from({ length: 20 }, (_, index) => ({
    kind: 'monitor',
    row: { monitor: { id: `m${index}` } },
  }));
  const items = [...list(1, 'group'), ...monitors];
  t.same([...idsInPlaces({ items, first: 0, last: 2 }, 6, AROUND)], ['m0', 'm1', 'm2', 'm3', 'm4']);
  const known = idsInPlaces({ items, first: 5, last: 8 }, 8, AROUND);
  t.same([...known], ['m2', 'm3', 'm4', 'm5', 'm6', 'm7', 'm8', 'm9']);
  t.equal(newRows({ items, first: 7, last: 10 }, known), 0, 'they were around');
  t.equal(newRows({ items, first: 9, last: 12 }, known), 2);
  t.equal(newRows({ items, first: 15, last: 30 }, known), 6, 'to the end of the list');
});
