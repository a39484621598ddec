import t from 'tap';
import { pngOf } from '../../../helpers/client-reports/pictures.js';
import { comesTo } from '../../../helpers/dashboard/comes-to.js';
import { startWorkspaceInBrowser } from '../../../helpers/dashboard/workspace-in-browser.js';
import { startZone, type Zone } from '../../../helpers/email-domains/zone.js';

const zone: Zone = new Map();
const dns = await startZone(zone);
const world = await startWorkspaceInBrowser({ PICKET_DNS_SERVERS: dns.server });
t.teardown(async () => {
  await world.close();
  await dns.stop();
});
const created = await world.plane.api('POST', '/v1/status-pages', { slug: 'example', title: 'Example Ltd' });
const path = `/v1/status-pages/${created.body.data.id}`;
const stored = async () => (await world.plane.api('GET', path)).body.data;

t.test('a host name is added, verified by its record, and removed, beside the form of the page', async (t) => {
  const ann = await world.openAsOwner();
  const { page, see, press, goto } = ann;
  const violations: string[] = [];
  const examined = async (name: string) => violations.push(...(await ann.examined(name)));
  await goto(`/status-pages/${created.body.data.id}/edit`);
  await see('The page has no host name of its own.');
  await page.getByLabel('Name', { exact: true }).fill('Example Limited');

  await page.getByLabel('Host name', { exact: true }).fill('not a name');
  await press('Add host name');
  await comesTo(t, () => page.getByLabel('Host name', { exact: true }).getAttribute('aria-invalid'), 'true');
  await examined('status-page-host-refused');
  await page.getByLabel('Host name', { exact: true }).fill('Status.Example-One.com');
  await press('Add host name');
  await see('status.example-one.com is added. Set its DNS records now.');
  await see(/^Picket did not find the records when it looked them up/);
  const [host] = (await stored()).hosts;
  const record = (what: string) => page.getByLabel(`${what} of the TXT record of status.example-one.com`).inputValue();
  t.same([await record('Name'), await record('Value')], [host.record.name, host.record.value]);
  await examined('status-page-host-unverified');

  // As the owner of the zone would. Picket looks again within a minute.
  zone.set(host.record.name, { txt: [host.record.value] });
  await world.mongo.db.collection('status_pages').updateOne({}, { $set: { 'hosts.0.next_at_ms': 0 } });
  await see(/^By the TXT record/);
  await see('Main address of the page');
  await examined('status-page-host-verified');
  t.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Example Limited', 'what was typed stays');
  await press('Save');
  await see('Example Limited is saved.');
  t.match(await stored(), { title: 'Example Limited', host_names: ['status.example-one.com'] });
  await page.getByRole('main').getByRole('link', { name: 'status.example-one.com' }).waitFor();

  await goto(`/status-pages/${created.body.data.id}/edit`);
  await press('Remove');
  await see('The page can no longer be reached under this name.');
  await press('Remove');
  await see('The page has no host name of its own.');
  t.same((await stored()).host_names, []);
  t.same(violations, []);
  t.same(ann.complaints, []);
});

t.test('a logo is chosen with a preview, saved, shown to visitors, and removed', async (t) => {
  const ann = await world.openAsOwner();
  const { page, see, press, goto } = ann;
  const violations: string[] = [];
  const examined = async (name: string) => violations.push(...(await ann.examined(name)));
  await goto(`/status-pages/${created.body.data.id}/edit`);
  const choose = (buffer: Buffer) =>
    page.getByLabel('Logo').last().setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer });
  await choose(Buffer.alloc(262_145));
  await see('The file is larger than 256 KiB. Choose a smaller one.');
  await choose(Buffer.from('no picture'));
  await press('Save logo');
  await see(/^Must be a PNG file/);
  await examined('status-page-logo-refused');
  await choose(pngOf());
  await page.getByRole('img', { name: 'The chosen logo' }).waitFor();
  await press('Save logo');
  await see('The logo is saved.');
  const present = page.getByRole('img', { name: 'The present logo' });
  await present.waitFor();
  t.equal(
    await present.evaluate((one) => Reflect.get(one, 'naturalWidth')),
    60,
    'the picture is the one that was chosen',
  );
  await examined('status-page-logo');
  const { logo_url } = await stored();
  t.equal((await fetch(logo_url)).headers.get('content-type'), 'image/png');
  await page.getByLabel('Remove the logo').check();
  await press('Save logo');
  await see('The logo is removed.');
  t.equal((await stored()).logo_url, null);
  t.equal((await fetch(logo_url)).status, 404);
  t.same(violations, []);
  t.same(ann.complaints, []);
});
