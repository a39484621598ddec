import { gzipSync } from 'node:zlib';
import t from 'tap';
import type { ComponentModel, PageModel } from '../../../control-plane/status-pages/compile/model.js';
import { htmlPage } from '../../../control-plane/status-pages/render/html.js';
import { jsonPage } from '../../../control-plane/status-pages/render/json.js';
import { LANGUAGES, type PageLanguage } from '../../../control-plane/status-pages/words/languages.js';
import { componentModel, fullPage, pageModel } from '../../helpers/status-pages/model.js';

const HTML_BYTES_MAX = 40_000;
const COMPRESSED_BYTES_MAX = 15_000;
const HOUR_MS = 3_600_000;
const LINKS = {
  feed: 'example/feed.atom',
  calendar: 'example/maintenance.ics',
  json: 'example.json',
  canonical: `https://${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.example.com/`,
  logo: 'example/logo',
  subscribe: 'example/subscribe',
};

/** Days that look random, the same in each run: one of ten with downtime, some long, some not observed. */
const random = (component: number) => (day: number) => {
  const value = (component * 7_919 + day * 104_729 + component * day * 31) % 100;
  if (value < 4) return HOUR_MS / 6;
  if (value < 10) return 3 * HOUR_MS;
  return value > 97 ? null : 0;
};
/** The longest text of bars: no two days after each other have the same colour. */
const alternating = (day: number) => [0, HOUR_MS / 6, 3 * HOUR_MS, null][(day * day + day) % 4] ?? null;
const BARS = { random, worst: () => alternating };

/** Words in an order that repeats only in itself, so that compression has something to do. */
const words = (seed: number, chars: number) => {
  const all = 'payment gateway for the orders of customers in northern and southern regions, with a queue'.split(' ');
  let text = '';
  for (let index = seed; text.length < chars; index++) text += `${all[(index * index + seed) % all.length]} `;
  return text.slice(0, chars - 1).padEnd(chars, '.');
};

function fiftyComponents(
  downMs: (component: number) => (day: number) => number | null,
  over: Partial<ComponentModel>[],
) {
  return Array.from({ length: 50 }, (_, index) =>
    componentModel({ state: 'partial_outage', ...over[index] }, downMs(index)),
  );
}

const rendered = (page: PageModel, language: PageLanguage) => htmlPage(page, language, LINKS, null).html;

for (const language of LANGUAGES) {
  t.test(`${language}: 50 components with 90 days are at most 40 kB, with texts of any length`, (t) => {
    const { outages, notices, maintenance } = fullPage();
    const texts = {
      short: (index: number) => ({ name: `A name of thirty characters ${index}` }),
      long: (index: number) => ({ name: words(index, 80), description: words(index + 7, 200) }),
      wide: (index: number) => ({ name: '\u{1f9ff}'.repeat(80), description: `${index}${'漢'.repeat(195)}` }),
      escaped: (index: number) => ({ name: '"'.repeat(80), description: `${index}${'&<'.repeat(98)}` }),
    };
    for (const [bars, downMs] of Object.entries(BARS)) {
      for (const [kind, textOf] of Object.entries(texts)) {
        const over = Array.from({ length: 50 }, (_, index) => textOf(index));
        const html = rendered(pageModel(fiftyComponents(downMs, over), { outages, notices, maintenance }), language);
        const bytes = Buffer.byteLength(html);
        t.ok(bytes <= HTML_BYTES_MAX, `${bars}, ${kind}: ${bytes} bytes`);
        const compressed = gzipSync(html).length;
        t.ok(compressed <= COMPRESSED_BYTES_MAX, `${bars}, ${kind}: ${compressed} bytes compressed`);
        t.equal(html.split('<svg').length - 1, 50, 'all components have their bars');
      }
    }
    t.end();
  });
}

t.test('many incidents with long names are also at most 40 kB', (t) => {
  const [outage] = fullPage().outages;
  const [notice] = fullPage().notices;
  if (outage === undefined || notice === undefined) throw new Error('no incidents');
  const name = '&'.repeat(80);
  const page = pageModel(fiftyComponents(BARS.worst, Array(50).fill({ name, description: '&'.repeat(200) })), {
    outages: Array.from({ length: 20 }, (_, index) => ({ ...outage, id: `o-${index}`, component: name })),
    notices: Array.from({ length: 40 }, (_, index) => ({
      ...notice,
      id: `n-${index}`,
      components: Array(50).fill(name),
    })),
  });
  for (const language of LANGUAGES) {
    const bytes = Buffer.byteLength(rendered(page, language));
    t.ok(bytes <= HTML_BYTES_MAX, `${language}: ${bytes} bytes`);
  }
  t.end();
});

t.test('texts that fit are whole; those that are cut are whole in the JSON that the page links', (t) => {
  const description = words(3, 200);
  const few = rendered(pageModel([componentModel({ description })]), 'en');
  t.ok(few.includes(description));
  t.notMatch(few, /example\.json/);
  const components = fiftyComponents(BARS.worst, Array(50).fill({ name: words(1, 80), description }));
  const many = rendered(pageModel(components), 'en');
  t.notOk(many.includes(description));
  t.ok(many.includes(description.slice(0, 40)));
  t.match(many, /<a href="example\.json">All texts in full/);
  t.ok(jsonPage(pageModel(components), 'en', 'http://picket.test/status/example').includes(description));
  t.end();
});
