import t from 'tap';
import { changedRows, ROWS_MAX, rowsAfter, withRows } from '../../../control-plane/monitors/summary/patch.js';

const state = (down: readonly string[]) => ({ name: down.join(), newest: null, down });

t.test('rows change with what was written, and with each status that is another one', (t) => {
  t.same(changedRows(state(['a', 'b']), state(['b', 'c']), ['d', 'a']), ['d', 'a', 'c']);
  t.same(changedRows(state(['a']), state(['a']), []), []);
  const many = Array.from({ length: ROWS_MAX }, (_, index) => `m${index}`);
  t.equal(changedRows(state([]), state([]), many)?.length, ROWS_MAX);
  t.equal(changedRows(state([]), state(['other']), many), null, 'the whole list is read');
  t.end();
});

t.test('rows are replaced, removed and added, and the newest stays first', (t) => {
  const rows = new Map([
    ['m5', 'five'],
    ['m3', 'three'],
    ['m1', 'one'],
  ]);
  const read = new Map([
    ['m3', 'three again'],
    ['m4', 'four'],
  ]);
  t.same([...withRows(rows, ['m3'], read)], [...[['m5', 'five']], ['m3', 'three again'], ['m1', 'one']]);
  t.same([...withRows(rows, ['m3', 'm4', 'm5'], read).keys()], ['m4', 'm3', 'm1']);
  t.same([...rows.keys()], ['m5', 'm3', 'm1'], 'the kept ones are as they were');
  t.end();
});

t.test('a page begins after its position, whose row may be gone', (t) => {
  const rows = new Map(['m5', 'm3', 'm1'].map((id) => [id, `text of ${id}`]));
  const idsAfter = (after: string | null, rowsMax: number) => rowsAfter(rows, after, rowsMax).map(({ _id }) => _id);
  t.same(idsAfter(null, 2), ['m5', 'm3']);
  t.same(idsAfter('m5', 2), ['m3', 'm1']);
  t.same(idsAfter('m4', 1), ['m3']);
  t.same(idsAfter('m1', 1), []);
  t.same(rowsAfter(rows, 'm3', 5), [{ _id: 'm1', text: 'text of m1' }]);
  t.end();
});
