import t from 'tap';
import { comesTo } from '../../../helpers/dashboard/comes-to.js';
import { logIn } from '../../../helpers/dashboard/log-in.js';
import { paste } from '../../../helpers/dashboard/paste.js';
import { startProductInBrowser } from '../../../helpers/dashboard/product-in-browser.js';
import { deadlineMs } from '../../../helpers/deadline.js';
import { waitFor } from '../../../helpers/wait.js';

const MANY = 60;
const ANSWERED_MS_MAX = 60_000;

t.test('a pasted list becomes monitors, and the next step is a channel that works', async (t) => {
  // Two locations must agree.
  const scene = await startProductInBrowser(t, { PICKET_LOCATIONS: 'fra,nyc' });
  const { site, product, receiver, page, complaints, see, examined, violations } = scene;
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
  const names = page.getByLabel('Name', { exact: true });
  await logIn(page, product, '/');
  await page.getByLabel('Address').waitFor();

  await t.test('a list that is sent after another page was open stays until all of it exists', async (t) => {
    await paste(
      page,
      Array.from({ length: MANY }, (_, index) => `Port ${index}, 127.0.0.1:${20_000 + index}`).join('\n'),
    );
    await see(`${MANY} addresses.`);
    await page
      .getByRole('navigation')
      .getByRole('link', { name: /^Incidents/ })
      .first()
      .click();
    await page.waitForURL(/\/incidents/);
    await page.goBack();
    await see(`${MANY} addresses.`);
    // The answer comes when the page knows that the workspace has monitors.
    const counted = page.waitForResponse(
      async (answer) =>
        answer.url().endsWith('/v1/monitors/totals') && (await answer.json().catch(() => null))?.data?.monitors > 0,
    );
    let jobs = 0;
    await page.route(
      (url) => url.pathname === '/v1/monitors/bulk',
      async (route) => {
        jobs += 1;
        const response = await route.fetch();
        await counted;
        await route.fulfill({ response });
      },
    );
    let areSeen = () => {};
    const seen = new Promise<void>((resolve) => {
      areSeen = resolve;
    });
    await page.route(
      (url) => url.pathname === '/v1/monitors' && url.searchParams.get('limit') === '200',
      async (route) => {
        await seen;
        await route.continue();
      },
    );
    await button(`Watch ${MANY} addresses`).click();
    await see('Port 0');
    await see(`Port ${MANY - 1}`);
    await see('checking …');
    areSeen();
    await page
      .getByText(new RegExp(`[1-9]\\d* of ${MANY} monitors answered|${MANY} failing`))
      .first()
      .waitFor({ timeout: deadlineMs(ANSWERED_MS_MAX) });
    t.equal(jobs, 1, 'all of it is one job');
    await comesTo(t, () => button(`Watch ${MANY} addresses`).count(), 0, 'it is not offered again');
    await page.unrouteAll({ behavior: 'wait' });
  });

  await t.test('the list is one change, which can be undone here and in the history', async () => {
    const ways = page.getByRole('link', { name: 'History of changes' });
    await ways.click();
    await see(`${MANY} monitors added.`);
    await button('Undo').click();
    await button('Delete').click();
    await waitFor('none is left', ANSWERED_MS_MAX, async () => {
      const { data } = (await product.api('GET', '/v1/monitors/totals')).body;
      return data.monitors === 0;
    });
    await page.goto(`${product.url}/`);
    await page.getByLabel('Address').waitFor();
  });

  await t.test('who leaves out every row is at the way back', async () => {
    await paste(page, '127.0.0.1:9\n127.0.0.1:10\n');
    for (const address of ['127.0.0.1:9', '127.0.0.1:10']) {
      await button(`Leave out ${address}`).focus();
      await page.keyboard.press('Enter');
    }
    await button('Start again').and(page.locator(':focus')).waitFor();
    await page.goto(`${product.url}/`);
    await page.getByLabel('Address').waitFor();
  });

  await t.test('what Picket makes of each line can be corrected', async (t) => {
    await paste(page, `${site.url}\nDiscard, 127.0.0.1:9\n127.0.0.1:99999\nspare.example\n127.0.0.1:9\n`);
    await see('4 addresses.');
    await button('Start again').click();
    const isListed = async () => /Discard, 127\.0\.0\.1:9\n/.test(await page.getByLabel('Address').inputValue());
    await comesTo(t, isListed, true, 'the list is still there');
    await button('Continue').click();
    await see('4 addresses. Correct what Picket got wrong, then watch them all.');
    await see('1 line has the address of an earlier line and will be left out: line 5 repeats line 2.');
    await see('Line 3: The port must be a number from 1 to 65535.');
    await comesTo(t, () => names.nth(1).inputValue(), 'Discard', 'a line can have a name');
    await examined('pasted-list');
    await names.nth(3).fill('Spare');
    await page
      .getByRole('navigation')
      .getByRole('link', { name: /^Incidents/ })
      .first()
      .click();
    await page.waitForURL(/\/incidents/);
    await page.goBack();
    await see('4 addresses. Correct what Picket got wrong, then watch them all.');
    await comesTo(t, () => names.nth(3).inputValue(), 'Spare', 'what was corrected is kept while another page is open');
    await button(/^Watch 4 addresses$/).click();
    await see(/^1 row needs a correction\. Nothing was created\./);
    const addresses = page.getByLabel('Address', { exact: true });
    // The focus is at the wrong row.
    await addresses.nth(2).and(page.locator(':focus')).waitFor();
    await names.nth(0).focus();
    await button('Go to line 3').click();
    await addresses.nth(2).and(page.locator(':focus')).waitFor();
    await addresses.nth(2).fill('127.0.0.1:10');
    await button('Leave out spare.example').focus();
    await page.keyboard.press('Enter');
    await button('Leave out 127.0.0.1:10').and(page.locator(':focus')).waitFor();
    await names.nth(0).fill('Shop');
    await names.nth(1).fill('Shop');
    await button('Watch 3 addresses').click();
    await see('A monitor has this name already. Choose another one.');
    t.same((await product.api('GET', '/v1/monitors')).body.data, [], 'nothing was created');
    await names.nth(1).fill('Discard');
    await button('Watch 3 addresses').click();
    await page.getByText('1 up, 2 failing.').waitFor({ timeout: deadlineMs(ANSWERED_MS_MAX) });
    await page.getByRole('link', { name: 'Open the incidents' }).waitFor({ timeout: deadlineMs(ANSWERED_MS_MAX) });
    await see('2 incidents have opened.');
    await see('Who is alerted?');
    await examined('pasted-list-answers');
  });

  await t.test('the test of a channel says what really happened', async (t) => {
    const chosen = () => page.getByLabel('Channel', { exact: true }).inputValue();
    await comesTo(t, chosen, 'webhook', 'e-mail is not proposed without a mail server');
    await page.getByLabel('Channel', { exact: true }).selectOption({ label: 'E-mail (no mail server)' });
    await see('This installation cannot send e-mail: it has no mail server.');
    const isFilled = async () => (await page.getByLabel('E-mail address').inputValue()).includes('@');
    await comesTo(t, isFilled, true, 'the own address is there');
    await page.getByLabel('Channel', { exact: true }).selectOption('webhook');
    await page.getByLabel('Channel', { exact: true }).selectOption('telegram');
    await page.getByLabel('Chat: its ID, or the @name of a public channel').fill('@nobody');
    await page.getByLabel('Bot token (from @BotFather)').fill('no token');
    await button('Add and send test').click();
    await page.getByLabel('Bot token (from @BotFather)').and(page.locator('[aria-invalid=true]')).waitFor();
    await page.getByLabel('Channel', { exact: true }).selectOption('ntfy');
    await comesTo(t, () => page.getByLabel('Server').inputValue(), 'https://ntfy.sh');
    await page.getByLabel('Server').fill(receiver.url);
    await page.getByLabel('Topic (choose one that is hard to guess)').fill('picket');
    await button('Add and send test').click();
    await see(/^ntfy accepted the test \(200\)/);
    t.match(await page.getByRole('link', { name: 'Open the channels' }).getAttribute('href'), /\/settings\/channels$/);
    await page.getByLabel('Channel', { exact: true }).selectOption('webhook');
    const field = page.getByLabel('URL that receives a POST request');
    await field.fill('nonsense');
    await button('Add and send test').click();
    await field.and(page.locator('[aria-invalid=true]')).waitFor();
    receiver.behave({ status: 404 });
    await field.fill(receiver.url);
    await button('Add and send test').click();
    await see(/^The test to Webhook failed: .*404/);
    await page.getByLabel('Signing secret, shown only now').waitFor();
    await examined('channel-failed');
    receiver.behave({ status: 200 });
    await button('Save and send test').click();
    await see(/^Webhook accepted the test \(200\)/);
    await examined('channel-sent');
    const { body } = await product.api('GET', '/v1/channels');
    t.equal(body.data.length, 1, 'the channel was corrected, not created again');
  });

  await t.test('a name that a monitor has already is not overwritten, and a long list can be taken back', async (t) => {
    await button('Watch something else').click();
    const lines = Array.from({ length: MANY }, (_, index) => `127.0.0.1:${1_000 + index}`);
    await page.getByLabel('Address').waitFor();
    await paste(page, [site.url, ...lines].join('\n'));
    await names.nth(0).fill('Shop');
    await button(`Watch ${MANY + 1} addresses`).click();
    await see('A monitor has this name already. Choose another one.');
    t.equal((await product.api('GET', '/v1/monitors')).body.data.length, 3);
    await names.nth(0).fill('Shop again');
    await button(`Watch ${MANY + 1} addresses`).click();
    await page.getByText(`1 up, ${MANY} failing.`).waitFor({ timeout: deadlineMs(ANSWERED_MS_MAX) });
    t.equal(await page.getByText('Who is alerted?').count(), 0, 'there is a channel');
    await button('Undo').click();
    await button('Delete').click();
    // Afterwards the field is there again.
    await page.getByLabel('Address').waitFor({ timeout: deadlineMs(ANSWERED_MS_MAX) });
    t.equal((await product.api('GET', '/v1/monitors')).body.data.length, 3);
  });

  await t.test('an address that does not answer leads to its incident', async () => {
    await page.getByLabel('Address').fill('127.0.0.1:11');
    await button('Continue').click();
    await button('Watch it').click();
    await page
      .getByRole('link', { name: 'Open the incident', exact: true })
      .click({ timeout: deadlineMs(ANSWERED_MS_MAX) });
    await see('Why did this alert?');
  });

  t.same(violations, [], 'no page breaks a rule of accessibility');
  t.same(complaints, [], 'the browser complained about nothing');
});
