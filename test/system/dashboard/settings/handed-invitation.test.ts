import t from 'tap';
import { comesTo } from '../../../helpers/dashboard/comes-to.js';
import { startWorkspaceInBrowser } from '../../../helpers/dashboard/workspace-in-browser.js';

const GRACE = 'grace@example.com';

t.test('without a mail server, an invitation says that it was not sent, and shows its link once', async (t) => {
  const world = await startWorkspaceInBrowser();
  t.teardown(() => world.close());
  const { page, see, press, goto, examined, complaints } = await world.openAsOwner();
  await goto('/settings/team');
  await page.getByLabel('E-mail address').fill(GRACE);
  await press('Make an invitation link');
  await see('The invitation was not sent: this installation has no mail server.');
  const field = page.getByLabel(`Invitation link for ${GRACE}`);
  const link = await field.inputValue();
  t.match(link, /\/invitation#token=[A-Za-z0-9_-]{43}$/);
  await see(/not sent by e-mail, made by/);
  t.same(await examined('invitation-link'), []);
  await goto('/settings/team');
  await see(/not sent by e-mail, made by/);
  await comesTo(t, () => field.count(), 0, 'it is shown only once');
  await page.getByRole('button', { name: /^Make a new link/ }).click();
  await field.waitFor();
  const newLink = await field.inputValue();
  t.not(newLink, link);

  t.comment('no page promises an e-mail that nobody sends');
  await goto('/settings/account');
  await see('This installation sends no e-mail, so the address stays.');
  t.equal(await page.getByLabel('New address').count(), 0);
  t.same(await examined('account-without-mail'), []);
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await see(/Ask the person who runs it for a link: the command “scripts\/picket reset-password”/);
  t.equal(await page.getByRole('button', { name: 'Send link' }).count(), 0);
  t.same(await examined('forgot-password-without-mail'), []);

  t.comment('its page does not say whether the address has an account');
  await page.context().clearCookies();
  await page.goto(newLink);
  const password = page.getByLabel('Password of your account, or a new one');
  await password.fill('aaaaaaaaaaaaa');
  await press('Join workspace');
  await see(/Choose a stronger password/);
  await password.fill('four geese over a quiet harbour');
  t.same(await examined('handed-invitation'), []);
  await press('Join workspace');
  t.comment('the link proves no address, so the page says what that needs');
  await see(/What should we watch|Your role may not add monitors/);
  await see(/is not confirmed\. .* the command “scripts\/picket confirm-email” prints one\./);
  t.equal(await page.getByRole('button', { name: 'Send the e-mail again' }).count(), 0);
  t.same(complaints, []);
});
