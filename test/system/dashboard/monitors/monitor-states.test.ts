import t from 'tap';
import type { MonitorDocument } from '../../../../control-plane/monitors/documents.js';
import { comesTo } from '../../../helpers/dashboard/comes-to.js';
import { type SignedIn, startWorkspaceInBrowser } from '../../../helpers/dashboard/workspace-in-browser.js';
import { waitFor } from '../../../helpers/wait.js';

t.test('the overview counts monitors by their state, and each count leads to them', async (t) => {
  const scene = await startWorkspaceInBrowser();
  t.teardown(() => scene.close());
  const { plane, mongo } = scene;
  for (const name of ['Fine', 'Flaky', 'New', 'Newer']) {
    // Nothing is checked: this control plane has no probe.
    const { status } = await plane.api('POST', '/v1/monitors', { name, type: 'http', url: 'http://shop.example' });
    t.equal(status, 201);
  }
  const nowMs = Date.now();
  const monitors = mongo.db.collection<MonitorDocument>('monitors');
  const window = { uptime: 100, coverage: 80 };
  const uptime = { computed_at_ms: nowMs, day: window, week: window, month: window };
  await monitors.updateMany({ name: { $in: ['Fine', 'Flaky'] } }, { $set: { last_checked_at_ms: nowMs, uptime } });
  const failing = { from_version: 1, since_ms: nowMs, confirmed_result_id: null };
  await monitors.updateOne({ name: 'Flaky' }, { $set: { 'state.failing.fra': failing } });
  const violations: string[] = [];
  const shows = ({ page }: SignedIn, names: string) =>
    waitFor(names, 30_000, async () => (await page.locator('.monitor-row .strong').allTextContents()).join() === names);

  await t.test('from the overview, and by the filter with the keyboard alone', async (t) => {
    const owner = await scene.openAsOwner();
    const { page, goto, see } = owner;
    await goto('/');
    await page.getByRole('link', { name: '1 degraded' }).click();
    await page.waitForURL(/\/monitors\?status=degraded/);
    await shows(owner, 'Flaky');
    await see('2 monitors up, 1 of them fails from some locations, 2 waiting for the first result');
    const status = () => page.locator('.monitor-row .status').textContent();
    await comesTo(t, status, 'degraded', 'in words, not only in colour');
    violations.push(...(await owner.examined('monitors-degraded')));
    await page.reload();
    await shows(owner, 'Flaky');
    await page.getByLabel('Status', { exact: true }).focus();
    await page.keyboard.press('n');
    await page.waitForURL(/status=unknown/);
    await shows(owner, 'New,Newer');
    await goto('/');
    await page.getByRole('link', { name: '2 not checked yet' }).click();
    await shows(owner, 'New,Newer');
    await goto('/');
    await page.getByRole('link', { name: '1 up' }).click();
    await shows(owner, 'Fine');
    t.same(owner.complaints, []);
    await owner.close();
  });

  await t.test('a bulk change of all that are shown changes no other', async (t) => {
    const owner = await scene.openAsOwner();
    await owner.goto('/monitors?status=up');
    await shows(owner, 'Fine');
    await owner.press('Select the monitor that matches');
    await owner.press('Pause…');
    await owner.press('Pause 1 monitor');
    const found = () => monitors.find({ paused_at_ms: { $ne: null } }).toArray();
    await waitFor('it is paused', 30_000, async () => (await found()).length > 0);
    await owner.see(/paused\.$/);
    const paused = await found();
    t.same(
      paused.map(({ name }) => name),
      ['Fine'],
      'the API also calls degraded and unchecked monitors up',
    );
    await owner.close();
  });

  await t.test('in German', async (t) => {
    const owner = await scene.openAsOwner({ language: 'de' });
    await owner.goto('/monitors?status=unknown');
    await shows(owner, 'New,Newer');
    const choices = await owner.page.getByLabel('Status', { exact: true }).locator('option').allTextContents();
    t.same(choices.slice(1), ['Verfügbar', 'Beeinträchtigt', 'Ausgefallen', 'Pausiert', 'Noch nicht geprüft']);
    await owner.close();
  });

  t.same(violations, [], 'no state breaks a rule of accessibility or is too wide for a phone');
});
