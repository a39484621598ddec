import t from 'tap';
import { browserModule } from '../../helpers/dashboard/browser-module.js';

interface Change {
  field: string;
  was: unknown;
  theirs: unknown;
  mine: unknown;
  isMineToo: boolean;
}
type Form = Record<string, unknown>;

const { mergeOf, changedFields } = await browserModule<{
  mergeOf(fields: string[], base: Form, mine: Form, theirs: Form): { merged: Form; changes: Change[] };
  changedFields(fields: string[], base: Form, mine: Form): string[];
}>('components/editing/merge.ts');
const { undoOf } = await browserModule<{ undoOf(before: Form, patch: Form): Form }>('parts/monitors/edit/undo.ts');

const FIELDS = ['name', 'retries', 'http.keyword', 'http.method'];
const base = { name: 'Shop', retries: 1, http: { keyword: '', method: 'GET' } };

t.test('what was typed stays, and untouched fields follow the other person', (t) => {
  const mine = { ...base, name: 'Mine', http: { keyword: 'ok', method: 'GET' } };
  const theirs = { name: 'Theirs', retries: 3, http: { keyword: 'ok', method: 'GET' } };
  const { merged, changes } = mergeOf(FIELDS, base, mine, theirs);
  t.same(merged, { name: 'Mine', retries: 3, http: { keyword: 'ok', method: 'GET' } });
  t.same(changes, [
    { field: 'name', was: 'Shop', theirs: 'Theirs', mine: 'Mine', isMineToo: true },
    { field: 'retries', was: 1, theirs: 3, mine: 1, isMineToo: false },
  ]);
  t.same(changedFields(FIELDS, theirs, merged), ['name'], 'only this is sent');
  t.same(base.http, { keyword: '', method: 'GET' }, 'nothing is changed in place');
  t.end();
});

t.test('a change is undone in the fields that it had', (t) => {
  const before = {
    name: 'Shop',
    type: 'http',
    url: 'https://a:b@shop',
    http: { method: 'GET', body: 'x', keyword: null },
  };
  t.same(undoOf(before, { name: 'New', http: { body: '***' } }), { name: 'Shop', http: { body: 'x' } });
  t.same(undoOf(before, { url: 'https://new' }), { url: 'https://a:b@shop' });
  t.same(undoOf(before, { type: 'tcp' }), { type: 'http', http: before.http }, 'the kind brings its settings back');
  t.same(undoOf({ ...before, type: 'tcp', http: null }, { type: 'http', http: {} }), { type: 'tcp', http: null });
  t.end();
});
