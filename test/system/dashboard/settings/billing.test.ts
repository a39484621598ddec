import t from 'tap';
import { startWorkspaceInBrowser } from '../../../helpers/dashboard/workspace-in-browser.js';
import { storeWorkspace } from '../../../helpers/team/people.js';

const MONITORS = 25;

const world = await startWorkspaceInBrowser();
t.teardown(() => world.close());
const violations: string[] = [];
const complaints: string[] = [];

t.test('the use of the plan, and a smaller plan that says what is over its limits', async (t) => {
  const monitors = Array.from({ length: MONITORS }, (_, index) => ({
    ...{ name: `Shop ${index + 1}`, type: 'tcp', url: `127.0.0.1:${9_000 + index}` },
  }));
  t.equal((await world.plane.api('POST', '/v1/monitors/import', { version: 1, monitors })).status, 200);
  const ann = await world.openAsOwner({ confirmedAtMs: 1 });
  const { page, see, press, goto } = ann;
  await goto('/billing');
  await page.waitForURL(/\/settings\/billing$/);
  await see(/^The Enterprise plan\. Nothing is at its limit\./);
  await see(`${MONITORS} of 50,000`);
  violations.push(...(await ann.examined('billing')));
  await press('Change to Free');
  await page.getByRole('dialog').getByLabel('Password').fill(world.owner.password);
  await press('Confirm');
  await see('More than the Free plan allows');
  await see(`Monitors: ${MONITORS - 20} more than the 20 of the plan`);
  violations.push(...(await ann.examined('billing-over-quota')));
  await press('Keep the plan');
  t.equal((await world.plane.api('GET', '/v1/billing')).body.data.plan, 'Enterprise', 'nothing is changed');
  await press('Change to Free');
  await press('Change anyway');
  await see('The plan is Free.');
  await see(/^The Free plan\. At the limit: monitors/);
  t.equal((await world.plane.api('GET', '/v1/billing')).body.data.plan, 'Free');
  complaints.push(...ann.complaints);
});

t.test('an owner who is no operator learns who sets the plans, and a member who changes them', async (t) => {
  const own = await storeWorkspace(world.mongo, { name: 'Side project', plan: 'Pro' });
  const ann = await world.openAs('owner', own);
  await ann.goto('/settings/billing');
  await ann.see('The operators of this installation set the plans. Ask them for another plan.');
  await ann.goto('/settings/single-sign-on');
  await ann.see('Single sign-on needs the Enterprise plan.');
  await ann.page.getByRole('link', { name: 'Compare plans' }).waitFor();
  t.equal(await ann.page.getByLabel('Client ID').count(), 0, 'no form that cannot be saved');
  violations.push(...(await ann.examined('single-sign-on-other-plan')));
  const bob = await world.openAs('member', own);
  await bob.goto('/settings/billing');
  await bob.see('Only owners of the workspace change the plan.');
  for (const { page } of [ann, bob]) t.equal(await page.getByRole('button', { name: /^(Change|Buy)/ }).count(), 0);
  complaints.push(...ann.complaints, ...bob.complaints);
});

t.test('no page breaks a rule', async (t) => {
  t.same(violations, []);
  t.same(complaints, []);
});
