import t from 'tap';
import { comesTo } from '../../../helpers/dashboard/comes-to.js';
import { startWorkspaceInBrowser } from '../../../helpers/dashboard/workspace-in-browser.js';

const HOSTILE = `<img src=x onerror="alert('hostile')"> ${'W'.repeat(120)} שרת`;

const world = await startWorkspaceInBrowser();
t.teardown(() => world.close());

t.test('the way back to something of another workspace opens it there', async (t) => {
  const { body } = await world.plane.api('POST', '/v1/monitors', { name: 'Shop', type: 'tcp', url: '127.0.0.1:9' });
  await world.mongo.db
    .collection<{ _id: string }>('workspaces')
    .updateOne({ _id: world.workspaceId }, { $set: { name: HOSTILE } });
  const { page, see, press, goto, examined, complaints } = await world.openAsOwner();
  const shop = page.getByRole('heading', { name: 'Shop', level: 1 });
  await goto(`/monitors/${body.data.id}`);
  await shop.waitFor();
  await page.getByRole('button', { name: /^Account/ }).click();
  await page.getByRole('button', { name: 'Create workspace' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Night team');
  await press('Create');
  await page.getByRole('button', { name: /^Account.*Night team/ }).waitFor();
  await page.goBack();
  await see('This monitor does not exist.');
  const others = page.getByRole('group', { name: 'Is it in another of your workspaces? Open that one:' });
  // The page reads the other workspaces once it knows that this one does not have the monitor.
  await comesTo(t, () => others.getByRole('button').allInnerTexts(), [HOSTILE]);
  t.same(await examined('gone-elsewhere'), []);
  await others.getByRole('button').click();
  await shop.waitFor();
  t.equal(page.url(), `${world.plane.url}/monitors/${body.data.id}`);
  t.same(complaints, []);
});

t.test('who has one workspace is asked nothing', async (t) => {
  const { page, see, goto } = await world.openAs('viewer');
  const asked = page.waitForResponse((response) => response.url().includes('/v1/auth/workspaces'));
  await goto(`/monitors/mon_${'0'.repeat(26)}`);
  await see('This monitor does not exist.');
  await asked;
  t.equal(await page.getByText('Is it in another of your workspaces?').count(), 0);
});
