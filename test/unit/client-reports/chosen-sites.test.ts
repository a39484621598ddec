import t from 'tap';
import { sitesOf } from '../../../control-plane/client-reports/facts/chosen.js';
import type { SiteFacts } from '../../../control-plane/client-reports/facts/facts.js';
import type { MonitorDocument } from '../../../control-plane/monitors/documents.js';

const SITES = [
  'https://shop.example',
  'https://www.blog.example',
  'https://host.example/one',
  'https://host.example/two',
  'https://example.com:8443',
].map((url) => ({ url })) as SiteFacts[];

const chosen = (...urls: string[]) =>
  sitesOf(
    SITES,
    urls.map((url) => ({ url }) as MonitorDocument),
  ).map(({ url }) => url);

t.test('a report for one client has only the sites that its monitors watch', async (t) => {
  t.equal(sitesOf(SITES, null), SITES);
  t.strictSame(chosen(), []);
  t.strictSame(chosen('https://www.shop.example/cart', 'http://blog.example'), [SITES[0]?.url, SITES[1]?.url]);
  t.strictSame(chosen('https://host.example/one/feed'), ['https://host.example/one']);
  t.strictSame(chosen('https://host.example/'), [], 'the sites below may be of others');
  t.strictSame(chosen('https://client.shop.example', 'shop.example:25', 'https://host.example/only'), []);
  t.strictSame(chosen('https://example.com'), [], 'another port is another site');
});
