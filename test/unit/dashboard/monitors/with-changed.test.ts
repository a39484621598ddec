import t from 'tap';
import { browserModule } from '../../../helpers/dashboard/browser-module.js';

interface Row {
  monitor: { id: string; name: string };
}

const { withChanged } = await browserModule<{
  withChanged(rows: readonly Row[], ids: readonly string[], read: readonly Row[]): Row[];
}>('parts/monitors/list/with-changed.ts');

const row = (id: string, name = id): Row => ({ monitor: { id, name } });

t.test('only what changed is replaced, what is new is added, and what is gone is left out', (t) => {
  const rows = [row('a'), row('b'), row('c')];
  t.same(withChanged(rows, ['b', 'c', 'd', 'e'], [row('d'), row('b', 'new')]), [row('a'), row('b', 'new'), row('d')]);
  t.equal(withChanged(rows, ['b'], [row('b')])[0], rows[0], 'the others are the same objects');
  t.same(withChanged(rows, ['gone'], []), rows);
  t.end();
});
