import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { temporaryFolder } from '../../helpers/machine/temporary-folder.js';

t.test('the hash of the tree is that of the next commit, whatever is staged', async (t) => {
  const folder = temporaryFolder(t);
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim();
  const hash = () => execFileSync(join(folder, 'scripts/test-tools/tree-hash'), { encoding: 'utf8' }).trim();
  const commit = () => {
    git('add', '--all');
    git('-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '--quiet', '--message', 'one');
    return git('rev-parse', 'HEAD^{tree}');
  };
  git('init', '--quiet');
  mkdirSync(join(folder, 'scripts/test-tools'), { recursive: true });
  cpSync('scripts/test-tools/tree-hash', join(folder, 'scripts/test-tools/tree-hash'));
  writeFileSync(join(folder, '.gitignore'), 'ignored\n');
  writeFileSync(join(folder, 'ignored'), 'anything');
  const first = commit();
  t.equal(hash(), first);

  writeFileSync(join(folder, 'staged'), '1');
  git('add', 'staged');
  t.not(hash(), first);
  t.equal(hash(), git('write-tree'));
  writeFileSync(join(folder, 'new'), '2');
  writeFileSync(join(folder, 'staged'), '3');
  const changed = hash();
  t.equal(git('status', '--short'), 'AM staged\n?? new', 'the index is as it was');
  t.equal(commit(), changed);
});
