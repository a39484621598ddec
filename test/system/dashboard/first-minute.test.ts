import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { comesTo } from '../../helpers/dashboard/comes-to.js';
import { startProductInBrowser } from '../../helpers/dashboard/product-in-browser.js';
import { deadlineMs } from '../../helpers/deadline.js';

const NOTICED_MS_MAX = 60_000;
const HOSTILE = `<img src=x onerror="alert('hostile')">`;

t.test('from the log-in to an acknowledged incident', async (t) => {
  // As the README's command starts it: with the agent of this machine.
  const scene = await startProductInBrowser(t, { PICKET_LOCAL_AGENT: '1' });
  const { site, product, page, complaints, foreignRequests, see, examined, violations } = scene;
  const owner = JSON.parse(await readFile(join(product.dataDir, 'first-run.json'), 'utf8'));
  const button = (name: string) => page.getByRole('button', { name, exact: true });

  await t.test('the log-in keeps what was typed, and works by keyboard alone', async (t) => {
    await page.goto(`${product.url}/monitors?status=down`);
    await page.waitForURL(/\/login\?next=/);
    await page.getByLabel('E-mail address').waitFor();
    const focused = () => page.evaluate('document.activeElement.name');
    await comesTo(t, focused, 'email', 'the first field has the focus');
    await page.keyboard.type(owner.email);
    await page.keyboard.press('Tab');
    await page.keyboard.type('not the password');
    await page.keyboard.press('Enter');
    await see(/e-mail address or the password is wrong/);
    await comesTo(t, focused, 'password', 'the focus is where to correct it');
    t.equal(await page.getByLabel('E-mail address').inputValue(), owner.email, 'what was typed is kept');
    await examined('log-in');
    const loaded = await page.evaluate(`performance.getEntriesByType('resource').map(({ name }) => name).join()`);
    t.notMatch(loaded, /\/app-/, 'the log-in loads nothing of the application');
    await page.keyboard.press('Control+A');
    await page.keyboard.type(owner.password);
    await page.keyboard.press('Enter');
    await page.waitForURL(`${product.url}/monitors?status=down`);
    await see('No monitor matches this filter.');
  });

  await t.test('one field leads to the first answers', async (t) => {
    await page.getByRole('link', { name: 'Overview' }).click();
    await see('The server is online.');
    await page.getByRole('heading', { name: 'What should we watch?' }).waitFor();
    await page.getByLabel('Address').fill('shop.example:99999');
    await button('Continue').click();
    await see('The port must be a number from 1 to 65535.');
    await examined('first-minute');
    await page.getByLabel('Address').fill(site.url);
    await button('Continue').click();
    await page.getByLabel('Name').fill('Shop');
    await page.getByLabel('Interval').selectOption('10');
    await see('Loads the page and expects status 200.');
    t.equal(await page.getByText('The certificate is checked too.').count(), 0, 'http has none');
    await examined('proposal');
    await button('Watch it').click();
    await see('Shop is up from all 5 locations.');
    await examined('answers');
    await page.getByRole('link', { name: 'Open the monitor' }).click();
    await see(/^Up since/);
    await page.getByRole('cell', { name: 'Frankfurt' }).first().waitFor();
    await examined('monitor');
  });

  await t.test('a hostile name is text on every page', async (t) => {
    const names = [HOSTILE, 'W'.repeat(200), 'שרת ראשי של החנות', `${HOSTILE} ${'long '.repeat(20)}`];
    for (const name of names) {
      const { status } = await product.api('POST', '/v1/monitors', { name, type: 'tcp', url: '127.0.0.1:9' });
      t.equal(status, 201);
    }
    await page.getByRole('link', { name: 'Monitors', exact: true }).click();
    await page.getByText(HOSTILE, { exact: true }).waitFor();
    await examined('monitors');
    await page.getByLabel('Filter by name or address').fill('onerror');
    await page.waitForURL(/q=onerror/);
    await page.getByText('2 monitors', { exact: true }).waitFor();
    await page.getByText(HOSTILE, { exact: true }).click();
    await page.getByRole('heading', { name: HOSTILE }).waitFor();
    t.equal(await page.locator('img').count(), 0, 'no name is markup');
    await page.goBack();
    await page.waitForURL(/q=onerror/);
    const filter = () => page.getByLabel('Filter by name or address').inputValue();
    await comesTo(t, filter, 'onerror', 'the filter is in the URL');
  });

  await t.test('an outage is on the overview, explains itself, and is acknowledged', async (t) => {
    await site.stop();
    await page.goto(`${product.url}/`);
    // The timeline names the outage, too, with a link to the monitor.
    const row = page.locator('a[href*="/incidents/"]', { hasText: /Shop.*locations reported/s });
    await row.first().waitFor({ timeout: deadlineMs(NOTICED_MS_MAX) });
    await page
      .getByRole('link', { name: HOSTILE })
      .first()
      .waitFor({ timeout: deadlineMs(NOTICED_MS_MAX) });
    await examined('overview-broken');
    await row.first().click();
    await see('Why did this alert?');
    await see(/5 of 5 locations had confirmed it when it was decided/);
    await examined('incident');
    await button('Acknowledge').click();
    await see(/acknowledged it at/);
    const acknowledged = async () => {
      const { body } = await product.api('GET', '/v1/alerts?status=firing');
      return body.data.filter((one: { acknowledged_by: string | null }) => one.acknowledged_by === owner.email).length;
    };
    await comesTo(t, acknowledged, 1, 'the API says so too');
    await page.getByRole('link', { name: 'Open the monitor' }).click();
    await see(/5 of 5 locations report “connection refused”; 3 are needed for an incident/);
    await examined('monitor-down');
    await page.getByRole('link', { name: 'Why?', exact: true }).click();
    await see('Why did this alert?');
    await page.getByRole('link', { name: 'Incidents' }).click();
    await see(/acknowledged by/);
    await examined('incidents');
  });

  await t.test('a monitor is paused, resumed and deleted', async (t) => {
    await page.goto(`${product.url}/monitors?q=WWWW`);
    await page.getByText('W'.repeat(200)).first().click();
    await button('Pause').click();
    await see(/^Paused since/);
    await button('Resume').click();
    await button('Pause').waitFor();
    await button('Delete').click();
    await page.waitForURL(`${product.url}/monitors`);
    await see(/^W+ deleted\.$/);
    const { body } = await product.api('GET', '/v1/monitors?q=WWWW');
    t.same(body.data, []);
  });

  await t.test('unknown pages say so, and a lost connection is not hidden', async () => {
    await page.goto(`${product.url}/no/such/page`);
    await see('There is no such page');
    await examined('not-found');
    await page.goto(`${product.url}/`);
    await see('Live');
    await page.context().setOffline(true);
    await see(/^Reconnecting, data from/);
    await page.context().setOffline(false);
    await see('Live');
  });

  await t.test('logging out ends the session', async () => {
    await page.getByRole('button', { name: /^Account/ }).click();
    await examined('account-menu');
    await button('Log out').click();
    await page.waitForURL(`${product.url}/login`);
    await page.goto(`${product.url}/`);
    await page.waitForURL(/\/login/);
  });

  t.same(violations, [], 'no page breaks a rule of accessibility');
  t.same(complaints, [], 'the browser complained about nothing, so the policy of the pages was kept');
  t.same(foreignRequests, [], 'nothing came from elsewhere');
});
