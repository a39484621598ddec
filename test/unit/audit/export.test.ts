import fc from 'fast-check';
import t from 'tap';
import { CSV_HEAD, csvLines } from '../../../control-plane/audit/export/csv.js';
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

t.test('CSV: the columns, null as an empty cell, metadata as JSON, and no formula', async (t) => {
  t.equal(
    CSV_HEAD,
    '"id","timestamp","action","severity","actor_id","actor_email","actor_ip","resource_type","resource_id","resource_name","metadata"\r\n',
  );
  t.equal(
    csvLines([named('Shop'), { ...named('x;=1'), actor: { id: null, email: 'system', ip: null } }]),
    '"evt_01jjwzmz000000000000000000","2026-01-31T12:00:00.000Z","monitor.created","info","usr_1","owner@example.com","192.0.2.7","monitor","mon_1","Shop","{""name"":""Shop""}"\r\n' +
      `"evt_01jjwzmz000000000000000000","2026-01-31T12:00:00.000Z","monitor.created","info","","system","","monitor","mon_1","x;'=1","{""name"":""x;\\u003d1""}"\r\n`,
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
