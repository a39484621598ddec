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

t.test('maintenance by a calendar rule that does not count in uptime, and what the monitor says of it', async (t) => {
  const ann = await world.openAsOwner();
  const { page, see, press, goto } = ann;
  await goto('/maintenance/new');
  await page.getByLabel('Name').fill('Patch day');
  await page.getByLabel('By a calendar rule (RRULE)').check();
  await page.getByLabel('Start').fill('2031-02-01T02:00');
  await page.getByLabel('Calendar rule (RRULE)', { exact: true }).fill('FREQ=HOURLY');
  await see(/must have FREQ with one of DAILY/i);
  await page.getByLabel('Calendar rule (RRULE)', { exact: true }).fill('FREQ=MONTHLY;BYDAY=2SU');
  await page.getByLabel('Time zone', { exact: true }).fill('Etc/UTC');
  await see(/9 February 2031/);
  await page.getByLabel('Counts in uptime').uncheck();
  await page.getByLabel('Everything, including').check();
  violations.push(...(await ann.examined('maintenance-rule')));
  await press('Plan maintenance');
  await see(/^From 9 Feb 2031/);
  const [planned] = await windows();
  t.match(planned, {
    name: 'Patch day',
    counts_in_uptime: false,
    everything: true,
    recurrence: { cron: null, rrule: 'FREQ=MONTHLY;BYDAY=2SU', time_zone: 'Etc/UTC', duration_minutes: 120 },
  });
  await goto(`/maintenance/${planned.id}`);
  t.equal(await page.getByLabel('Counts in uptime').isChecked(), false);
  t.equal(await page.getByLabel('Calendar rule (RRULE)', { exact: true }).inputValue(), 'FREQ=MONTHLY;BYDAY=2SU');
  await page.getByLabel('Name').fill('Patch night');
  await press('Save');
  await see(/is saved\./);

  const [monitor] = (await world.plane.api('GET', '/v1/monitors')).body.data;
  const DAY_MS = 86_400_000;
  const time = { uptime: 99.95, coverage: 100, left_out_ms: 2.5 * 3_600_000 };
  const sums = { observed_ms: DAY_MS, up_ms: DAY_MS, left_out_ms: time.left_out_ms };
  const window = { ...time, sums: { ...sums, leaving: { observed: 0, up: 0, left_out: 0 } } };
  const uptime = { computed_at_ms: Date.now() + 60_000, day: window, week: window, month: window };
  await world.mongo.db.collection<{ _id: string }>('monitors').updateOne({ _id: monitor.id }, { $set: { uptime } });
  await goto(`/monitors/${monitor.id}`);
  await see('2 h 30 min of planned maintenance left out');
  violations.push(...(await ann.examined('maintenance-left-out')));
  t.equal((await world.plane.api('DELETE', `${PATH}/${planned.id}`)).status, 204);
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
