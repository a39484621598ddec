import { createHash } from 'node:crypto';
import t from 'tap';
import { readLogo } from '../../../control-plane/logo/logo.js';
import type { StatusPage } from '../../../control-plane/status-pages/schema.js';
import { dataUrl, pngChunk, pngOf } from '../../helpers/client-reports/pictures.js';
import { startZone, type Zone } from '../../helpers/email-domains/zone.js';
import { PATH, startStatusPages } from '../../helpers/status-pages/app.js';
import { atHost } from '../../helpers/status-pages/at-host.js';

const zone: Zone = new Map();
const dns = await startZone(zone);
const pages = await startStatusPages({ dnsServers: [dns.server] });
const { app, created, clock } = pages;
t.teardown(async () => {
  await pages.stop();
  await dns.stop();
});
const SECRET = 'GPS 48.2082 N, 16.3738 E';
const LOGO = dataUrl('png', pngOf({ chunks: [pngChunk('tEXt', Buffer.from(`Comment\0${SECRET}`))] }));
const { bytes: CLEAN } = await readLogo(LOGO, '/logo');
const HASH = createHash('sha256').update(CLEAN).digest('hex').slice(0, 16);
const settled = () => clock.advance(5_000);
const patch = (id: string, body: object) => app.request<StatusPage>('PATCH', `${PATH}/${id}`, { body });
const stored = () => pages.mongo.db.collection('status_page_logos').countDocuments();
const changes = () => pages.mongo.db.collection('audit_log').countDocuments({ 'metadata.logo_changed': true });

t.test('a logo is above the title, without what else was in the file, until it is removed', async (t) => {
  const page = await created({ slug: 'one', title: 'One Ltd', logo: LOGO });
  t.match(page.logo_url, new RegExp(`/status/one/logo\\?v=${HASH}$`));
  t.notOk('logo' in page);
  await settled();
  t.match(await pages.html('one'), `<img class="logo" src="one/logo?v=${HASH}" alt="">`);
  const answer = await pages.page(`one/logo?v=${HASH}`);
  t.equal(answer.status, 200);
  t.equal(answer.headers.get('content-type'), 'image/png');
  t.equal(answer.headers.get('cache-control'), 'public, max-age=1');
  const bytes = Buffer.from(await answer.arrayBuffer());
  t.ok(bytes.equals(CLEAN));
  const again = { headers: { 'if-none-match': answer.headers.get('etag') ?? '' } };
  t.equal((await fetch(`${app.url}/status/one/logo`, again)).status, 304, 'a reader who has it gets it no more');
  t.notOk(bytes.includes(SECRET));

  t.equal((await patch(page.id, { title: 'One Limited' })).body.data.logo_url, page.logo_url, 'it stays');
  const version = (await app.request('GET', `${PATH}/${page.id}`)).headers.get('etag');
  t.equal((await patch(page.id, { logo: LOGO })).headers.get('etag'), version, 'the same one is no change');
  t.equal(await changes(), 0);
  t.equal((await patch(page.id, { logo: null })).body.data.logo_url, null);
  await settled();
  t.notMatch(await pages.html('one'), /<img/);
  t.equal((await pages.page('one/logo')).status, 404);
  t.equal(await stored(), 0);
  const saved = await patch(page.id, { logo: LOGO });
  const [, path = ''] = saved.body.data.logo_url?.split('/status/') ?? [];
  t.equal((await pages.page(path)).status, 200, 'at once, although the page in memory does not know it yet');
  t.equal(await changes(), 2);
  t.equal((await app.request('DELETE', `${PATH}/${page.id}`)).status, 204);
  t.equal(await stored(), 0, 'a page that is deleted leaves none');
});

t.test('what is no picture is refused', async (t) => {
  const wrong = [
    dataUrl('png', Buffer.from('no picture')),
    'data:image/svg+xml;base64,AAAA',
    'https://example.com/logo.png',
  ];
  for (const logo of wrong) {
    const refused = await app.request('POST', PATH, { body: { slug: 'wrong', title: 'Wrong', logo } });
    t.match(refused, { status: 422, body: { errors: [{ path: '/logo' }] } }, logo);
  }
  t.equal(await stored(), 0);
});

t.test('who may not see the page does not see its logo', async (t) => {
  await created({ slug: 'locked', title: 'Locked', visibility: 'password', password: 'correct horse', logo: LOGO });
  const refused = await pages.page('locked/logo');
  t.equal(refused.status, 401);
  t.equal(refused.headers.get('cache-control'), 'private, no-store');
  t.notMatch(await refused.text(), /<img/);
});

t.test('under a host name of its own, the page has its logo there', async (t) => {
  const page = await created({ slug: 'host', title: 'Host', host_names: ['status.host-logo.com'], logo: LOGO });
  const record = page.hosts[0]?.record;
  zone.set(record?.name ?? '', { txt: [record?.value ?? ''] });
  await pages.checkHosts();
  await settled();
  const html = (await atHost(app.port, 'status.host-logo.com', '/')).text;
  t.match(html, `<img class="logo" src="/logo?v=${HASH}" alt="">`);
  const answer = await atHost(app.port, 'status.host-logo.com', `/logo?v=${HASH}`);
  t.match(answer, { status: 200, headers: { 'content-type': 'image/png' } });
});
