import fc from 'fast-check';
import t from 'tap';
import { browserModule } from '../../../helpers/dashboard/browser-module.js';

interface Pasted {
  line: number;
  address: string;
  name: string;
  found: { name: string; choices: { type: string; url: string }[] } | string;
  repeats: number | null;
}

const { pastedLines } = await browserModule<{ pastedLines(text: string): Pasted[] }>('parts/monitors/pasted/lines.ts');
const { monitorsOf } = await browserModule<{
  monitorsOf(lines: Pasted[], common: object): { name: string; type: string; url: string }[];
}>('parts/monitors/pasted/monitors.ts');

const meant = (text: string) => pastedLines(text).map(({ name, address }) => [name, address]);
const addressesOf = (text: string) => pastedLines(text).map(({ address }) => address);

t.test('a line is an address, or a name and an address', async (t) => {
  const lines = [
    'https://shop.example/health',
    'Database, db.example:5432',
    'Mail; in and out, mx.example:25\r',
    '',
    '"Office, ""old""",203.0.113.7',
    'Tab\tdns.example',
    'Front door 203.0.113.8',
    'Shop https://shop.example/',
    'Router, router',
    'localhost',
  ];
  t.same(meant(lines.join('\n')), [
    ['', 'https://shop.example/health'],
    ['Database', 'db.example:5432'],
    ['Mail; in and out', 'mx.example:25'],
    ['Office, "old"', '203.0.113.7'],
    ['Tab', 'dns.example'],
    ['Front door', '203.0.113.8'],
    ['Shop', 'https://shop.example/'],
    ['Router', 'router'],
    ['', 'localhost'],
  ]);
});

t.test('a line can have several addresses', async (t) => {
  t.same(addressesOf(' a.example\r\nb.example, c.example;\n\n d.example\te.example:25 ::1'), [
    ...['a.example', 'b.example', 'c.example', 'd.example', 'e.example:25', '::1'],
  ]);
  t.same(addressesOf('https://a.example/x,https://b.example;c.example'), [
    ...['https://a.example/x', 'https://b.example', 'c.example'],
  ]);
  t.same(addressesOf('https://a.example/?ids=1,2,https://b.example'), [
    ...['https://a.example/?ids=1,2', 'https://b.example'],
  ]);
  t.same(addressesOf(' \n ,; \n'), []);
});

t.test('a URL keeps its commas and semicolons, with and without a name', async (t) => {
  const text = ['https://a.example/p;id=1', 'Shop, old, https://b.example/?ids=1,2', 'Two;https://c.example/'].join(
    '\n',
  );
  t.same(monitorsOf(pastedLines(text), {}), [
    { name: 'a.example/p;id=1', type: 'http', url: 'https://a.example/p;id=1' },
    { name: 'Shop, old', type: 'http', url: 'https://b.example/?ids=1,2' },
    { name: 'Two', type: 'http', url: 'https://c.example/' },
  ]);
});

t.test('what is wrong has its line, and an address that is repeated the line of the first', async (t) => {
  const lines = pastedLines('a.example\n\nno port, db.example:99999\nno address!\nhttps://a.example/\nSame, a.example');
  t.match(lines.slice(1), [
    { line: 3, address: 'no port, db.example:99999', found: 'badPort', repeats: null },
    { line: 4, address: 'no address!', found: 'badAddress', repeats: null },
    { line: 5, repeats: 1 },
    { line: 6, repeats: 1 },
  ]);
  t.equal(monitorsOf(lines, {}).length, 1);
});

const url = fc
  .webUrl({ withQueryParameters: true, withFragments: true, validSchemes: ['http', 'https'] })
  .filter((one) => !/[,;]$|[,;]https?:/i.test(one));
const host = fc.domain();
const port = fc.integer({ min: 1, max: 65_535 });
const address = fc.oneof(
  url,
  host,
  fc.ipV4(),
  fc.tuple(host, port).map(([name, number]) => `${name}:${number}`),
);
/** Words that are no addresses, with the separators that names have. */
const name = fc
  .array(fc.constantFrom('Shop', 'Büro 2', 'mail', 'запас', 'a-b', '(old)'), { minLength: 1, maxLength: 4 })
  .chain((words) => fc.constantFrom(' ', ', ', '; ').map((between) => words.join(between)));

t.test('every address is itself, alone, with a name, and among thousands of others', async () => {
  fc.assert(
    fc.property(address, name, (one, called) => {
      const [alone, ...more] = pastedLines(one);
      if (alone?.address !== one || alone.name !== '' || more.length > 0) return false;
      const [pair, ...others] = pastedLines(`${called}, ${one}`);
      return pair?.address === one && pair.name === called && others.length === 0;
    }),
  );
  fc.assert(
    fc.property(fc.array(address, { minLength: 1, maxLength: 50 }), (all) => {
      const lines = pastedLines(all.join('\n'));
      return lines.length === all.length && lines.every((one, index) => one.line === index + 1);
    }),
  );
});

t.test('pasting a list twice adds nothing', async () => {
  fc.assert(
    fc.property(fc.array(address, { maxLength: 30 }), (all) => {
      const once = monitorsOf(pastedLines(all.join('\n')), {});
      const twice = monitorsOf(pastedLines([...all, ...all].join('\r\n')), {});
      return JSON.stringify(once) === JSON.stringify(twice);
    }),
  );
});

t.test('any text is read, and every line that is not empty means something or says what is wrong', async () => {
  const text = fc.oneof(
    fc.string(),
    fc.string({ unit: fc.constantFrom('a', '.', ':', '/', ',', ';', ' ', '\n', '"') }),
  );
  fc.assert(
    fc.property(text, (any) => {
      const lines = any.split(/\r\n|\r|\n/);
      const found = pastedLines(any);
      const isInOrder = found.every(({ line }, index) => line >= (found[index - 1]?.line ?? 1) && line <= lines.length);
      const named = new Set(found.map(({ line }) => line));
      return isInOrder && lines.every((line, index) => named.has(index + 1) === /[^,;\s]/.test(line));
    }),
    { numRuns: 500 },
  );
});

t.test('500 lines are read, and a line that no person typed ends', async (t) => {
  const lines = pastedLines(
    Array.from({ length: 500 }, (_, n) => `Shop ${n}, https://${n}.example/?a=1,${n}`).join('\n'),
  );
  t.equal(monitorsOf(lines, {}).length, 500);
  t.match(pastedLines(`${'a, '.repeat(20_000)}!`), [{ line: 1, found: 'badAddress' }]);
});
