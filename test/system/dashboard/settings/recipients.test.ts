import t from 'tap';
import { startWorkspaceInBrowser } from '../../../helpers/dashboard/workspace-in-browser.js';
import { buildWorkspace } from '../../../helpers/factories.js';
import { startMailbox } from '../../../helpers/machine/mailbox.js';
import { mailTo } from '../../../helpers/people/mail.js';
import { confirmLinkOf } from '../../../helpers/recipients/app.js';
import { waitFor } from '../../../helpers/wait.js';

const STRANGER = 'stranger@example.com';

const mailbox = await startMailbox();
const world = await startWorkspaceInBrowser({ PICKET_SMTP_URL: mailbox.url });
t.teardown(async () => {
  await world.close();
  await mailbox.close();
});

t.test('the page of a channel shows who has not confirmed, and asks again', async (t) => {
  const { id } = await buildWorkspace(world.mongo);
  const owner = await world.openAs('owner', id);
  const guest = await world.openAs('viewer');
  await guest.page.context().clearCookies();
  const { page, see, press, goto } = owner;
  await goto('/settings/channels/new');
  await page.getByLabel('Name').fill('Customers');
  await page.getByLabel('E-mail addresses').fill(STRANGER);
  await press('Add channel');
  await see('The channel is saved and on.');
  await mailTo(mailbox, STRANGER, /Do you want the alerts/);

  await page.getByRole('link', { name: 'All channels' }).click();
  await page.getByRole('link', { name: 'Customers' }).click();
  const addresses = page.getByRole('list', { name: 'Not confirmed' });
  await addresses.getByText(STRANGER).first().waitFor();
  t.same(await owner.examined('channel-unconfirmed-recipients'), []);
  await page.getByRole('button', { name: /^Send test/ }).click();
  await see(`Nobody got the test: not confirmed by ${STRANGER}.`);
  await page.getByRole('button', { name: /^Ask again/ }).click();
  await see('The e-mail is on its way.');
  const both = await waitFor('the second e-mail', 60_000, () => {
    const found = mailbox.mails.filter(({ to }) => to.includes(STRANGER));
    return found.length === 2 && found;
  });

  const { pathname, search } = new URL(confirmLinkOf(both.at(-1)));
  await guest.goto(`${pathname}${search}`);
  await guest.see('Do you want these alerts?');
  t.same(await guest.examined('recipient-question'), []);
  await guest.press('Get the alerts');
  await guest.see('You get the alerts');
  t.same(await guest.examined('recipient-confirmed'), []);

  await page.reload();
  await see('E-mail. It is on.');
  await addresses.waitFor({ state: 'detached' });
  t.same([...owner.complaints, ...guest.complaints], []);
});
