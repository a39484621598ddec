import t from 'tap';
import { comesTo } from '../../helpers/dashboard/comes-to.js';
import { useSession } from '../../helpers/dashboard/cookie.js';
import { examinedVisitor } from '../../helpers/dashboard/examined-visitor.js';
import { startPlaneInBrowser } from '../../helpers/dashboard/plane-in-browser.js';
import { visitor } from '../../helpers/dashboard/visitor.js';
import { deadlineMs } from '../../helpers/deadline.js';
import { temporaryFolder } from '../../helpers/machine/temporary-folder.js';
import { startAgentProcess } from '../../helpers/processes/agent-process.js';
import type { NodeProcess } from '../../helpers/processes/node-process.js';
import { storeServerWithHistory } from '../../helpers/servers/with-history.js';
import { storePerson } from '../../helpers/team/people.js';
import { waitFor } from '../../helpers/wait.js';

const NOTICED_MS_MAX = 60_000;
const HOSTILE = `<img src=x onerror="alert('hostile')">`;

t.test('a server is added, seen, edited and deleted', async (t) => {
  const { mongo, plane, browser, owner } = await startPlaneInBrowser(t);
  /** The name of the server that the agent is on. */
  let joined = '';
  let agent: NodeProcess | null = null;
  t.teardown(() => agent?.kill('SIGTERM'));
  const agentData = temporaryFolder(t);
  const { page, complaints, foreignRequests, see, button, examined, violations } = await examinedVisitor(browser, {
    seeMs: NOTICED_MS_MAX,
  });
  const workspace = (await mongo.db.collection('workspaces').findOne({})) as unknown as { _id: string };
  // They send no samples, and count as offline after three intervals without one.
  const silent = { workspace_id: workspace._id, report_interval_ms: 3_600_000 };
  const store = (over: object) => storeServerWithHistory(mongo, { ...silent, ...over });
  await page.goto(`${plane.url}/login?next=/servers`);
  await page.getByLabel('E-mail address').fill(owner.email);
  await page.getByLabel('Password', { exact: true }).fill(owner.password);
  await button('Log in').click();

  await t.test(
    'the page without servers shows the line to paste, and turns green when the agent reports',
    async (t) => {
      await see('See how your servers are doing');
      await see('What it never sends');
      await examined('servers-empty');
      await button('Get the command').click();
      const command = await page.getByLabel('Command that installs the agent').inputValue();
      t.match(command, /^curl .*\/install\/agent\.sh \| sudo sh -s -- --token pjt_/);
      t.match(
        await page.getByLabel('Command that removes the agent').inputValue(),
        /agent\.sh \| sudo sh -s -- --uninstall$/,
      );
      await see('Waiting for the agent. This page notices it by itself.');
      const { hostname, port } = new URL(plane.url);
      await see(`Only the machine that Picket runs on reaches http://${hostname}:${port}`);
      await see('PICKET_PUBLIC_URL');
      await examined('server-join');
      const line = page.getByLabel('Command that installs the agent');
      const renew = async (before: string) => {
        await button('Get a new command').click();
        await waitFor('another command', 30_000, async () => (await line.inputValue()) !== before);
        await button('Get a new command').and(page.locator(':focus')).waitFor();
        return line.inputValue();
      };
      t.equal(await page.getByText('This is a new command.').count(), 0);
      const second = await renew(command);
      await page
        .getByRole('status')
        .getByText(/^This is a new command\. The one before still works until .*\d\d:\d\d, unless a server/)
        .waitFor();
      await examined('server-join-again');
      const refused = { status: 503, contentType: 'application/json', body: '{"code": "unavailable"}' };
      await page.route('**/v1/servers/join-tokens', (route) => route.fulfill(refused));
      await button('Get a new command').click();
      await page.getByRole('alert').getByText('Picket cannot reach its database right now').waitFor();
      t.equal(await line.inputValue(), second, 'the command that still works stays');
      await page.unrouteAll({ behavior: 'wait' });
      // The agent joins with the first command, and the page does not hear of it before the next one is there.
      await page.route(/\/v1\/servers\?limit=20$/, (route) => route.fulfill({ json: { data: [] } }));
      const token = /--token (\S+)/.exec(command)?.[1] ?? '';
      agent = startAgentProcess(['--data', agentData, '--join', token]);
      await waitFor('the server', NOTICED_MS_MAX, async () => {
        const { body } = await plane.api('GET', '/v1/servers');
        return body.data.length === 1;
      });
      await renew(second);
      await page.unrouteAll({ behavior: 'wait' });
      const link = page.getByRole('link', { name: /^Open / });
      await link.waitFor({ timeout: deadlineMs(NOTICED_MS_MAX) });
      await see(/ is online\.$/);
      await examined('server-joined');
      joined = ((await link.textContent()) ?? '').replace(/^Open /, '');
      await link.click();
      await see(/^Online\./);
      await page.getByRole('heading', { name: /^CPU/ }).first().waitFor();
      await button('Show processes').click();
      await see(/ in all$/);
      // The agent has sent its processes.
      await page.locator('.processes tbody tr').first().waitFor();
      await page.getByText('By memory', { exact: true }).click();
      await page.getByRole('heading', { name: 'Alert rules of this server' }).waitFor();
      await see('Server offline');
      await examined('server-live');
    },
  );

  await t.test('the list begins with the worst, and the filter is in the URL', async (t) => {
    await store({ name: 'web-1', tags: ['production'] });
    await store({ name: HOSTILE, tags: ['<b>tag</b>'], hostname: 'a' });
    await store({ name: 'W'.repeat(200), hostname: 'b' });
    await store({ name: 'שרת ראשי', hostname: 'c', status: 'offline', status_changed_at_ms: Date.now() - 3_600_000 });
    const pendingId = await store({ name: 'new', hostname: 'd', status: 'pending', live: null, last_seen_at_ms: null });
    await page.goto(`${plane.url}/servers`);
    await see('1 of 6 servers is offline. 1 has joined and not sent a sample yet.');
    await mongo.db.collection<{ _id: string }>('servers').deleteOne({ _id: pendingId });
    await page.goto(`${plane.url}/servers`);
    await see('1 of 5 servers is offline.');
    const names = page.locator('.server-row .strong');
    await comesTo(t, () => names.count(), 5);
    await comesTo(t, () => names.first().textContent(), 'שרת ראשי', 'what is offline comes first');
    t.equal(await page.locator('img').count(), 0, 'no name is markup');
    await examined('servers');
    await page.getByLabel('Filter by name, host name or IP address').fill('onerror');
    await page.waitForURL(/q=onerror/);
    await names.nth(1).waitFor({ state: 'detached' });
    await page.goto(`${plane.url}/servers?tag=production`);
    await see('Only servers tagged “production”');
    await comesTo(t, () => names.allTextContents(), ['web-1']);
    await page.goto(`${plane.url}/servers?status=offline&tag=production`);
    await see('No server matches this filter.');
    await page.goto(`${plane.url}/servers?tag=production`);
    await names.first().click();
  });

  await t.test('a page says which disk will be full, and its charts are zoomed in the URL', async () => {
    await see(/^Online; \/var will be full in about 9 h\./);
    await see(/\+2 percentage points per hour/);
    await page.getByText('6 h', { exact: true }).click();
    await page.waitForURL(/range=6h/);
    await page.getByText('Averages of one minute').or(page.getByText('Each sample')).waitFor();
    await examined('server');
    const plot = page.locator('.chart-plot').first();
    await plot.scrollIntoViewIfNeeded();
    const box = await plot.boundingBox();
    if (box === null) throw new Error('the chart has no box');
    await page.mouse.move(box.x + box.width * 0.4, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.6, box.y + box.height / 2, { steps: 5 });
    await page.mouse.up();
    await page.waitForURL(/from=\d+.*to=\d+|to=\d+.*from=\d+/);
    await page.getByText('30 d', { exact: true }).click();
    await page.waitForURL((url) => url.searchParams.get('range') === '30d' && !url.searchParams.has('from'));
    await see('Averages of one hour');
  });

  await t.test('name and tags are changed, also when somebody else does so, and changed back', async (t) => {
    const path = `/v1/servers/${page.url().match(/srv_\w+/)?.[0]}`;
    const stored = async () => (await plane.api('GET', path)).body.data;
    await button('Edit').click();
    await page.getByLabel('Name', { exact: true }).fill('');
    await button('Save').click();
    await see('Fill in this field.');
    await page.getByLabel('Name', { exact: true }).fill('web-one');
    await examined('server-edit');
    await plane.api('PATCH', path, { tags: ['production', 'eu'] });
    await button('Save').click();
    await page.getByRole('alert').getByText('production, eu').first().waitFor();
    await button('Save').click();
    await see('web-one is saved.');
    t.match(await stored(), { name: 'web-one', tags: ['production', 'eu'] });
    await button('Undo').click();
    await waitFor('the old name', NOTICED_MS_MAX, async () => (await stored()).name === 'web-1');
    t.same((await stored()).tags, ['production', 'eu'], 'the change of the other person stays');
  });

  await t.test('a viewer sees everything in German and changes nothing', async (t) => {
    const { cookie } = await storePerson(mongo, workspace._id, 'viewer');
    const viewer = await visitor(browser, { language: 'de' });
    await useSession(viewer.page, plane.url, cookie);
    await viewer.page.goto(page.url());
    await viewer.page.getByText(/^Online; \/var ist in etwa/).waitFor();
    t.equal(await viewer.page.getByRole('button', { name: 'Bearbeiten' }).count(), 0);
    t.equal(await viewer.page.getByRole('button', { name: 'Löschen' }).count(), 0);
    await viewer.page.goto(`${plane.url}/servers`);
    await viewer.page.getByText('1 von 5 Servern ist offline.').waitFor();
    t.equal(await viewer.page.getByRole('link', { name: 'Server hinzufügen' }).count(), 0);
    t.same(viewer.complaints, []);
    await viewer.close();
  });

  await t.test('a server whose agent stops is offline by itself', async () => {
    await page.goto(`${plane.url}/servers?q=${encodeURIComponent(joined)}`);
    await page.getByText(joined, { exact: true }).first().click();
    await see(/^Online\./);
    await agent?.kill('SIGTERM');
    await see(/^Offline since .* its agent sends no samples\./i);
    await see('Processes can be read while the server is online.');
    await examined('server-offline');
    await page.goto(`${plane.url}/servers?tag=production`);
    await page.locator('.server-row').click();
  });

  await t.test('it is deleted after a question', async (t) => {
    await button('Delete').click();
    await page.getByRole('dialog').getByText('cannot be undone').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.waitForURL(`${plane.url}/servers`);
    t.same((await plane.api('GET', '/v1/servers?tag=production')).body.data, []);
  });

  t.same(violations, [], 'no page breaks a rule of accessibility');
  t.same(complaints, [], 'the browser complained about nothing');
  t.same(foreignRequests, [], 'nothing came from elsewhere');
});
