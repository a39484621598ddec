import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { unusedTexts } from '../../../helpers/dashboard/unused-texts.js';

const SOURCES = 'control-plane/dashboard/web/src';

t.test('every text of the dashboard is read by a page', async (t) => {
  const files = (await readdir(SOURCES, { recursive: true })).filter((file) => /\.tsx?$/.test(file));
  const texts = await Promise.all(files.map(async (file) => readFile(join(SOURCES, file), 'utf8')));
  const sources = new Map(files.map((file, index) => [file, texts[index] ?? '']));
  t.same(unusedTexts(sources), [], 'a text that no page reads is removed in both languages');
});

t.test('a text that nothing reads is found, however its neighbours are read', (t) => {
  const page = (lines: string) =>
    new Map([
      [
        'a/texts/en.ts',
        `export const en = {
          title: 'A', lead: (name: string) => name, kinds: { up: 'up', down: 'down' },
          form: { save: 'Save', cancel: 'Cancel', help: { name: 'Name', tags: 'Tags' } as Record<string, string> },
        };`,
      ],
      ['a/texts/texts.ts', "import { en } from './en.ts';\nexport const texts = inLanguage({ en, de });"],
      ['a/page.tsx', `import { texts as own } from './texts/texts.ts';\n${lines}`],
    ]);
  const unused = (lines: string) => unusedTexts(page(lines)).map((line) => line.replace('a/texts/texts.ts: ', ''));
  const form = ['form.save', 'form.cancel', 'form.help.name', 'form.help.tags'];
  const kinds = ['kinds.up', 'kinds.down'];
  t.same(unused(''), ['title', 'lead', ...kinds, ...form]);
  t.same(unused('own.title; own.lead(own.kinds[kind]);'), form);
  t.same(unused("own.title; own.lead(''); show(own.kinds);"), form, 'a group that is passed on is used');
  t.same(unused("const words = own.form; words.save; words['cancel'];"), ['title', 'lead', ...kinds, ...form.slice(2)]);
  t.same(unused('const { form: { save } } = own; const { title, lead, kinds } = own; kinds.up;'), ['kinds.down']);
  t.same(unused('const { save, help } = own.form; <p title={help.name} />;'), [
    ...['title', 'lead', ...kinds],
    ...['form.cancel', 'form.help.tags'],
  ]);
  t.same(unused('type Words = typeof own.form; call({ title: 1, own: 2 }).own;'), ['title', 'lead', ...kinds, ...form]);
  t.same(
    unused('export const words = own.form;'),
    ['title', 'lead', ...kinds],
    'other files may read what is exported',
  );
  t.same(unused('call({ own });'), []);
  t.end();
});
