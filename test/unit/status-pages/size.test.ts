import t from 'tap';
import { htmlPage } from '../../../control-plane/status-pages/render/html.js';
import { LANGUAGES } from '../../../control-plane/status-pages/words/languages.js';
import { componentModel, fullPage, pageModel } from '../../helpers/status-pages/model.js';

const HTML_BYTES_MAX = 40_000;
const HOUR_MS = 3_600_000;

/** Days that look random, the same in each run: one of ten with downtime, some long, some not observed. */
const random = (component: number) => (day: number) => {
  const value = (component * 7_919 + day * 104_729 + component * day * 31) % 100;
  if (value < 4) return HOUR_MS / 6;
  if (value < 10) return 3 * HOUR_MS;
  return value > 97 ? null : 0;
};
/** The longest text of bars: no two days after each other have the same colour. */
const alternating = (day: number) => [0, HOUR_MS / 6, 3 * HOUR_MS, null][(day * day + day) % 4] ?? null;

for (const language of LANGUAGES) {
  t.test(`${language}: 50 components with 90 days are at most 40 kB`, (t) => {
    for (const [name, downMs] of Object.entries({ random, worst: () => alternating })) {
      const components = Array.from({ length: 50 }, (_, index) =>
        componentModel({ name: `A name of thirty characters ${index}`, state: 'partial_outage' }, downMs(index)),
      );
      const { outages, notices, maintenance } = fullPage();
      const page = pageModel(components, { outages, notices, maintenance });
      const bytes = Buffer.byteLength(htmlPage(page, language, 'example/feed.atom').html);
      t.ok(bytes <= HTML_BYTES_MAX, `${name}: ${bytes} bytes`);
    }
    t.end();
  });
}
