import t from 'tap';
import type { Schedule } from '../../../control-plane/client-reports/schedules/schema.js';
import { comesTo } from '../../helpers/dashboard/comes-to.js';
import { buildPast } from '../../helpers/dashboard/monitor-history.js';
import { startWorkspaceInBrowser } from '../../helpers/dashboard/workspace-in-browser.js';
import { buildKey, buildWorkspace } from '../../helpers/factories.js';
import { startMailbox } from '../../helpers/machine/mailbox.js';
import { waitFor } from '../../helpers/wait.js';

const HOSTILE = `<img src=x onerror="alert('hostile')"> ${'W'.repeat(120)}`;
const PATH = '/api/v1/client-reports/schedules';
const CLIENT = 'client@example.com';
const MADE_MS_MAX = 120_000;
const MINUTE_MS = 60_000;

const mailbox = await startMailbox();
const world = await startWorkspaceInBrowser({ PICKET_SMTP_URL: mailbox.url });
t.teardown(async () => {
  await world.close();
  await mailbox.close();
});
const violations: string[] = [];
const complaints: string[] = [];
// The workspace that runs the installation would ask nobody.
const workspace = await buildWorkspace(world.mongo);
const { key } = await buildKey(world.mongo, workspace);
const api = (method: string, path: string, body?: unknown) =>
  world.plane.api(method, path, body, { authorization: `Bearer ${key}` });
const stored = async (): Promise<Schedule[]> => (await api('GET', PATH)).body.data;
/** The only schedule there is. */
const only = async (): Promise<Schedule> => {
  const [schedule] = await stored();
  if (schedule === undefined) throw new Error('there is no schedule');
  return schedule;
};
/** Lets the only schedule be due each day at the time of so many minutes ago, since then. */
async function makeDue(minutesAgo: number): Promise<void> {
  const at = new Date(Math.floor(Date.now() / MINUTE_MS - minutesAgo) * MINUTE_MS);
  const times = { cron: `${at.getUTCMinutes()} ${at.getUTCHours()} * * *`, next_at_ms: at.getTime() };
  await world.mongo.db.collection('client_report_schedules').updateOne({}, { $set: times });
}
const ann = await world.openAs('owner', workspace.id);
const { page, see, press, goto } = ann;
const examined = async (name: string) => violations.push(...(await ann.examined(name)));

t.test('a schedule is created with its days explained, from the page of the reports', async (t) => {
  await goto('/reports');
  await page.getByRole('main').getByRole('link', { name: 'Schedules' }).click();
  await see('There is no report schedule yet.');
  await examined('report-schedules-empty');
  await page.getByRole('main').getByRole('link', { name: 'Create schedule' }).click();
  await see(/^\d+ \w+ \d{4}/);
  await examined('report-schedule-new');

  await page.getByLabel('Day of the month').selectOption('31');
  await see(/^February, April, June, September and November have no 31st/);
  await page.getByLabel('Day of the month').selectOption('last day');
  await page.getByText('have no 31st').waitFor({ state: 'detached' });
  await page.getByLabel('Every week').check();
  await page.getByLabel('Day of the week').selectOption('Monday');
  await comesTo(t, () => page.getByLabel('Each report is about').inputValue(), 'previous_week');
  await page.getByLabel('By a cron expression').check();
  await comesTo(t, () => page.getByRole('textbox', { name: 'Cron expression' }).inputValue(), '0 8 * * MON');
  await page.getByRole('textbox', { name: 'Cron expression' }).fill('0 * * * *');
  await see(/must name one time a day at most/i);
  await page.getByRole('textbox', { name: 'Cron expression' }).fill('0 8 30,31 * *');
  await see(/^Some months do not have each of these days/);

  await page.getByLabel('Every month').check();
  await page.getByLabel('Day of the month').selectOption('31');
  await page.getByLabel('Time', { exact: true }).fill('06:30');
  await page.getByLabel('Time zone', { exact: true }).fill('Etc/UTC');
  await page.getByLabel('Only monitors with these tags').check();
  await press('Create schedule');
  await comesTo(t, () => page.getByRole('textbox', { name: 'Tags' }).getAttribute('aria-invalid'), 'true');
  await page.getByLabel('All monitors').check();
  await page.getByLabel('Recipients').fill(`${ann.email}\nno address`);
  await press('Create schedule');
  await comesTo(t, () => page.getByLabel('Name', { exact: true }).getAttribute('aria-invalid'), 'true');
  await see(/^Address 2: /);
  await examined('report-schedule-refused');
  t.same(await stored(), []);
  await page.getByLabel('Recipients').fill(`${ann.email}\n${CLIENT}`);
  await page.getByLabel('Name', { exact: true }).fill(HOSTILE);
  await page.getByLabel('Client', { exact: true }).fill('Example Ltd');
  await page.getByLabel('Each report is about').selectOption('last_30_days');
  await press('Create schedule');
  await see(/^The next report is made/);
  t.match(await only(), {
    ...{ name: HOSTILE, cron: '30 6 31 * *', time_zone: 'UTC', period: 'last_30_days', monitors: null },
    ...{ recipients: [ann.email, CLIENT], unconfirmed: [CLIENT], client_name: 'Example Ltd' },
    sections: { wordpress: 'if_data', email_deliverability: 'if_data', executive_summary: 'if_data' },
    last_run: null,
  });
  await see('On day 31 of each month at 06:30');
  await see(/^February, April, June, September and November have no 31st/);
  await see('These addresses get no report before somebody confirms');
  await see('No report was made yet.');
  await examined('report-schedule-created');
});

t.test('its page says what was sent to whom, and why nothing was sent', async () => {
  await makeDue(2);
  await waitFor('the first run', MADE_MS_MAX, async () => (await only()).last_run?.status === 'skipped');
  await page.reload();
  await see('nothing sent');
  await see(/no data/);
  const monitor = await api('POST', '/v1/monitors', {
    ...{ name: 'Shop', type: 'http', url: 'http://127.0.0.1:9', locations: ['fra'] },
  });
  const { id: monitorId } = monitor.body.data;
  await world.mongo.db
    .collection('monitors')
    .updateOne({ _id: monitorId }, { $set: { created_at_ms: Date.now() - 20 * 24 * 60 * MINUTE_MS } });
  await buildPast(world.mongo, {
    ...{ workspaceId: workspace.id, monitorId, locations: ['fra'], intervalMs: 5 * MINUTE_MS },
    ...{ rawDays: 1, days: 10, unobservedDaysAgo: 7, outages: [] },
  });
  await makeDue(1);
  await waitFor('the delivery', MADE_MS_MAX, async () =>
    (await only()).last_run?.recipients.some(({ status }) => status === 'sent'),
  );
  await page.reload();
  await see('sent to 1 recipient, 1 not confirmed');
  await see('not sent: not confirmed');
  await examined('report-schedule');
  await page.getByRole('main').getByRole('button', { name: 'Pause' }).waitFor();
  await api('PATCH', `${PATH}/${(await only()).id}`, { cron: '30 6 31 * *' });
  await goto('/reports/schedules');
  await see('1 report schedule.');
  await see('sent to 1 recipient, 1 not confirmed');
  await examined('report-schedules');
});

t.test('it is paused, resumed, edited and deleted', async (t) => {
  await page
    .getByRole('main')
    .getByRole('link', { name: /img src/ })
    .click();
  await press('Pause');
  await see('Paused: no report is made.');
  t.equal((await only()).enabled, false);
  await press('Resume');
  await see(/^The next report is made/);
  await page.getByLabel('Name', { exact: true }).fill('Weekly');
  await page.getByLabel('Every week').check();
  await page.getByLabel('Day of the week').selectOption('Friday');
  await page.getByLabel('WordPress sites').uncheck();
  await press('Save');
  await see('Weekly is saved.');
  await see('Every Friday at 06:30');
  t.match(await only(), {
    ...{ name: 'Weekly', cron: '30 6 * * FRI', period: 'last_30_days', recipients: [ann.email, CLIENT] },
    sections: { wordpress: false, alerts: 'if_data' },
  });
  const viewer = await world.openAs('viewer', workspace.id);
  await viewer.goto(`/reports/schedules/${(await only()).id}`);
  await viewer.see('Every Friday at 06:30');
  for (const name of ['Pause', 'Delete', 'Save']) {
    t.equal(await viewer.page.getByRole('main').getByRole('button', { name }).count(), 0, name);
  }
  complaints.push(...viewer.complaints);
  await press('Delete');
  await see('Its history is deleted');
  await press('Delete');
  await see('There is no report schedule yet.');
  t.same(await stored(), []);
  t.equal((await api('GET', '/api/v1/client-reports')).body.data.length, 1, 'its report stays');
});

t.test('no page breaks a rule of accessibility, and the browser complained about nothing', (t) => {
  t.same(violations, []);
  t.same([...complaints, ...ann.complaints], []);
  t.end();
});
