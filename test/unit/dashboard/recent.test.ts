import t from 'tap';
import { browserModule } from '../../helpers/dashboard/browser-module.js';

interface Page {
  data: { id: string; type: string }[];
  next_cursor: string | null;
}

const { recentOf } = await browserModule<{
  recentOf(readPage: (cursor: string) => Promise<Page>): Promise<{ lines: { id: string }[]; hasMore: boolean }>;
}>('parts/overview/recent.ts');

/** Returns a timeline of lines of these types, with pages of ten, and the cursors that were asked for. */
function timeline(types: readonly string[]) {
  const cursors: string[] = [];
  return {
    cursors,
    async read(cursor: string): Promise<Page> {
      cursors.push(cursor);
      const from = Number(cursor);
      const data = types.slice(from, from + 10).map((type, index) => ({ id: String(from + index), type }));
      return { data, next_cursor: from + 10 < types.length ? String(from + 10) : null };
    },
  };
}

const repeated = (count: number, type: string): string[] => Array.from({ length: count }, () => type);

t.test('sign-ins do not hide what happened before them', async (t) => {
  const { read, cursors } = timeline([...repeated(30, 'audit.auth.login'), 'incident.opened']);
  const { lines, hasMore } = await recentOf(read);
  t.same(lines, [{ id: '30', type: 'incident.opened' }]);
  t.equal(hasMore, false, 'the whole day was read');
  t.same(cursors, ['', '10', '20', '30']);
});

t.test('a day of which only a part was read is not called quiet', async (t) => {
  const { read, cursors } = timeline([...repeated(60, 'monitor.status_changed'), 'incident.opened']);
  t.same(await recentOf(read), { lines: [], hasMore: true });
  t.equal(cursors.length, 5);
});

t.test('more than what is shown is said, and nothing more is read for it', async (t) => {
  const many = timeline(repeated(40, 'incident.opened'));
  const { lines, hasMore } = await recentOf(many.read);
  t.equal(lines.length, 12);
  t.equal(hasMore, true);
  t.equal(many.cursors.length, 2);
  const exact = await recentOf(timeline(repeated(12, 'incident.opened')).read);
  t.equal(exact.lines.length, 12);
  t.equal(exact.hasMore, false);
  t.same(await recentOf(timeline([]).read), { lines: [], hasMore: false });
});
