import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { browserModule } from '../../helpers/dashboard/browser-module.js';

const SOURCES = 'control-plane/dashboard/web/src';
/** A template that is an API path, or continues one, with a value before its query. */
const OF_VALUES = /([\w$]*)`(?:(?:\/api)?\/v1\/|\$\{\w*path\w*\}\/)[^`?$]*\$\{/gi;

type Module = { apiPath(parts: TemplateStringsArray, ...values: readonly string[]): string };

t.test('a value stays one segment of its path', async (t) => {
  const { apiPath } = await browserModule<Module>('api/path.ts');
  const path = (id: string) => new URL(apiPath`/v1/monitors/${id}/results`, 'https://picket.example').href;
  t.equal(path('mon_01'), 'https://picket.example/v1/monitors/mon_01/results');
  for (const id of ['../api-keys', '../auth/sessions?', '/', 'a#b', 'a\\..\\b', '%2e%2e', '..%2f', 'ä b']) {
    t.equal(path(id), `https://picket.example/v1/monitors/${encodeURIComponent(id)}/results`);
  }
  for (const id of ['.', '..']) t.match(path(id), /^https:\/\/picket\.example\/v1\/monitors\/(%252E)+\/results$/);
  t.equal(apiPath`/v1/a/${'1'}/b/${'2'}`, '/v1/a/1/b/2');
  t.equal(apiPath`/v1/monitors`, '/v1/monitors');
});

t.test('the dashboard puts no value into an API path by itself', async (t) => {
  const files = (await readdir(SOURCES, { recursive: true })).filter((file) => /\.tsx?$/.test(file));
  let found = 0;
  for (const file of files) {
    const text = await readFile(join(SOURCES, file), 'utf8');
    for (const [place, tag] of text.matchAll(OF_VALUES)) {
      found += 1;
      t.equal(tag, 'apiPath', `${file}: ${place}`);
    }
  }
  t.ok(found > 50, `${found} paths`);
});
