import { readFileSync } from 'node:fs';
import t from 'tap';
import { testFiles } from '../../../scripts/testing/test-files.js';
import { FOLDERS, folderOf, nextFile } from '../../../scripts/testing/test-order.js';

const ALL = testFiles();
const kindOf = (file: string) => folderOf(file).kind;
const ofKind = (kind: string, files: readonly string[]) => files.filter((file) => kindOf(file) === kind);

/** Runs the files in the order of `nextFile`, as long as their folders say. Returns each with those beside it at its start. */
function starts(files: readonly string[]): { file: string; beside: string[] }[] {
  const waiting = [...files];
  let running: { file: string; endsAt: number }[] = [];
  const seen: { file: string; beside: string[] }[] = [];
  for (let now = 0; waiting.length + running.length > 0; ) {
    const beside = running.map(({ file }) => file);
    const file = nextFile(waiting, beside);
    if (file === undefined) {
      now = Math.min(...running.map(({ endsAt }) => endsAt));
      running = running.filter(({ endsAt }) => endsAt > now);
      continue;
    }
    waiting.splice(waiting.indexOf(file), 1);
    running.push({ file, endsAt: now + folderOf(file).seconds });
    seen.push({ file, beside });
  }
  return seen;
}

const seen = starts(ALL);
const together = seen.map(({ file, beside }) => [...beside, file]);
const most = (groups: readonly (readonly string[])[]) => Math.max(...groups.map((files) => files.length));

t.test('each file runs once', async (t) => {
  t.same(seen.map(({ file }) => file).sort(), ALL);
});

t.test('two that compute run beside two that wait', async (t) => {
  t.same(ofKind('computes', together[3] ?? []).length, 2);
  t.same(ofKind('waits', together[3] ?? []).length, 2);
  const mixed = together.filter((files) => new Set(files.map(kindOf)).size > 1);
  t.equal(most(mixed.map((files) => ofKind('computes', files))), 2);
  t.equal(most(mixed.map((files) => ofKind('waits', files))), 2);
});

t.test('of one kind alone, three run at the same time', async (t) => {
  for (const kind of ['computes', 'waits']) {
    t.equal(most(starts(ofKind(kind, ALL)).map(({ file, beside }) => [...beside, file])), 3, kind);
  }
});

t.test('what measures the machine runs alone, after all others', async (t) => {
  const last = seen.slice(-ofKind('alone', ALL).length);
  t.same(
    last.map(({ file, beside }) => [kindOf(file), beside]),
    last.map(() => ['alone', []]),
  );
  t.equal(nextFile(['test/unit/a.test.ts'], [last[0]?.file ?? '']), undefined, 'nothing starts beside it');
});

t.test('the slowest start first, whatever their names', async (t) => {
  const reversed = starts([...ALL].reverse()).map(({ file }) => file);
  for (const kind of ['computes', 'waits']) {
    const seconds = ofKind(kind, reversed).map((file) => folderOf(file).seconds);
    t.same(
      seconds,
      [...seconds].sort((a, b) => b - a),
      kind,
    );
  }
});

t.test('each row of the table has files, so that none that moved is forgotten', async (t) => {
  for (const row of FOLDERS) t.ok(ALL.map(folderOf).includes(row), row.path);
  t.throws(() => folderOf('scripts/a.test.ts'), /no folder of tests/);
});

t.test('every file that starts a browser counts as one that computes', async (t) => {
  const withBrowser = ALL.filter((file) => /startChromium|InBrowser\(|crawl-/.test(readFileSync(file, 'utf8')));
  t.ok(withBrowser.length > 20, `${withBrowser.length} files`);
  t.same(ofKind('computes', withBrowser), withBrowser);
});
