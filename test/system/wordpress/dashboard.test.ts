import t from 'tap';
import { examinedVisitor } from '../../helpers/dashboard/examined-visitor.js';
import { startPlaneInBrowser } from '../../helpers/dashboard/plane-in-browser.js';
import { ADMIN, installPlugin, startWordpress } from '../../helpers/wordpress/site.js';

const SEEN_MS_MAX = 60_000;

t.test('a site is added, connected in its own settings, hardened and undone', async (t) => {
  const wordpress = await startWordpress();
  t.teardown(() => wordpress.remove());
  const { plane, browser, owner } = await startPlaneInBrowser(t);
  const archive = await fetch(`${plane.url}/install/picket-bridge.zip`);
  await installPlugin(wordpress, Buffer.from(await archive.arrayBuffer()));
  const { page, see, button, examined, violations, complaints, foreignRequests } = await examinedVisitor(browser, {
    seeMs: SEEN_MS_MAX,
  });
  await page.goto(`${plane.url}/login?next=/wordpress`);
  await page.getByLabel('E-mail address').fill(owner.email);
  await page.getByLabel('Password', { exact: true }).fill(owner.password);
  await button('Log in').click();

  await t.test('the empty page says what it is for, and adds a site', async () => {
    await see('Is your WordPress hardened?');
    await examined('wordpress-empty');
    await button('Add site').click();
    await see('Enter a name and an address.');
    await page.getByLabel('Name').fill('Shop');
    await page.getByLabel('Address of the home page').fill(wordpress.url);
    await button('Add site').click();
    await page.waitForURL(/\/wordpress\/site_/);
    await see('Connect the plugin');
    await examined('wordpress-connect');
  });

  await t.test('what the page shows is entered in WordPress, and the page turns by itself', async (t) => {
    t.equal(await page.getByLabel('URL of Picket').inputValue(), plane.url);
    const code = await page.getByLabel('Activation code').inputValue();
    const admin = await browser.newPage();
    await admin.goto(`${wordpress.url}/wp-login.php`);
    await admin.getByLabel('Username or Email Address').fill(ADMIN.name);
    await admin.getByLabel('Password', { exact: true }).fill(ADMIN.password);
    await admin.getByRole('button', { name: 'Log In' }).click();
    await admin.waitForURL(/wp-admin/);
    await admin.goto(`${wordpress.url}/wp-admin/options-general.php?page=picket-bridge`);
    await admin.getByLabel('URL of Picket').fill(plane.url);
    await admin.getByLabel('Activation code').fill(code);
    await admin.getByRole('button', { name: 'Connect' }).click();
    await admin.getByText(`This site is connected to ${plane.url}.`).waitFor();
    await admin.close();
    await see('1 check fails, 9 not measured.');
    await see(/From outside: xmlrpc.php answers with HTTP 200/);
    await examined('wordpress-failing');
  });

  await t.test('one click closes XML-RPC, and one opens it again', async (t) => {
    await button('Harden XML-RPC disabled').click();
    await see('1 check passes, 9 not measured.');
    await see('Harden: done and verified');
    t.equal((await wordpress.xmlrpc()).status, 403);
    await examined('wordpress-passing');
    await button('Undo XML-RPC disabled').click();
    await see('Undo: done and verified');
    await see('1 check fails, 9 not measured.');
    t.equal((await wordpress.xmlrpc()).status, 200);
  });

  await t.test('the list names what fails, and a deleted site is gone', async (t) => {
    await page.getByRole('link', { name: 'WordPress', exact: true }).click();
    await see('1 check of 1 site fails.');
    await examined('wordpress');
    await page.locator('.site-row').click();
    await button('Delete').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await see('Is your WordPress hardened?');
    t.same((await plane.api('GET', '/api/v1/wp/admin/sites')).body.data, []);
  });

  t.same(violations, []);
  t.same(complaints, []);
  t.same(foreignRequests, []);
});
