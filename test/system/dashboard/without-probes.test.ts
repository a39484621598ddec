import t from 'tap';
import { comesTo } from '../../helpers/dashboard/comes-to.js';
import { logIn } from '../../helpers/dashboard/log-in.js';
import { paste } from '../../helpers/dashboard/paste.js';
import { startProductInBrowser } from '../../helpers/dashboard/product-in-browser.js';
import { startWorkspaceInBrowser } from '../../helpers/dashboard/workspace-in-browser.js';
import { deadlineMs } from '../../helpers/deadline.js';

const ANSWERED_MS_MAX = 60_000;

t.test('the first minute without a probe says what to do, and goes on with the first probe', async (t) => {
  const scene = await startProductInBrowser(t, { PICKET_LOCATIONS: '' });
  const { site, product, page, complaints, examined, violations } = scene;
  await logIn(page, product, '/');
  await page.getByLabel('Address').fill(site.url);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByLabel('Name').fill('Shop');
  await page.getByRole('button', { name: 'Watch it' }).click();
  await page.getByText('No probe is connected, so nothing checks Shop yet.').waitFor();
  await page.getByText(/^Frankfurt, New York, .* have no connected probe and do not answer\. Start a probe/).waitFor();
  t.equal(await page.getByRole('link', { name: 'Open the probes' }).getAttribute('href'), '/settings/probes');
  await examined('no-probe');

  await product.stop();
  await product.restart({ PICKET_LOCATIONS: 'fra' });
  await page.getByText('Shop is up from 1 of 5 locations.').waitFor({ timeout: deadlineMs(ANSWERED_MS_MAX) });
  const note = page.getByText(
    / have no connected probe and do not answer\. Two locations must agree before an incident opens/,
  );
  const named = async () => /Frankfurt|New York/.exec((await note.textContent()) ?? '')?.[0];
  await comesTo(t, named, 'New York', 'only locations without a probe are named');
  await examined('one-probe');

  await site.stop();
  await page
    .getByText('Shop does not answer as expected from 1 of 5 locations.')
    .waitFor({ timeout: deadlineMs(ANSWERED_MS_MAX) });
  t.same(violations, []);
  t.same(
    complaints.filter((text) => !/ERR_CONNECTION_REFUSED|EventSource/.test(text)),
    [],
  );
});

t.test('who does not run the installation is told whom to ask', async (t) => {
  const world = await startWorkspaceInBrowser();
  t.teardown(() => world.close());
  const { page, goto, see, examined, close } = await world.openAs('member');
  await goto('/');
  await page.getByLabel('Address').fill('shop.example');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: 'Watch it' }).click();
  await see('No probe is connected, so nothing checks shop.example yet.');
  await see(/Ask the operator of this installation to start a probe\./);
  t.equal(await page.getByRole('link', { name: 'Open the probes' }).count(), 0, 'their pages are for operators');

  await page.getByRole('button', { name: 'Watch something else' }).click();
  await page.getByLabel('Address').waitFor();
  await paste(page, 'one.example\ntwo.example\n');
  await page.getByRole('button', { name: 'Watch 2 addresses' }).click();
  await see('No probe is connected, so nothing is checked yet.');
  await comesTo(t, () => page.getByText('no probe', { exact: true }).count(), 2, 'each row says so');
  t.same(await examined('many-without-probe'), []);
  await close();
});
