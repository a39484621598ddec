import t from 'tap';
import { startWorkspaceInBrowser } from '../../helpers/dashboard/workspace-in-browser.js';

const HOSTILE = `<img src=x onerror="alert('hostile')"> ${'W'.repeat(120)}`;
const PATH = '/v1/backup-jobs';

const world = await startWorkspaceInBrowser();
t.teardown(() => world.close());
const violations: string[] = [];
const complaints: string[] = [];
const jobs = async () => (await world.plane.api('GET', PATH)).body.data;
const ping = async (url: string, body = '') => t.equal((await fetch(url, { method: 'POST', body })).status, 200, url);

t.test('a job is added with its next runs spelled out, and its commands report runs', async (t) => {
  const ann = await world.openAsOwner();
  const { page, see, press, goto } = ann;
  const examined = async (name: string) => violations.push(...(await ann.examined(name)));
  await goto('/backup-jobs');
  await see('There is no backup job yet.');
  await examined('backup-jobs-empty');
  await page.getByRole('main').getByRole('link', { name: 'Add backup job' }).click();
  await press('Add backup job');
  await page.locator('input[aria-invalid="true"]').first().waitFor();
  await page.getByLabel('Name').fill(HOSTILE);
  const cron = page.getByLabel('Begins at (cron expression)');
  await cron.fill('0 25 * * *');
  await see(/must be a cron expression of five fields/i);
  await cron.fill('0 12 29 2 *');
  await page.getByLabel('Time zone', { exact: true }).fill('UTC');
  await see(/29 February 2028/);
  await page.getByLabel('Smallest size in MB').fill('1.5');
  await page.getByLabel('Largest decrease in percent').fill('120');
  await press('Add backup job');
  await page.locator('input[aria-invalid="true"]').first().waitFor();
  await page.getByLabel('Largest decrease in percent').fill('50');
  await page.getByLabel('Expect a SHA-256').check();
  await page.getByLabel('Tags').fill('shop, "a, b"');
  await examined('backup-job-new');
  await press('Add backup job');
  await see('No ping has come yet.');
  await see(/Picket does not show it again/);
  await examined('backup-job-url');
  const [job] = await jobs();
  t.match(job, {
    ...{ name: HOSTILE, schedule: { cron: '0 12 29 2 *', time_zone: 'UTC' }, grace_seconds: 3_600 },
    ...{ min_size_bytes: 1_500_000, max_shrink_percent: 50, expect_sha256: true, tags: ['shop', 'a, b'] },
  });

  const url = await page.getByLabel('URL', { exact: true }).inputValue();
  t.ok(url.endsWith(job.ping_url_end), 'the URL of this job');
  const command = (label: string) => page.getByLabel(label).inputValue();
  const curl = 'curl -fsS -m 10 --retry 6 --retry-connrefused';
  t.equal(await command('When it begins (optional)'), `${curl} ${url}/start`);
  t.equal(await command('When it has ended well'), `${curl} ${url}`);
  t.equal(await command('When it has failed'), `${curl} ${url}/fail`);
  t.equal(await command('Or directly after the command, with its exit code'), `${curl} ${url}/$?`);
  t.equal(await command('With the size of the backup in bytes'), `${curl} "${url}?size=$(wc -c <FILE)"`);

  await ping(`${url}/start`);
  await ping(`${url}?size=734003200&sha256=${'a'.repeat(64)}`, 'pg_dump: <b>done</b>');
  await goto(`/backup-jobs/${job.id}`);
  await see(/^Last good run: /);
  await see('734 MB');
  await page.getByText('Log and checksum').click();
  await see('pg_dump: <b>done</b>');
  await see(new RegExp(`The URL ends with ${job.ping_url_end}\\.`));
  t.equal(await page.getByText(url).count(), 0, 'the URL is shown only once');
  await ping(`${url}/3`);
  await goto('/backup-jobs');
  await see('1 of 1 backup job is failing.');
  await see(/^The job reported a failure\. Failing since /);
  await examined('backup-jobs');
  await page.getByRole('main').getByRole('link', { name: HOSTILE }).click();
  await see('exit code 3');
  await examined('backup-job');

  await press('Replace ping URL');
  await press('Replace ping URL');
  await see(/Picket does not show it again/);
  const renewed = await page.getByLabel('URL', { exact: true }).inputValue();
  t.not(renewed, url);
  t.equal((await fetch(url)).status, 404, 'the previous URL has ended');
  await ping(`${renewed}?size=734003200&sha256=${'a'.repeat(64)}`);

  await page.getByLabel('Name').fill('Nightly dump');
  await page.getByLabel('Grace').selectOption({ label: '2 h' });
  await page.getByLabel('Enabled').uncheck();
  await press('Save');
  await see('Nightly dump is saved.');
  await see('Picket expects no ping, and records none.');
  t.match(await jobs(), [{ name: 'Nightly dump', grace_seconds: 7_200, enabled: false, min_size_bytes: 1_500_000 }]);
  complaints.push(...ann.complaints);
});

t.test('a job that a rule names is deleted after the dialog has said so; its page is gone', async (t) => {
  const [job] = await jobs();
  const rule = { name: 'Dumps', type: 'backup_missed', severity: 'critical', backup_job_ids: [job.id] };
  t.equal((await world.plane.api('POST', '/v1/alert-rules', rule)).status, 201);
  const ann = await world.openAsOwner();
  const { see, press, goto } = ann;
  await goto(`/backup-jobs/${job.id}`);
  await press('Delete');
  await press('Delete');
  await see('Alert rule Dumps');
  await press('Delete and remove from all');
  await see('There is no backup job yet.');
  t.same(await jobs(), []);
  complaints.push(...ann.complaints);
  await goto(`/backup-jobs/${job.id}`);
  await see('This backup job does not exist. It may have been deleted.');
});

t.test('a viewer sees a job in German and can change nothing', async (t) => {
  const schedule = { cron: '30 3 * * MON', time_zone: 'Europe/Berlin' };
  const { data } = (await world.plane.api('POST', PATH, { name: 'Dump', schedule })).body;
  const vera = await world.openAs('viewer');
  await vera.goto(`/backup-jobs/${data.id}`);
  await vera.see(`The URL ends with ${data.ping_url_end}.`);
  await vera.see('30 3 * * MON');
  t.equal(await vera.page.getByRole('main').getByRole('button').count(), 0);
  await vera.goto('/backup-jobs/new');
  await vera.see('Your role in this workspace does not include this.');
  complaints.push(...vera.complaints);
  const anna = await world.openAsOwner({ language: 'de' });
  await anna.goto('/backup-jobs');
  await anna.see('Der Sicherungsjob schlägt nicht fehl.');
  await anna.see('Es kam noch kein Ping.');
  violations.push(...(await anna.examined('backup-jobs-german')));
  complaints.push(...anna.complaints);
});

t.test('the pages are accessible and complain of nothing', async (t) => {
  t.same(violations, []);
  t.same(complaints, []);
});
