import t from 'tap';
import { logIn } from '../../helpers/dashboard/log-in.js';
import { overflowsPhone, visitor } from '../../helpers/dashboard/visitor.js';
import { startChromium } from '../../helpers/machine/chromium.js';
import { nginxSite } from '../../helpers/machine/nginx.js';
import { startReceiver } from '../../helpers/machine/webhook-receiver.js';
import { startProduct } from '../../helpers/processes/product.js';

// Browsers are slow on a busy machine.
t.setTimeout(300_000);

const MANY = 60;
const ANSWERED_MS_MAX = 60_000;

t.test('a pasted list becomes monitors, and the next step is a channel that works', async (t) => {
  const site = await nginxSite('<h1>Shop</h1>');
  await site.start();
  const product = await startProduct({ PICKET_LOCATIONS: 'fra' });
  const receiver = await startReceiver();
  const browser = await startChromium();
  t.teardown(async () => {
    await browser.close();
    await receiver.close();
    await product.remove();
    await site.remove();
  });
  const { page, complaints, examine } = await visitor(browser);
  const violations: string[] = [];
  const examined = async (name: string) => {
    violations.push(...(await examine(name)));
    t.notOk(await overflowsPhone(page), `${name} fits a phone`);
  };
  const see = (text: string | RegExp) => page.getByText(text).first().waitFor();
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
  const names = page.getByLabel('Name', { exact: true });
  await logIn(page, product, '/');
  await page.getByLabel('Address').waitFor();

  await t.test('what Picket makes of each line can be corrected', async (t) => {
    await page.evaluate(paste, `${site.url}\n127.0.0.1:9\n127.0.0.1:99999\nspare.example\n`);
    await see('4 addresses. Correct what Picket got wrong, then watch them all.');
    await see('The port must be a number from 1 to 65535.');
    await examined('pasted-list');
    await button(/^Watch 4 addresses$/).click();
    await see('1 row needs a correction. Nothing was created.');
    const addresses = page.getByLabel('Address', { exact: true });
    await addresses.nth(2).fill('127.0.0.1:10');
    await button('Leave out spare.example').click();
    await names.nth(0).fill('Shop');
    await names.nth(1).fill('Shop');
    await button('Watch 3 addresses').click();
    await see('A monitor has this name already. Choose another one.');
    t.same((await product.api('GET', '/v1/monitors')).body.data, [], 'nothing was created');
    await names.nth(1).fill('Discard');
    await button('Watch 3 addresses').click();
    await page.getByText('1 up, 2 failing.').waitFor({ timeout: ANSWERED_MS_MAX });
    await see('Who is alerted?');
    await examined('pasted-list-answers');
  });

  await t.test('the test of a channel says what really happened', async (t) => {
    t.match(await page.getByLabel('E-mail address').inputValue(), /@/, 'the own address is there');
    await page.getByLabel('Channel').selectOption('webhook');
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

  await t.test(
    'a name that a monitor has already is not overwritten, and a long list is created in parts',
    async (t) => {
      await button('Watch something else').click();
      const lines = Array.from({ length: MANY }, (_, index) => `127.0.0.1:${1_000 + index}`);
      await page.getByLabel('Address').waitFor();
      await page.evaluate(paste, [site.url, ...lines].join('\n'));
      await names.nth(0).fill('Shop');
      await button(`Watch ${MANY + 1} addresses`).click();
      await see('A monitor has this name already. Choose another one.');
      t.equal((await product.api('GET', '/v1/monitors')).body.data.length, 3);
      await names.nth(0).fill('Shop again');
      await button(`Watch ${MANY + 1} addresses`).click();
      await page.getByText(`1 up, ${MANY} failing.`).waitFor({ timeout: ANSWERED_MS_MAX });
      t.equal(await page.getByText('Who is alerted?').count(), 0, 'there is a channel');
    },
  );

  t.same(violations, [], 'no page breaks a rule of accessibility');
  t.same(complaints, [], 'the browser complained about nothing');
});

/** Pastes a text into the field that has the focus, as a person does. */
function paste(text: string): void {
  // biome-ignore lint/suspicious/noExplicitAny: it runs in the page.
  const { ClipboardEvent, DataTransfer, document } = globalThis as any;
  const clipboardData = new DataTransfer();
  clipboardData.setData('text', text);
  document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
}
