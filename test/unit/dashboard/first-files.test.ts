import { readFile } from 'node:fs/promises';
import t from 'tap';

/** A browser on HTTP/1.1 loads six files at a time; styles are among them. */
const SCRIPTS_MAX = 3;

for (const page of ['app', 'entrance']) {
  t.test(`${page}.html needs few files before it shows something`, async (t) => {
    const html = await readFile(`build/dashboard/${page}.html`, 'utf8');
    const scripts = html.match(/(?:src|href)="\.\/assets\/[^"]+\.js"/g) ?? [];
    t.ok(scripts.length >= 1 && scripts.length <= SCRIPTS_MAX, `${scripts.length} scripts`);
  });
}
