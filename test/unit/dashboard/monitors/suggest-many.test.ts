import t from 'tap';
import { browserModule } from '../../../helpers/dashboard/browser-module.js';

interface Row {
  key: string;
  address: string;
  name: string;
  type: string;
  suggestion: unknown;
}

const { ADDRESSES_MAX, addressesIn, rowOf, suggestMany, wantedOf } = await browserModule<{
  ADDRESSES_MAX: number;
  addressesIn(text: string): string[];
  rowOf(key: string, address: string): Row;
  suggestMany(text: string): Row[];
  wantedOf(row: Row): { name: string; type: string; url: string } | null;
}>('parts/monitors/watch/suggest-many.ts');

t.test('addresses are separated by lines, blanks, commas and semicolons, and count once', (t) => {
  t.same(addressesIn(' a.example\r\nb.example, c.example;\n\n a.example\td.example '), [
    ...['a.example', 'b.example', 'c.example', 'd.example'],
  ]);
  t.same(addressesIn(' \n '), []);
  t.end();
});

t.test('a URL is one address, whatever its path and query contain', (t) => {
  for (const url of [
    'https://shop.example/p;jsessionid=1',
    'https://shop.example/?ids=1,2',
    'HTTP://shop.example:8080/a,b;c#d,e',
    'https://shop.example?next=https://other.example/',
  ]) {
    t.same(addressesIn(` ${url} `), [url]);
    t.same(addressesIn(`${url},\nb.example`), [url, 'b.example'], 'also in a list');
  }
  t.same(addressesIn('https://a.example/x,https://b.example;c.example'), [
    ...['https://a.example/x', 'https://b.example', 'c.example'],
  ]);
  t.same(addressesIn('https://a.example,b.example'), ['https://a.example', 'b.example'], 'no host has a comma');
  t.end();
});

t.test('each address has a kind of its own', (t) => {
  const rows = suggestMany('https://shop.example/cart\ndb.example:5432\n203.0.113.7\nno address!');
  t.same(
    rows.map(({ name, type }) => [name, type]),
    [
      ['shop.example/cart', 'http'],
      ['db.example:5432', 'tcp'],
      ['203.0.113.7', 'ping'],
      ['no', 'ping'],
      ['', 'http'],
    ],
  );
  t.same(rows.map(wantedOf), [
    { name: 'shop.example/cart', type: 'http', url: 'https://shop.example/cart' },
    { name: 'db.example:5432', type: 'tcp', url: 'db.example:5432' },
    { name: '203.0.113.7', type: 'ping', url: '203.0.113.7' },
    { name: 'no', type: 'ping', url: 'no' },
    null,
  ]);
  t.end();
});

t.test('a row can have another kind and name, and a new address begins anew', (t) => {
  const row = rowOf('7', 'shop.example');
  t.same(wantedOf({ ...row, type: 'ping', name: ' Shop ' }), { name: 'Shop', type: 'ping', url: 'shop.example' });
  t.equal(wantedOf({ ...row, type: 'tcp' }), null, 'a kind that the address has no URL for');
  t.same(rowOf('7', 'address!'), { key: '7', address: 'address!', name: '', type: 'http', suggestion: 'badAddress' });
  t.end();
});

t.test('a very long list ends', (t) => {
  const text = Array.from({ length: ADDRESSES_MAX + 20 }, (_, index) => `host-${index}.example`).join('\n');
  t.equal(suggestMany(text).length, ADDRESSES_MAX);
  t.end();
});
