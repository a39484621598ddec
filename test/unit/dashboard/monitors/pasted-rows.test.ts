import t from 'tap';
import { browserModule } from '../../../helpers/dashboard/browser-module.js';

interface Row {
  key: string;
  line: number;
  address: string;
  name: string;
  type: string;
  suggestion: unknown;
}

const { repeatedIn, rowOf, rowsOf, wantedOf } = await browserModule<{
  repeatedIn(text: string): [number, number][];
  rowOf(place: { key: string; line: number }, address: string): Row;
  rowsOf(text: string): Row[];
  wantedOf(row: Row): { name: string; type: string; url: string } | null;
}>('parts/monitors/watch/rows.ts');

t.test('each address of a list is a row with its line, a kind and a name', async (t) => {
  const text = 'https://shop.example/cart\n\nDatabase, db.example:5432\nhttps://shop.example/cart\nno address!';
  const rows = rowsOf(text);
  t.same(
    rows.map(({ line, address, name, type }) => [line, address, name, type]),
    [
      [1, 'https://shop.example/cart', 'shop.example/cart', 'http'],
      [3, 'db.example:5432', 'Database', 'tcp'],
      [5, 'no address!', '', 'http'],
    ],
  );
  t.same(repeatedIn(text), [[4, 1]], 'a line that repeats one is left out, and said');
  t.same(rows.map(wantedOf), [
    { name: 'shop.example/cart', type: 'http', url: 'https://shop.example/cart' },
    { name: 'Database', type: 'tcp', url: 'db.example:5432' },
    null,
  ]);
});

t.test('a row can have another kind and name, and a new address begins anew', async (t) => {
  const place = { key: '7', line: 8 };
  const row = rowOf(place, 'shop.example');
  t.same(wantedOf({ ...row, type: 'ping', name: ' Shop ' }), { name: 'Shop', type: 'ping', url: 'shop.example' });
  t.equal(wantedOf({ ...row, type: 'tcp' }), null, 'a kind that the address has no URL for');
  t.match(rowOf(place, 'address!'), { ...place, address: 'address!', name: '', suggestion: 'badAddress' });
});
