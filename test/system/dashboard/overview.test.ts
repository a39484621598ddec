import t from 'tap';
import type { BlacklistMonitorDocument } from '../../../control-plane/blacklist/documents.js';
import type { MonitorDocument } from '../../../control-plane/monitors/documents.js';
import type { ServerDocument } from '../../../control-plane/servers/documents.js';
import { listingOf, monitorOf } from '../../helpers/blacklist/documents.js';
import { comesTo } from '../../helpers/dashboard/comes-to.js';
import { type SignedIn, startWorkspaceInBrowser } from '../../helpers/dashboard/workspace-in-browser.js';
import { storeServerWithHistory } from '../../helpers/servers/with-history.js';

const HOUR_MS = 3_600_000;

t.test('the overview says how everything is in a few lines', async (t) => {
  const scene = await startWorkspaceInBrowser();
  t.teardown(() => scene.close());
  const { plane, mongo, workspaceId } = scene;
  const owner = await scene.openAsOwner();
  const { page, see, goto } = owner;
  const violations: string[] = [];
  const counted = async ({ page }: SignedIn) => (await page.locator('.counts > li').allInnerTexts()).map(oneLine);
  const monitors = mongo.db.collection<MonitorDocument>('monitors');
  const storeServer = (over: Partial<ServerDocument>) =>
    storeServerWithHistory(mongo, { workspace_id: workspaceId, report_interval_ms: HOUR_MS, ...over });
  const change = (name: string, set: Record<string, unknown>) => monitors.updateOne({ name }, { $set: set });

  await t.test('a workspace without monitors is asked what to watch, whatever else it has', async (t) => {
    await storeServer({ name: 'web-1' });
    await goto('/');
    await page.getByRole('heading', { name: 'What should we watch?' }).waitFor();
    await page.getByLabel('Address', { exact: true }).waitFor();
    await see('The server is online.');
    await comesTo(t, () => counted(owner), [], 'one server is a line');
    violations.push(...(await owner.examined('overview-server')));
    await storeServer({ name: 'web-3' });
    await goto('/');
    await see('What should we watch?');
    await comesTo(t, () => counted(owner), ['No monitors yet.', '2 servers none offline']);
    violations.push(...(await owner.examined('overview-servers')));
    await mongo.db.collection<ServerDocument>('servers').deleteOne({ name: 'web-3' });
  });

  await t.test('a viewer without monitors sees what there is', async (t) => {
    const viewer = await scene.openAs('viewer');
    await viewer.goto('/');
    await viewer.page.getByRole('heading', { name: 'Overview' }).waitFor();
    await comesTo(t, () => counted(viewer), ['No monitors yet.', '1 server none offline']);
  });

  await t.test('everything that is watched is counted, with its uptime', async (t) => {
    const nowMs = Date.now();
    await storeServer({ name: 'web-2', status: 'offline', status_changed_at_ms: nowMs - HOUR_MS });
    await mongo.db
      .collection<BlacklistMonitorDocument>('blacklist_monitors')
      .insertMany([
        monitorOf({ workspace_id: workspaceId, target: '198.51.100.7', type: 'ip', listings: [listingOf()] }),
        monitorOf({ workspace_id: workspaceId }),
      ]);
    for (const name of ['Shop', 'Mail', 'Router', 'Intranet']) {
      const url = `http://${name.toLowerCase()}.example`;
      // Nothing is checked: this control plane has no probe. On a busy machine, the location gets an incident meanwhile.
      const monitor = { name, type: 'http', url, locations: ['fra'] };
      t.equal((await plane.api('POST', '/v1/monitors', monitor)).status, 201);
    }
    await goto('/');
    await see(/^0 of 4 monitors are up, 4 wait for their first result\./);
    const month = { uptime: 99.95, coverage: 80 };
    const uptime = { computed_at_ms: nowMs, day: month, week: month, month };
    await monitors.updateMany({}, { $set: { last_checked_at_ms: nowMs, uptime } });
    await change('Mail', { 'state.failing.fra': { from_version: 1, since_ms: nowMs, confirmed_result_id: null } });
    await change('Intranet', { paused_at_ms: nowMs });
    await goto('/');
    await see(/^3 monitors are up, but 1 of them fails from some locations; 1 paused\. 1 of 2 servers is offline\./);
    await comesTo(t, () => counted(owner), [
      '4 monitors 2 up 1 degraded 1 paused',
      'Uptime of 30 days: 99.95 % (80.00 % observed)',
      '2 servers 1 offline',
      '2 addresses checked on blacklists 1 listed 1 unknown',
    ]);
    const fits = () => page.evaluate('document.documentElement.scrollHeight <= innerHeight');
    await comesTo(t, fits, true, 'there is nothing to scroll');
    violations.push(...(await owner.examined('overview')));
    await page.getByRole('link', { name: '1 offline' }).click();
    await page.waitForURL(/\/servers\?status=offline/);
    await see('web-2');
    await goto('/');
    await page.getByRole('link', { name: '1 listed' }).click();
    await page.waitForURL(/\/blacklists\?status=listed/);
    await see('198.51.100.7');
  });

  await t.test('as long as no channel works, it says that nobody is alerted', async (t) => {
    await goto('/');
    await see('Nobody is alerted yet: this workspace has no channel.');
    violations.push(...(await owner.examined('overview-no-channel')));
    const config = { to: [owner.email] };
    const { body } = await plane.api('POST', '/v1/channels', { type: 'email', name: 'Mail', config });
    const read = page.waitForResponse(/\/v1\/channels/);
    await goto('/');
    await read;
    await page.locator('.counts').waitFor();
    t.equal(await page.getByText('Nobody is alerted').count(), 0, 'it was not tried yet');
    const tested = await plane.api('POST', `/v1/channels/${body.data.id}/test`);
    t.equal(tested.body.data.status, 'skipped', 'there is no mail server');
    await goto('/');
    await see('Nobody is alerted: no channel works.');
    await page.getByRole('link', { name: 'Open the channels' }).click();
    await page.getByText('fails', { exact: true }).waitFor();
  });

  await t.test('a disk that fills up is shown with the time that is left', async (t) => {
    const full_at_ms = Date.now() + 9.1 * HOUR_MS;
    const forecast = { mount: '/var', percent: 91, points_per_hour: 1, full_at_ms, at_ms: Date.now() };
    await mongo.db
      .collection<ServerDocument>('servers')
      .updateOne({ name: 'web-1' }, { $set: { disk_forecast: forecast } });
    await goto('/');
    await see(/ 1 server has a disk that will be full within 24 hours\./);
    const row = page.getByRole('link', { name: /web-1/ });
    const isFilling = async () => /web-1 full in 9 h \/var 91\.00 %$/.test(oneLine(await row.innerText()));
    await comesTo(t, isFilling, true, 'the row says how much time is left');
    violations.push(...(await owner.examined('overview-filling')));
    await goto('/servers');
    await see('full in 9 h');
    violations.push(...(await owner.examined('servers-filling')));
    await mongo.db
      .collection<ServerDocument>('servers')
      .updateOne({ name: 'web-1' }, { $set: { disk_forecast: null } });
  });

  await t.test('a viewer reads it in German', async (t) => {
    const viewer = await scene.openAs('viewer');
    await viewer.page.addInitScript(`Object.defineProperty(navigator, 'languages', { value: ['de'] })`);
    await viewer.goto('/');
    await viewer.see(/^3 Monitore sind verfügbar, aber 1 davon schlägt von einigen Standorten aus fehl; 1 pausiert\./);
    const addresses = async () => (await counted(viewer))[3];
    await comesTo(t, addresses, '2 Adressen auf Sperrlisten geprüft 1 gelistet 1 unbekannt');
    t.same(viewer.complaints, []);
  });

  t.same(violations, [], 'no page breaks a rule of accessibility');
  t.same(owner.complaints, [], 'the browser complained about nothing');
});

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();
