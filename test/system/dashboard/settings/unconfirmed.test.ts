import t, { type Test } from 'tap';
import { comesTo } from '../../../helpers/dashboard/comes-to.js';
import { startWorkspaceInBrowser } from '../../../helpers/dashboard/workspace-in-browser.js';
import { startMailbox } from '../../../helpers/machine/mailbox.js';
import { linkIn, mailTo } from '../../../helpers/people/mail.js';

const FIRST = 'Confirm your e-mail address first. The note at the top of this page says how.';

/** An owner who has not confirmed the address. */
async function openUnconfirmed(t: Test, settings: Record<string, string>, language = 'en') {
  const world = await startWorkspaceInBrowser(settings);
  t.teardown(() => world.close());
  const { db } = world.mongo;
  const { email } = world.owner;
  await db.collection('users').updateOne({ email }, { $set: { email_confirmed_at_ms: null } });
  await db.collection('workspaces').updateOne({}, { $set: { confirmed_at_ms: null, created_by_address: email } });
  return { owner: world.owner, visit: await world.openAsOwner({ language }) };
}

t.test('somebody who has not confirmed the address sees what is not possible, and what to do', async (t) => {
  const mailbox = await startMailbox();
  t.teardown(() => mailbox.close());
  const { owner, visit } = await openUnconfirmed(t, { PICKET_SMTP_URL: mailbox.url });
  const { page, see, press, goto, examined, complaints } = visit;
  for (const [path, form, name] of [
    ['/settings/api-keys/new', 'Name', 'api-key-unconfirmed'],
    ['/settings/channels/new', 'Name', 'channel-unconfirmed'],
    ['/settings/team', 'E-mail address', 'invite-unconfirmed'],
  ] as const) {
    await goto(path);
    await see(`Confirm your e-mail address ${owner.email} with the link in the e-mail from Picket.`);
    await see(FIRST);
    t.equal(await page.getByLabel(form, { exact: true }).count(), 0, `${path} has no form to fill in for nothing`);
    t.same(await examined(name), []);
  }

  t.comment('the first minute does without a channel');
  await goto('/');
  await page.getByLabel('Address').fill('shop.example');
  await press('Continue');
  await press('Watch it');
  await see(FIRST);
  t.same(await examined('first-channel-unconfirmed'), []);

  await press('Send the e-mail again');
  await see('The e-mail is on its way.');
  const { url, token } = linkIn(await mailTo(mailbox, owner.email, /^Confirm/));
  await page.goto(`${url}#token=${token}`);
  await press('Confirm address');
  await see('Your e-mail address is confirmed.');
  await goto('/settings/api-keys/new');
  await page.getByLabel('Name', { exact: true }).waitFor();
  await comesTo(t, () => page.getByText(FIRST).count(), 0);
  t.same(complaints, []);
});

t.test('without a mail server, the note names the command that prints a link', async (t) => {
  const { visit } = await openUnconfirmed(t, {}, 'de');
  const { page, see, goto, examined, complaints } = visit;
  await goto('/settings/api-keys');
  await see(
    /ist nicht bestätigt\. Bis dahin können Sie keine API-Schlüssel, Passkeys, Einladungen und Kanäle anlegen\./,
  );
  await see(/Der Befehl „scripts\/picket confirm-email“ gibt einen aus\./);
  t.equal(await page.getByRole('button', { name: 'E-Mail noch einmal senden' }).count(), 0);
  t.same(await examined('unconfirmed-without-mail'), []);
  t.same(complaints, []);
});
