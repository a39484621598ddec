import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';

const FOLDER = 'test/system/dashboard';

t.test('no test of the dashboard takes two pictures of the same name', (t) => {
  const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.test.ts'));
  let all = 0;
  for (const file of files) {
    const text = readFileSync(join(FOLDER, file), 'utf8');
    const names = [...text.matchAll(/\bexamined?\('([^']+)'\)/g)].map(([, name]) => name);
    all += names.length;
    t.same(names, [...new Set(names)], file);
  }
  t.ok(all > 50, 'the names were found');
  t.end();
});
