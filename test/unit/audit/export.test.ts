import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import t from 'tap';
import { CSV_HEAD, csvLines } from '../../../control-plane/audit/export/csv.js';
import { withoutFormula } from '../../../control-plane/audit/export/formula.js';
import { NotAnExport, readExport, TruncatedExport } from '../../../control-plane/audit/export/reader.js';
import type { AuditEntry } from '../../../control-plane/audit/schema.js';

const entry = (more: Partial<AuditEntry> = {}): AuditEntry => ({
  id: 'evt_01jjwzmz000000000000000000',
  timestamp: '2026-01-31T12:00:00.000Z',
  actor: { id: 'usr_1', email: 'owner@example.com', ip: '192.0.2.7' },
  action: 'monitor.created',
  severity: 'info',
  resource: { type: 'monitor', id: 'mon_1', name: 'Shop' },
  workspace_id: 'ws_1',
  metadata: {},
  request_id: 'req_1',
  hash: null,
  previous_hash: null,
  ...more,
});
const named = (name: string) => entry({ resource: { type: 'monitor', id: 'mon_1', name }, metadata: { name } });

/** Returns the rows of cells that Python's csv module reads. */
function pythonReads(csv: string): string[][] {
  const program =
    'import csv,io,json,sys; json.dump(list(csv.reader(io.StringIO(sys.stdin.buffer.read().decode("utf-8"), newline=""), strict=True)), sys.stdout)';
  const { status, stdout, stderr } = spawnSync('python3', ['-c', program], { input: csv, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

t.test('CSV: the columns, null as an empty cell, metadata as JSON, CR LF', async (t) => {
  t.equal(
    CSV_HEAD,
    'id,timestamp,action,severity,actor_id,actor_email,actor_ip,resource_type,resource_id,resource_name,metadata\r\n',
  );
  t.equal(
    csvLines([entry(), entry({ actor: { id: null, email: 'system', ip: null }, metadata: { a: [1, 'x'] } })]),
    'evt_01jjwzmz000000000000000000,2026-01-31T12:00:00.000Z,monitor.created,info,usr_1,owner@example.com,192.0.2.7,monitor,mon_1,Shop,{}\r\n' +
      'evt_01jjwzmz000000000000000000,2026-01-31T12:00:00.000Z,monitor.created,info,,system,,monitor,mon_1,Shop,"{""a"":[1,""x""]}"\r\n',
  );
});

t.test('CSV: cells that a spreadsheet would run become text, and other cells stay', async (t) => {
  const formulas = ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\tx', '\r=1', '\nx', '＝1', '＋1', '－1', '＠x', '﹦1', '﹢1', '﹣1', '﹫x', '−1', ' =1', '\ufeff=1', '\u200b=1', '\u202e=1', '\u2067+1', '\0=1', '\u00a0@x', '\x1b=1', '\u3000=1']; // biome-ignore format: a list
  for (const cell of formulas) t.equal(withoutFormula(cell), `'${cell.replaceAll('\0', '␀')}`, JSON.stringify(cell));
  for (const cell of ['', 'Shop', "'=1", 'a=1', '1-1', '(=1)', ' x', '😀=', '{"a":"=1"}', '\u202eabc', '|x', '%x']) {
    t.equal(withoutFormula(cell), cell, JSON.stringify(cell));
  }
  t.equal(withoutFormula('a\0b'), 'a␀b');
});

t.test('CSV: Python reads back every cell, with any content', async (t) => {
  const names = ['a,b', 'a"b', '"', '""', 'a\r\nb', 'a\nb', 'a\rb', '\r\n', ' a ', '😀👩‍👩‍👧', '\u202eevil\u202c', 'a\0b', '=cmd|\' /C calc\'!A0', "'", '', 'é', '\u2028', ';', 'a\tb', '\\"', 'x'.repeat(70_000)]; // biome-ignore format: a list
  const rows = pythonReads(CSV_HEAD + csvLines(names.map(named)));
  t.equal(rows.length, names.length + 1);
  for (const [index, name] of names.entries()) {
    t.equal(rows[index + 1]?.[9], withoutFormula(name), `name ${index}`);
    t.same(JSON.parse(rows[index + 1]?.[10] ?? ''), { name }, 'metadata has the original');
  }
  const texts = fc.sample(fc.string({ unit: 'grapheme', maxLength: 12 }), 300);
  const read = pythonReads(csvLines(texts.map(named)));
  t.same(
    read.map((row) => row[9]),
    texts.map(withoutFormula),
  );
});

async function* pieces(text: string, sizes: readonly number[]): AsyncGenerator<string> {
  let from = 0;
  for (let index = 0; from < text.length; index++) {
    const size = sizes[index % sizes.length] ?? 1;
    yield text.slice(from, from + size);
    from += size;
  }
}
async function read(text: string, sizes: readonly number[] = [7]) {
  const items = [];
  for await (const item of readExport(pieces(text, sizes))) items.push(item);
  return items;
}

t.test('an export is read entry by entry, with any indentation and chunk size', async (t) => {
  const entries = ['a', '{"}][,', '\\', '"\\"', '\u2028', '😀'].map(named);
  const texts = {
    ours: `[\n${entries.map((one) => JSON.stringify(one)).join(',\n')}\n]\n`,
    pretty: JSON.stringify(entries, null, 2),
    'one line': JSON.stringify(entries),
    'JSON lines': entries.map((one) => `${JSON.stringify(one)}\n`).join(''),
    'JSON lines without the last line feed': entries.map((one) => JSON.stringify(one)).join('\n'),
  };
  for (const [what, text] of Object.entries(texts)) {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1 }), async (sizes) => {
        const found = await read(text, sizes);
        t.same(
          found.map((item) => item.entry),
          entries,
          what,
        );
      }),
      { numRuns: 20 },
    );
  }
  t.same(await read('[\n]\n'), []);
  t.same(await read(''), []);
});

const failure = (text: string) => read(text).catch((error: unknown) => error);

t.test('a file that is not an export is refused, and a truncated one is detected', async (t) => {
  const one = JSON.stringify(entry());
  for (const text of ['hello', '"x"', '[1]', `[${one}] x`, `[${one}][${one}]`, `${one}]`, `[${one}]${one}`, '[[]]']) {
    t.ok((await failure(text)) instanceof NotAnExport, text.slice(0, 10));
  }
  for (const text of ['[', `[${one}`, `[${one},`, one.slice(0, -1), `[\n${one},\n${one.slice(0, 100)}`]) {
    t.ok((await failure(text)) instanceof TruncatedExport, text.slice(-10));
  }
  t.match(await read(`[${one}, {"id": 1}, {"x" 1}]`), [
    { number: 1, entry: { id: entry().id } },
    { number: 2, entry: null, problem: 'is not an audit entry' },
    { number: 3, entry: null, problem: 'is not JSON' },
  ]);
});
