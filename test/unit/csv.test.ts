import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import t from 'tap';
import { csvLine } from '../../control-plane/csv.js';

/** Returns the rows of cells that Python's csv module reads with a separator. */
function pythonReads(csv: string, separator = ',', quotes = true): string[][] {
  const program = `
import csv, io, json, sys
quoting = csv.QUOTE_MINIMAL if sys.argv[2] == "quotes" else csv.QUOTE_NONE
text = io.StringIO(sys.stdin.buffer.read().decode("utf-8"), newline="")
csv.field_size_limit(1 << 24)
json.dump(list(csv.reader(text, delimiter=sys.argv[1], quoting=quoting)), sys.stdout)`;
  const { status, stdout, stderr } = spawnSync('python3', ['-c', program, separator, quotes ? 'quotes' : 'none'], {
    input: csv,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}
/** Each text as it reads back from a cell. */
const cellsOf = (texts: readonly string[]) =>
  pythonReads(texts.map((text) => csvLine([text, 'end'])).join('')).map(([cell]) => cell);
/** What a spreadsheet runs, after all that it may strip. */
const FORMULA = /^[\s\p{Cc}\p{Cf}"]*[=+\-@\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b\u2212]/u;

t.test('every cell has quotes, null is an empty cell, and a line ends with CR LF', async (t) => {
  t.equal(csvLine(['a', 'b "c"', null, { json: { d: [1, 'e'] } }]), '"a","b ""c""","","{""d"":[1,""e""]}"\r\n');
});

t.test('a formula at the start of a cell becomes text, and other cells stay', async (t) => {
  const formulas = ['=1+1', '+1', '-1', '@SUM(A1)', '\rx', '\nx', '\tx', '＝1', '＋1', '－1', '＠x', '﹦1', '﹢1', '﹣1', '﹫x', '−1', ' =1', '\ufeff=1', '\u200b=1', '\u202e=1', '\u2067+1', '\0=1', '\u00a0@x', '\x1b=1', '\u3000=1', '"=1']; // biome-ignore format: a list
  t.same(
    cellsOf(formulas),
    formulas.map((cell) => `'${cell.replaceAll('\0', '␀')}`),
  );
  const others = ['', 'Shop', "'=1", 'a=1', '1-1', '(=1)', ' x', '😀=', '{"a":"=1"}', '\u202eabc', '|x', '%x', 'a, b', 'a;b', 'a\tb']; // biome-ignore format: a list
  t.same(cellsOf(others), others);
  t.same(cellsOf(['a\0b']), ['a␀b']);
});

t.test('a formula after any separator or line break in a cell becomes text', async (t) => {
  for (const separator of [',', ';', '\t', '\r', '\n', '\r\n', '\v', '\f', '\x85', '\u2028', '\u2029']) {
    for (const between of ['', ' ', '"', '""', ' \u200b"']) {
      for (const sign of ['=', '+', '-', '@', '＝', '−']) {
        const text = `x${separator}${between}${sign}1;y`;
        const guarded = `x${separator}'${between}${sign}1;y`;
        t.equal(csvLine([text]), `"${guarded.replaceAll('"', '""')}"\r\n`, encodeURIComponent(text));
      }
    }
  }
  t.same(cellsOf(["x;=1+cmd|' /C calc'!A0;y"]), ["x;'=1+cmd|' /C calc'!A0;y"]);
});

t.test('whatever the texts and whatever separates the cells, no spreadsheet runs one', async (t) => {
  const part = fc.constantFrom('=', '+', '-', '@', '＝', ',', ';', '\t', '\n', '\r\n', '"', '""', "'", ' ', '\u200b', '\\', 'x', '1', 'cmd|'); // biome-ignore format: a list
  const text = fc.array(part, { maxLength: 12 }).map((parts) => parts.join(''));
  const lines = fc.sample(fc.tuple(text, text, text), { numRuns: 3_000, seed: 30 });
  const csv = lines.map(([a, b, json]) => csvLine(['id', a, b, { json: { [json]: json, list: [json] } }])).join('');
  for (const separator of [',', ';', '\t']) {
    for (const quotes of [true, false]) {
      const cells = pythonReads(csv, separator, quotes).flat();
      const run = cells.filter((cell) => FORMULA.test(cell));
      t.same(run.slice(0, 3), [], `separator ${JSON.stringify(separator)}, ${quotes ? 'with' : 'without'} quotes`);
    }
  }
});

t.test('a value reads back unchanged from its JSON', async (t) => {
  const values = fc.sample(fc.jsonValue(), { numRuns: 300, seed: 30 });
  const special = [{ a: 'x;=1', 'b,=2': '=3' }, [-1, -2, '-3'], { a: '"=1"', b: '\\;"=1', c: 'x\u2028=1' }];
  const given = [...values, ...special].map((value) => JSON.parse(JSON.stringify(value)));
  const rows = pythonReads(given.map((json) => csvLine([{ json }])).join(''));
  t.same(
    rows.map(([cell]) => JSON.parse(cell ?? '')),
    given,
  );
});

t.test('a text of a million line breaks takes one pass', async (t) => {
  const text = '\n'.repeat(1_000_000);
  t.equal(csvLine([text]), `"'${text}"\r\n`);
});

t.test('Python reads back every other cell unchanged, with any content', async (t) => {
  const texts = ['a,b', 'a"b', '"', '""', 'a\r\nb', 'a\nb', 'a\rb', ' a ', '😀👩‍👩‍👧', '\u202eevil\u202c', "'", '', 'é', '\u2028', ';', 'a\tb', '\\"', 'x'.repeat(70_000)]; // biome-ignore format: a list
  t.same(cellsOf(texts), texts);
});
