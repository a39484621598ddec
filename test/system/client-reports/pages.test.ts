import { readFile } from 'node:fs/promises';
import t from 'tap';
import { pngOf } from '../../helpers/client-reports/pictures.js';
import { comesTo } from '../../helpers/dashboard/comes-to.js';
import { useSession } from '../../helpers/dashboard/cookie.js';
import { examinedVisitor } from '../../helpers/dashboard/examined-visitor.js';
import { startPlaneInBrowser } from '../../helpers/dashboard/plane-in-browser.js';
import { visitor } from '../../helpers/dashboard/visitor.js';
import { storePerson } from '../../helpers/team/people.js';

const GENERATED_MS_MAX = 60_000;
const HOSTILE = '<img src=x onerror=hostile>';

t.test('a report is created, generated, downloaded and deleted', async (t) => {
  const { mongo, plane, browser, owner } = await startPlaneInBrowser(t);
  const { page, complaints, foreignRequests, see, button, examined, violations } = await examinedVisitor(browser, {
    seeMs: GENERATED_MS_MAX,
  });
  await page.goto(`${plane.url}/login?next=/reports`);
  await page.getByLabel('E-mail address').fill(owner.email);
  await page.getByLabel('Password', { exact: true }).fill(owner.password);
  await button('Log in').click();

  await t.test('the empty page says what reports are', async () => {
    await see('There is no report yet.');
    await examined('reports-empty');
  });

  await t.test('the form says what is missing, and keeps what was entered', async (t) => {
    await page.getByRole('link', { name: 'Create report' }).click();
    await examined('report-new');
    const sections = page.getByRole('group', { name: 'Sections' }).getByRole('checkbox');
    await sections.first().waitFor();
    t.equal(await sections.count(), 8);
    t.equal(await sections.and(page.locator(':checked')).count(), 8, 'each section is in a new report');
    await page.getByLabel('Title').fill(HOSTILE);
    await page.getByLabel('Period').selectOption('dates');
    await page.getByLabel('From', { exact: true }).fill('2026-01-31');
    await page.getByLabel('To', { exact: true }).fill('2026-01-01');
    await button('Create report').click();
    await comesTo(t, () => page.getByLabel('Client').getAttribute('aria-invalid'), 'true');
    await comesTo(t, () => page.getByLabel('Title').inputValue(), HOSTILE);
    await page.getByLabel('Client').fill('Example Ltd');
    await button('Create report').click();
    await comesTo(t, () => page.getByLabel('From', { exact: true }).getAttribute('aria-invalid'), 'true');
  });

  await t.test('the list shows it until it can be downloaded', async (t) => {
    await page.getByLabel('Period').selectOption('lastMonth');
    await page.getByLabel('Time zone').fill('Pacific/Auckland');
    await page.getByLabel('Leave out sections without data').check();
    await page.getByLabel('Logo').setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: pngOf() });
    const opening = page.context().waitForEvent('page');
    await page.getByRole('link', { name: 'Open preview in a new tab' }).click();
    const preview = await opening;
    await preview.getByText('This is a preview.').waitFor();
    await preview.close();
    await button('Create report').click();
    await page.waitForURL(/\/reports$/);
    await see(HOSTILE);
    await see('Ready');
    t.equal(await page.locator('img').count(), 0, 'a title is no markup');
    const downloading = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download' }).click();
    const file = await downloading;
    t.match(file.suggestedFilename(), /^Example Ltd - .*\.pdf$/);
    t.equal((await readFile(await file.path())).subarray(0, 5).toString(), '%PDF-');
    await examined('reports');
    const [report] = (await plane.api('GET', '/api/v1/client-reports')).body.data as { verification_code: string }[];
    t.match(report, { branding: { has_logo: true }, sections: { executive_summary: 'if_data', wordpress: 'if_data' } });
    t.match(report, {
      time_zone: 'Pacific/Auckland',
      period: { from: /T1[12]:00:00\.000Z$/, to: /T1[12]:00:00\.000Z$/ },
    });
  });

  await t.test('its page and its data are beside it', async (t) => {
    const address = await page.getByRole('link', { name: 'Preview' }).getAttribute('href');
    await page.goto(address ?? '');
    await page.getByRole('heading', { name: HOSTILE, level: 1 }).waitFor();
    t.equal(await page.locator('img').count(), 1, 'the logo, and no picture of the title');
    await examined('report-page');
    await page.goto(`${plane.url}/reports`);
    const downloading = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Data (CSV)' }).click();
    const file = await downloading;
    t.match((await readFile(await file.path())).toString(), /^"record","period"/);
  });

  await t.test('anybody verifies it with the code of its last page', async () => {
    const [report] = (await plane.api('GET', '/api/v1/client-reports')).body.data as { verification_code: string }[];
    await page.goto(`${plane.url}/verify`);
    await examined('verify');
    await page.getByLabel('Code').fill(report?.verification_code.toLowerCase() ?? '');
    await button('Verify').click();
    await page.getByRole('heading', { name: 'Picket made this report' }).waitFor();
    await examined('verify-found');
    await page.goto(`${plane.url}/reports`);
  });

  await t.test('a viewer downloads reports and deletes none', async (t) => {
    const workspace = (await mongo.db.collection('workspaces').findOne({})) as unknown as { _id: string };
    const { cookie } = await storePerson(mongo, workspace._id, 'viewer');
    const viewer = await visitor(browser, { language: 'de' });
    await useSession(viewer.page, plane.url, cookie);
    await viewer.page.goto(`${plane.url}/reports`);
    await viewer.page.getByRole('link', { name: 'Herunterladen' }).waitFor();
    t.equal(await viewer.page.getByRole('button', { name: 'Löschen' }).count(), 0);
    t.same(viewer.complaints, []);
    await viewer.close();
  });

  await t.test('it is deleted', async (t) => {
    await button('Delete').click();
    await see('The PDF can no longer be downloaded.');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await see('There is no report yet.');
    t.same((await plane.api('GET', '/api/v1/client-reports')).body.data, []);
  });

  t.same(violations, [], 'no page breaks a rule of accessibility');
  t.same(foreignRequests, [], 'nothing came from elsewhere');
  t.same(complaints, [], 'the browser complained about nothing');
});
