import t from 'tap';
import { scansOf, sitesOf } from '../../../control-plane/client-reports/facts/chosen.js';
import type { ScanFacts, SiteFacts } from '../../../control-plane/client-reports/facts/facts.js';
import type { MonitorDocument } from '../../../control-plane/monitors/documents.js';

const SITES = [
  'https://shop.example',
  'https://www.blog.example',
  'https://host.example/one',
  'https://host.example/two',
  'https://example.com:8443',
].map((url) => ({ url })) as SiteFacts[];

const monitors = (...urls: string[]) => urls.map((url) => ({ url }) as MonitorDocument);
const chosen = (...urls: string[]) => sitesOf(SITES, monitors(...urls)).map(({ url }) => url);

t.test('a report for one client has only the sites that its monitors watch', async (t) => {
  t.equal(sitesOf(SITES, null), SITES);
  t.strictSame(chosen(), []);
  t.strictSame(chosen('https://www.shop.example/cart', 'http://blog.example'), [SITES[0]?.url, SITES[1]?.url]);
  t.strictSame(chosen('https://host.example/one/feed'), ['https://host.example/one']);
  t.strictSame(chosen('https://host.example/'), [], 'the sites below may be of others');
  t.strictSame(chosen('https://client.shop.example', 'shop.example:25', 'https://host.example/only'), []);
  t.strictSame(chosen('https://example.com'), [], 'another port is another site');
});

t.test('of two sites, one below the other, a monitor watches one', async (t) => {
  const [root, below] = ['https://www.pair.example', 'https://pair.example/b'];
  const pair = [root, below].map((url) => ({ url })) as SiteFacts[];
  const watched = (...urls: string[]) => sitesOf(pair, monitors(...urls)).map(({ url }) => url);
  t.strictSame(watched('https://pair.example/b/'), [below], 'the site above it is of another client');
  t.strictSame(watched('https://pair.example/b'), [below]);
  t.strictSame(watched('https://pair.example/blog'), [root]);
  t.strictSame(watched('https://pair.example/', 'https://www.pair.example/b/cart'), [root, below]);
});

t.test('a report has only the scans of the origins that its monitors watch', async (t) => {
  const scans = ['https://shop.example/', 'https://shop.example:8443/'].map((target) => ({ target })) as ScanFacts[];
  const scanned = (...urls: string[]) => scansOf(scans, monitors(...urls)).map(({ target }) => target);
  t.equal(scansOf(scans, null), scans);
  t.strictSame(scanned('https://Shop.example:443/cart'), ['https://shop.example/']);
  t.strictSame(scanned('https://shop.example:8443/a'), ['https://shop.example:8443/']);
  t.strictSame(scanned('shop.example:8443', 'https://shop.example:9443'), []);
});
