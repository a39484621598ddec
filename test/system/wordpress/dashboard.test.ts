import t from 'tap';
import { examinedVisitor } from '../../helpers/dashboard/examined-visitor.js';
import { startPlaneInBrowser } from '../../helpers/dashboard/plane-in-browser.js';
import { ADMIN, installPlugin, startWordpress } from '../../helpers/wordpress/site.js';

const SEEN_MS_MAX = 60_000;

t.test('a site is added, connected in its own settings, hardened and undone', async (t) => {
  // The host forbids the directive against directory lists.
  const wordpress = await startWordpress({ allowOverride: 'AuthConfig FileInfo' });
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
    await see('7 checks fail, 2 not measured.');
    await see(/Seen from outside: xmlrpc.php answers with HTTP 200/);
    await see(/^This site does not allow the fix:.*Set both to https/);
    const paste = page.getByText('What to paste into the virtual host');
    await paste.click();
    await see('Options -Indexes');
    await examined('wordpress-failing');
  });

  await t.test('one click closes XML-RPC, and one opens it again', async (t) => {
    await button('Harden XML-RPC disabled').click();
    await see('6 checks fail, 2 not measured.');
    await see('Harden: done and verified');
    t.equal((await wordpress.xmlrpc()).status, 403);
    await examined('wordpress-passing');
    await button('Undo XML-RPC disabled').click();
    await see('Undo: done and verified');
    await see('7 checks fail, 2 not measured.');
    t.equal((await wordpress.xmlrpc()).status, 200);
  });

  await t.test('another click does everything that the site allows', async () => {
    await button('Harden all').click();
    await see('3 checks fail, 2 not measured.');
    await see(/PHP blocked in uploads: done and verified/);
    await examined('wordpress-hardened');
  });

  await t.test('the list names what fails, and a deleted site is gone', async (t) => {
    await page.getByRole('link', { name: 'WordPress', exact: true }).click();
    await see('3 checks of 1 site fail.');
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
