import t from 'tap';
import { LANGUAGES } from '../../../control-plane/status-pages/words/languages.js';
import { visitor } from '../../helpers/dashboard/visitor.js';
import { startChromium } from '../../helpers/machine/chromium.js';
import { componentModel, fullPage, pageModel } from '../../helpers/status-pages/model.js';
import { servePages } from '../../helpers/status-pages/served.js';

const long = 'A'.repeat(80);
const pages = await servePages(
  {
    full: fullPage(),
    calm: pageModel([componentModel({ uptime: 100 }), componentModel({ name: 'Search' })]),
    empty: pageModel([], { state: 'empty', groups: [] }),
    hostile: pageModel(
      [
        componentModel({ name: long, description: '\u05d0\u05d1\u05d2 (1) <b>' }),
        componentModel({ name: '\u05d0\u05d1!' }),
      ],
      { title: long, description: '\u202etxet', state: 'major_outage' },
    ),
    locked: fullPage(),
  },
  ['locked'],
);
const browser = await startChromium();
t.teardown(async () => {
  await browser.close();
  pages.close();
});

for (const name of ['full', 'calm', 'empty', 'hostile', 'locked', 'missing']) {
  t.test(`${name}: accessible in light and dark, and the browser has nothing to complain about`, async (t) => {
    const reader = await visitor(browser);
    await reader.page.goto(`${pages.url}/${name}`);
    t.same(await reader.examine(name), []);
    t.same(reader.complaints, [], 'the content security policy allows what the page has');
    for (const width of [360, 1280]) {
      await reader.page.setViewportSize({ width, height: 740 });
      const overflow = await reader.page.evaluate('document.documentElement.scrollWidth - window.innerWidth');
      t.ok(Number(overflow) <= 0, `nothing is wider than ${width} pixels`);
    }
    await reader.close();
  });
}

for (const language of LANGUAGES) {
  t.test(`${language}: bars have their width and colours, and words that name days with downtime`, async (t) => {
    const reader = await visitor(browser, { language });
    await reader.page.goto(`${pages.url}/full`);
    t.equal(await reader.page.getAttribute('html', 'lang'), language);
    const bar = reader.page.locator('svg').first();
    const box = await bar.boundingBox();
    t.ok((box?.width ?? 0) > 300 && (box?.height ?? 0) > 20);
    t.match(await bar.locator('title').first().textContent(), /\d/);
    t.same(await reader.examine(`full-${language}`), []);
    await reader.close();
  });
}
