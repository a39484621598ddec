import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { syncFolder, writeSyncedFile } from '../../../kernel/synced-file.js';

t.test('a secret is readable by its owner only, and is never replaced', async (t) => {
  const folder = t.testdir();
  const path = join(folder, 'secret');
  await writeSyncedFile(path, 'first');
  t.equal((await stat(path)).mode & 0o777, 0o600);
  await t.rejects(writeSyncedFile(path, 'second'), { code: 'EEXIST' });
  t.equal(await readFile(path, 'utf8'), 'first');
  await t.resolves(syncFolder(folder));
  await t.rejects(syncFolder(join(folder, 'missing')), { code: 'ENOENT' });
});
