import t, { type Test } from 'tap';
import { startWorkspaceInBrowser } from '../../../helpers/dashboard/workspace-in-browser.js';
import { startMailbox } from '../../../helpers/machine/mailbox.js';

/** Somebody who has not confirmed the address sends the test of the first channel. */
async function sendTest(t: Test, settings: Record<string, string>) {
  const world = await startWorkspaceInBrowser(settings);
  t.teardown(() => world.close());
  const { db } = world.mongo;
  const { email } = world.owner;
  await db.collection('users').updateOne({ email }, { $set: { email_confirmed_at_ms: null } });
  await db.collection('workspaces').updateOne({}, { $set: { confirmed_at_ms: null, created_by_address: email } });
  const owner = await world.openAsOwner();
  await owner.goto('/');
  await owner.page.getByLabel('Address').fill('shop.example');
  await owner.press('Continue');
  await owner.press('Watch it');
  await owner.page.getByLabel('Channel').selectOption('webhook');
  await owner.page.getByLabel('URL that receives a POST request').fill('http://127.0.0.1:8080/');
  await owner.press('Add and send test');
  await owner.see(`The test to Webhook was not sent, because your address ${email} is not confirmed yet.`);
  return owner;
}

t.test('somebody who has not confirmed the address is told so, and gets the e-mail again', async (t) => {
  const mailbox = await startMailbox();
  t.teardown(() => mailbox.close());
  const { page, see, examined, complaints } = await sendTest(t, { PICKET_SMTP_URL: mailbox.url });
  await see('No e-mail? Press “Send the e-mail again” at the top of this page.');
  await page.getByRole('button', { name: 'Send the e-mail again' }).waitFor();
  t.same(await examined('channel-unconfirmed'), []);
  t.same(complaints, []);
});

t.test('without a mail server, it refers to the note that says what to do', async (t) => {
  const { page, see, complaints } = await sendTest(t, {});
  await see('The note at the top of this page says what to do.');
  t.equal(await page.getByRole('button', { name: 'Send the e-mail again' }).count(), 0);
  t.same(complaints, []);
});
