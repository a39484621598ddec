import { readFileSync } from 'node:fs';
import t from 'tap';
import { browserModule } from '../../../helpers/dashboard/browser-module.js';

type Terms = Record<string, { term: string; meaning: string }>;

const { en } = await browserModule<{ en: { terms: Terms } }>('parts/glossary/texts/en.ts');
const { de } = await browserModule<{ de: { terms: Terms } }>('parts/glossary/texts/de.ts');

t.test('the glossary of the dashboard is that of the docs, and has a German meaning for each term', (t) => {
  const rows = readFileSync('docs/glossary.md', 'utf8')
    .split('\n')
    .filter((line) => /^\| [A-Z]/.test(line))
    .map((line) => line.split('|').map((cell) => cell.trim()));
  t.ok(rows.length > 20);
  t.same(
    Object.values(en.terms).map(({ term, meaning }) => [term, meaning]),
    rows.map(([, term, meaning]) => [term, meaning]),
  );
  t.same(
    Object.values(de.terms).map(({ term }) => term),
    rows.map(([, , , german]) => german),
  );
  for (const [key, { meaning }] of Object.entries(de.terms)) t.not(meaning, en.terms[key]?.meaning, key);
  t.end();
});
