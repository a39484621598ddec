import t from 'tap';
import { browserModule } from '../../../helpers/dashboard/browser-module.js';

Object.defineProperty(globalThis, 'navigator', { value: { languages: ['en'] } });

const { changeWords, groupWords } = await browserModule<{
  changeWords(field: string, change: object, names: object): { before: string | null; after: string };
  groupWords(operation: string, group: object, names: object): string;
}>('parts/monitors/bulk/change-words.ts');

const names = { channel: (id: string) => id, location: (code: string) => code };

t.test('a change of a secret is said, though both values look alike', (t) => {
  const secret = { from: ['X-A'], to: ['X-A'] };
  t.same(changeWords('http.headers', secret, names), { before: null, after: 'X-A (value changed)' });
  t.match(
    groupWords('set', { field: 'http.headers', ...secret, monitors: 12 }, names),
    /^12 monitors: .*X-A \(value changed\)$/,
  );
  t.same(changeWords('interval_seconds', { from: 60, to: 300 }, names), { before: '1 min', after: '5 min' });
  t.equal(
    groupWords('set', { field: 'interval_seconds', from: 60, to: 300, monitors: 1 }, names),
    '1 monitor: interval 1 min → 5 min',
  );
  t.notMatch(groupWords('add', { field: 'http.headers', from: null, to: ['X-A'], monitors: 1 }, names), /changed/);
  t.end();
});
