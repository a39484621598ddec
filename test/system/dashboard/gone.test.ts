import t from 'tap';
import { comesTo } from '../../helpers/dashboard/comes-to.js';
import { startWorkspaceInBrowser } from '../../helpers/dashboard/workspace-in-browser.js';

const NOWHERE = '0'.repeat(26);

const world = await startWorkspaceInBrowser();
t.teardown(() => world.close());

t.test('the page of an object that does not exist leads to the list', async (t) => {
  const { page, see, goto, examined, complaints } = await world.openAs('viewer');
  const pages = [
    { path: `/monitors/mon_${NOWHERE}`, says: 'This monitor does not exist.', list: 'All monitors', to: '/monitors' },
    { path: `/servers/srv_${NOWHERE}`, says: 'There is no such server.', list: 'Show all servers', to: '/servers' },
    {
      ...{ path: `/blacklists/blm_${NOWHERE}`, says: 'This address is not watched.' },
      ...{ list: 'All watched addresses', to: '/blacklists' },
    },
    {
      path: `/incidents/inc_${NOWHERE}`,
      says: 'This incident does not exist.',
      list: 'All incidents',
      to: '/incidents',
    },
    {
      ...{ path: `/settings/channels/chn_${NOWHERE}`, says: 'This channel does not exist.' },
      ...{ list: 'All channels', to: '/settings/channels' },
    },
    {
      ...{ path: `/settings/alert-rules/rule_${NOWHERE}`, says: 'This alert rule does not exist.' },
      ...{ list: 'All alert rules', to: '/settings/alert-rules' },
    },
    {
      ...{ path: `/maintenance/mnt_${NOWHERE}`, says: 'This maintenance window does not exist.' },
      ...{ list: 'All maintenance windows', to: '/maintenance' },
    },
    {
      path: `/status-pages/stp_${NOWHERE}`,
      says: 'This status page or incident does not exist.',
      list: 'All status pages',
      to: '/status-pages',
    },
  ];
  for (const { path, says, list, to } of pages) {
    await goto(path);
    await see(says);
    if (to === '/servers') t.same(await examined('gone'), []);
    await page.getByRole('link', { name: list, exact: true }).click();
    await page.waitForURL(`${world.plane.url}${to}`);
  }
  t.same(complaints, []);
});

t.test('an address that names no object is no page, and the API is not asked', async (t) => {
  const { page, see, goto, complaints } = await world.openAs('member');
  const asked: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (/^\/v1\/(monitors|alerts|servers|channels|alert-rules|maintenance-windows|status-pages)\/\w/.test(pathname))
      asked.push(pathname);
  });
  const paths: [path: string, list: string][] = [
    ['/monitors/bulk', 'Monitors'],
    ['/monitors/totals/edit', 'Monitors'],
    [`/monitors/srv_${NOWHERE}`, 'Monitors'],
    ['/incidents/one', 'Incidents'],
    ['/servers/join', 'Servers'],
    ['/settings/channels/chn_1', 'Channels'],
    ['/settings/alert-rules/x', 'Alert rules'],
    ['/maintenance/x', 'Maintenance'],
    ['/status-pages/x', 'Status pages'],
    ['/settings/nope', 'Settings'],
  ];
  for (const [path, list] of paths) {
    await goto(path);
    await see('There is no such page');
    const links = page.getByRole('link', { name: `Open “${list}”` });
    await comesTo(t, () => links.count(), 1, `${path} leads to ${list}`);
    await comesTo(t, () => page.locator('.settings-nav').count(), path === '/settings/nope' ? 1 : 0, path);
  }
  t.same(asked, []);
  t.same(complaints, []);
});

t.test('a page that cannot be drawn says what to do, within the frame', async (t) => {
  const { page, see, press, goto, examined } = await world.openAs('member');
  const totals = '**/v1/monitors/totals*';
  // What no version of the API answers.
  await page.route(totals, (route) => route.fulfill({ json: { data: { monitors: 1 } } }));
  await goto('/');
  await see('This page cannot be shown');
  t.same(await examined('broken'), []);
  await page.getByRole('link', { name: /^Incidents/ }).click();
  await page.getByRole('heading', { name: 'Incidents', exact: true }).waitFor();
  await comesTo(t, () => page.getByText('This page cannot be shown').count(), 0, 'another page is drawn');
  await goto('/');
  await see('This page cannot be shown');
  await page.unrouteAll({ behavior: 'wait' });
  await press('Load again');
  await see('What should we watch?');
});
