import t from 'tap';
import { comesTo } from '../../helpers/dashboard/comes-to.js';
import { useSession } from '../../helpers/dashboard/cookie.js';
import { examinedVisitor } from '../../helpers/dashboard/examined-visitor.js';
import { startPlaneInBrowser } from '../../helpers/dashboard/plane-in-browser.js';
import { visitor } from '../../helpers/dashboard/visitor.js';
import { startRbldnsd } from '../../helpers/machine/rbldnsd.js';
import { startResolver } from '../../helpers/machine/scripted-dns.js';
import { storePerson } from '../../helpers/team/people.js';
import { waitFor } from '../../helpers/wait.js';

const ADDRESS = '198.100.144.7';
const CLEAN = '198.100.144.9';
/** As long as a domain can be. */
const LONG = `${`${'w'.repeat(60)}.`.repeat(4)}test`;
const HOSTILE = '<img src=x onerror=hostile>';
const CHECKED_MS_MAX = 60_000;

t.test('an address is checked, watched, listed and delisted', async (t) => {
  const lists = await startRbldnsd();
  const resolver = await startResolver({ hosts: new Map(), lists });
  t.teardown(async () => {
    await resolver.stop();
    await lists.stop();
  });
  const settings = { PICKET_DNS_SERVERS: resolver.server };
  const { mongo, plane, browser, owner } = await startPlaneInBrowser(t, { settings });
  lists.list('zen.spamhaus.org', ADDRESS, '127.0.0.2', HOSTILE);
  lists.list('bl.spamcop.net', ADDRESS, '127.0.0.2', 'Blocked - see https://www.spamcop.net/bl.shtml?$');
  lists.list('dnsbl.dronebl.org', CLEAN);
  lists.refuse('b.barracudacentral.org');
  await lists.reloaded();
  const { page, complaints, foreignRequests, see, button, examined, violations } = await examinedVisitor(browser, {
    seeMs: CHECKED_MS_MAX,
  });
  await page.goto(`${plane.url}/login?next=/blacklists`);
  await page.getByLabel('E-mail address').fill(owner.email);
  await page.getByLabel('Password', { exact: true }).fill(owner.password);
  await button('Log in').click();

  await t.test('the empty page says what blacklists are', async () => {
    await see('Is your mail being refused?');
    await examined('blacklists-empty');
  });

  await t.test('an instant check names the lists, and keeps what was typed', async (t) => {
    await page.getByRole('link', { name: 'Check an address' }).click();
    await button('Check now').click();
    await see('Enter an IP address or a domain.');
    await page.getByLabel('IP address or domain').fill('10.0.0.1');
    await button('Check now').click();
    await see(/private or reserved address/);
    await comesTo(t, () => page.getByLabel('IP address or domain').inputValue(), '10.0.0.1');
    await page.getByLabel('IP address or domain').fill(ADDRESS);
    await button('Check now').click();
    await see(`${ADDRESS} is listed on 2 of the 9 lists that answered.`);
    await see('refused the query');
    t.equal(await page.locator('img').count(), 0, 'the text of a list is no markup');
    await examined('blacklist-check');
  });

  await t.test('what was checked is watched, and its page shows the way out', async (t) => {
    await button('Watch it').click();
    await page.waitForURL(/\/blacklists\/blm_/);
    await see('Listed on Spamhaus ZEN and SpamCop.');
    const removal = page.getByRole('link', { name: 'Removal from SpamCop', exact: true });
    t.equal(await removal.getAttribute('href'), 'https://www.spamcop.net/bl.shtml');
    await page.getByRole('link', { name: 'About SpamCop' }).waitFor();
    await page.getByText(HOSTILE).first().waitFor();
    t.equal(await page.locator('img').count(), 0);
    await examined('blacklist');
  });

  await t.test('how often it is checked is changed, and changed back', async (t) => {
    const frequency = async () => (await plane.api('GET', '/api/v1/blacklist/monitors')).body.data[0].frequency;
    await page.getByLabel('Check', { exact: true }).selectOption('daily');
    await see('Picket now checks this address every day.');
    await comesTo(t, frequency, 'daily');
    await button('Undo').click();
    await waitFor('every hour again', CHECKED_MS_MAX, async () => (await frequency()) === 'hourly');
  });

  await t.test('the list begins with the worst', async (t) => {
    const { status } = await plane.api('POST', '/api/v1/blacklist/monitors', { target: LONG, frequency: 'daily' });
    t.equal(status, 201);
    await page.getByRole('link', { name: 'Blacklists', exact: true }).click();
    await page.getByRole('link', { name: 'Watch an address' }).click();
    await button('Watch it').click();
    await see('Enter an IP address or a domain.');
    await page.getByLabel('IP address or domain').fill(CLEAN);
    await page.getByLabel('Check', { exact: true }).selectOption('daily');
    await button('Watch it').click();
    await page.waitForURL(/\/blacklists\/blm_/);
    await page.getByRole('link', { name: 'Blacklists', exact: true }).click();
    await see('1 of 3 addresses is listed.');
    await see('on Spamhaus ZEN and SpamCop');
    await see('2 lists more');
    await waitFor('the policy listing', CHECKED_MS_MAX, async () => {
      const { body } = await plane.api('GET', `/api/v1/blacklist/monitors?q=${CLEAN}`);
      return body.data[0].listings.length === 1;
    });
    await page.reload();
    await see('policy listing on 1 list');
    const rows = page.locator('.blacklist-row bdi');
    await comesTo(t, () => rows.count(), 3);
    await comesTo(t, () => rows.first().textContent(), ADDRESS);
    await examined('blacklists');
    await page.getByLabel('Filter by address or domain').fill('wwww');
    await page.waitForURL(/q=wwww/);
    await page.locator('.blacklist-row').nth(1).waitFor({ state: 'detached' });
    await page.getByText('Listed', { exact: true }).click();
    await see('No address matches this filter.');
    await page.getByRole('link', { name: 'Clear the filter' }).click();
    await page.getByText(ADDRESS, { exact: true }).click();
  });

  await t.test('a delisting is in the changes', async () => {
    lists.clear('bl.spamcop.net', ADDRESS);
    await lists.reloaded();
    const soon = { $set: { next_at_ms: 0 } };
    await mongo.db.collection('blacklist_monitors').updateOne({ target: ADDRESS }, soon);
    await see('No longer listed on SpamCop');
    await see('Listed on Spamhaus ZEN.');
    await button('Show the score over time').click();
    await page.getByRole('heading', { name: 'Score of 100' }).waitFor();
    await page.getByRole('cell', { name: '88.9' }).first().waitFor();
    await examined('blacklist-changes');
  });

  await t.test('a viewer sees everything in German and changes nothing', async (t) => {
    const workspace = (await mongo.db.collection('workspaces').findOne({})) as unknown as { _id: string };
    const { cookie } = await storePerson(mongo, workspace._id, 'viewer');
    const viewer = await visitor(browser, { language: 'de' });
    await useSession(viewer.page, plane.url, cookie);
    await viewer.page.goto(page.url());
    await viewer.page.getByText('Gelistet auf Spamhaus ZEN.').waitFor();
    await viewer.page.getByRole('link', { name: 'Austragung bei Spamhaus ZEN' }).waitFor();
    t.equal(await viewer.page.getByRole('button', { name: 'Löschen' }).count(), 0);
    t.equal(await viewer.page.getByRole('combobox').count(), 0);
    await viewer.page.getByRole('link', { name: 'Sperrlisten' }).click();
    await viewer.page.getByText('1 von 3 Adressen ist gelistet.').waitFor();
    t.equal(await viewer.page.getByRole('link', { name: 'Adresse überwachen' }).count(), 0);
    t.same(viewer.complaints, []);
    await viewer.close();
  });

  await t.test('it is deleted after a question', async (t) => {
    await button('Delete').click();
    await page.getByRole('dialog').getByText('cannot be undone').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.waitForURL(`${plane.url}/blacklists`);
    await see('None of 2 addresses is listed.');
    t.equal((await plane.api('GET', '/api/v1/blacklist/monitors')).body.data.length, 2);
  });

  t.same(violations, [], 'no page breaks a rule of accessibility');
  t.same(complaints, [], 'the browser complained about nothing');
  t.same(foreignRequests, [], 'nothing came from elsewhere');
});
