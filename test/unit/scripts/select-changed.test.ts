import t from 'tap';
import { selectChanged } from '../../../scripts/testing/select-changed.js';

const imports = (...paths: string[]) => ({ imports: paths.map((path) => ({ path })) });
const GRAPH = {
  'test/a.test.ts': imports('test/helpers/app.ts', 'kernel/clock.ts'),
  'test/b.test.ts': imports('kernel/clock.ts'),
  'test/c.test.ts': { imports: [{ path: 'tap', external: true }] },
  'test/helpers/app.ts': imports('control-plane/app.ts'),
  'control-plane/app.ts': imports('control-plane/leaf.ts', 'kernel/clock.ts'),
  // A cycle, as types have them.
  'control-plane/leaf.ts': imports('control-plane/app.ts'),
  'kernel/clock.ts': imports(),
};
const TESTS = ['test/a.test.ts', 'test/b.test.ts', 'test/c.test.ts'];
const TEXTS: Record<string, string> = { 'test/c.test.ts': "readFileSync('docs/api.md')" };
const select = (...changed: string[]) => selectChanged(changed, TESTS, GRAPH, (file) => TEXTS[file] ?? '');

t.test('a changed leaf selects the files that import it, through others too', async (t) => {
  t.same(select('control-plane/leaf.ts'), { tests: ['test/a.test.ts'], unreached: [] });
  t.same(select('kernel/clock.ts').tests, ['test/a.test.ts', 'test/b.test.ts']);
  t.same(select('test/helpers/app.ts').tests, ['test/a.test.ts']);
});

t.test('a changed test selects itself, and a document the tests that read it', async (t) => {
  t.same(select('test/b.test.ts').tests, ['test/b.test.ts']);
  t.same(select('docs/api.md', 'control-plane/leaf.ts').tests, ['test/a.test.ts', 'test/c.test.ts']);
});

t.test('what no test imports is named', async (t) => {
  t.same(select('probe/main.ts', 'kernel/clock.ts').unreached, ['probe/main.ts']);
  t.same(select(), { tests: [], unreached: [] });
});

t.test('other packages, settings of the compiler or another runner select all', async (t) => {
  for (const path of ['package-lock.json', 'package.json', 'tsconfig.base.json', 'scripts/testing/run-file.ts']) {
    t.same(select(path), { tests: TESTS, unreached: [] }, path);
  }
});
