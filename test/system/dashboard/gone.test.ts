import t from 'tap';
import { startWorkspaceInBrowser } from '../../helpers/dashboard/workspace-in-browser.js';

// Browsers are slow on a busy machine.
t.setTimeout(180_000);

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
