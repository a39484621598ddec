import t from 'tap';
import { startWorkspaceInBrowser } from '../../helpers/dashboard/workspace-in-browser.js';

const HOSTILE = `<img src=x onerror="alert('hostile')"> ${'W'.repeat(120)}`;
const PATH = '/v1/maintenance-windows';

const world = await startWorkspaceInBrowser();
t.teardown(() => world.close());
const violations: string[] = [];
const complaints: string[] = [];
const windows = async () => (await world.plane.api('GET', PATH)).body.data;

t.test('maintenance is planned with its occurrences spelled out, extended, ended and deleted', async (t) => {
  const monitor = await world.plane.api('POST', '/v1/monitors', {
    name: 'Shop',
    type: 'http',
    url: 'http://127.0.0.1:9',
  });
  t.equal(monitor.status, 201);
  const ann = await world.openAsOwner();
  const { page, see, press, goto } = ann;
  const examined = async (name: string) => violations.push(...(await ann.examined(name)));
  await goto('/maintenance');
  await see('No maintenance at present.');
  await examined('maintenance-empty');
  await page.getByRole('main').getByRole('link', { name: 'Plan maintenance' }).click();
  await page.getByLabel('Name').fill(HOSTILE);
  await page.getByLabel('Again and again').check();
  await page.getByLabel('Begins at (cron expression)').fill('0 25 * * *');
  await see(/must be a cron expression of five fields/i);
  await page.getByLabel('Begins at (cron expression)').fill('0 12 29 2 *');
  await page.getByLabel('Time zone', { exact: true }).fill('Etc/UTC');
  await see(/29 February 2028/);
  await press('Plan maintenance');
  await see(/must not be empty/i);
  await page.getByLabel('Shop').check();
  await examined('maintenance-new');
  await press('Plan maintenance');
  await see(/^From 29 Feb 2028/);
  t.match(await windows(), [
    {
      ...{ name: HOSTILE, state: 'scheduled', everything: false, monitor_ids: [monitor.body.data.id] },
      recurrence: { cron: '0 12 29 2 *', time_zone: 'Etc/UTC', duration_minutes: 120 },
    },
  ]);

  const active = await world.plane.api('POST', PATH, {
    ...{ name: 'Upgrade', everything: true, starts_at: new Date(Date.now() - 60_000).toISOString() },
    ends_at: new Date(Date.now() + 3_600_000).toISOString(),
  });
  t.equal(active.status, 201);
  await see('1 maintenance window is active now.');
  await examined('maintenance');
  await goto(`/monitors/${monitor.body.data.id}`);
  await see(/is under way until .* Incidents that open before then notify nobody\.$/);
  await page.getByRole('main').getByRole('link', { name: 'Upgrade' }).click();
  await press('Extend by 30 minutes');
  await see('Upgrade ends later.');
  const [extended] = await windows();
  t.equal(Date.parse(extended.ends_at), Date.parse(active.body.data.ends_at) + 30 * 60_000);
  await page.getByLabel('Name').fill('Upgrade of the database');
  await press('Save');
  await see(/is saved\./);
  await examined('maintenance-window');
  await press('End now');
  await see(/What still fails alerts from now on\./);
  t.match(await windows(), [{ name: 'Upgrade of the database', state: 'ended' }, {}]);
  await press('Delete');
  await press('Delete');
  await see('No maintenance at present.');
  t.equal((await windows()).length, 1);
  complaints.push(...ann.complaints);
});

t.test('a viewer sees it and can change nothing', async (t) => {
  const [window] = await windows();
  const vera = await world.openAs('viewer');
  await vera.goto(`/maintenance/${window.id}`);
  await vera.see('For 1 monitor.');
  t.equal(await vera.page.getByRole('main').getByRole('button').count(), 0);
  await vera.goto('/maintenance/new');
  await vera.see('Your role in this workspace does not include this.');
  complaints.push(...vera.complaints);
});

t.test('the pages are accessible and complain of nothing', async (t) => {
  t.same(violations, []);
  t.same(complaints, []);
});
