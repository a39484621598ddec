import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import t from 'tap';

const WINDOW = 'minSnapshotHistoryWindowInSeconds';
const ROOT = pathToFileURL(`${process.cwd()}/`);

/** Returns every line of the repository, outside tests, that contains the setting. */
function mentions(): Map<string, string[]> {
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  const found = new Map<string, string[]>();
  for (const path of files.trim().split('\n')) {
    if (path.startsWith('test/') || !existsSync(new URL(path, ROOT))) continue;
    const lines = readFileSync(new URL(path, ROOT), 'utf8').split('\n');
    const matching = lines.filter((line) => line.includes(WINDOW));
    if (matching.length > 0) found.set(path, matching);
  }
  return found;
}

t.test('only the embedded database, which has one member, keeps no snapshot history', (t) => {
  const found = mentions();
  t.same(
    [...found.keys()].sort(),
    ['docs/decisions/0007-database-cost-per-result.md', 'docs/operating.md', 'supervisor/mongod/mongod.ts'],
    'neither a script nor another page sets it: a lagging secondary needs the history',
  );
  t.match(found.get('docs/operating.md')?.join('\n'), /Keep `minSnapshotHistoryWindowInSeconds` at its default/);
  const decision = readFileSync(new URL('docs/decisions/0007-database-cost-per-result.md', ROOT), 'utf8');
  t.match(decision.replaceAll(/\s+/g, ' '), /this was not measured, so Picket does not recommend it/);
  t.end();
});
