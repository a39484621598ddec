import type { Test } from 'tap';
import { comesTo } from '../comes-to.js';
import { startWorkspaceInBrowser } from '../workspace-in-browser.js';
import { type CrawlGroup, faultsOf, pathOf, routesOf } from './crawl.js';
import { fillHostile } from './hostile-workspace.js';

const HOSTILE = /onerror|w{60}/i;

/** Opens every page of a group in a workspace in which every name is hostile. */
export async function crawl(t: Test, group: CrawlGroup): Promise<void> {
  const world = await startWorkspaceInBrowser();
  t.teardown(() => world.close());
  const ids = await fillHostile(world);
  const owner = await world.openAsOwner();
  await owner.goto('/no/such/page');
  const routes = await routesOf(owner.page, group);
  t.ok(routes.length > 0, 'the group has pages');
  for (const route of routes) {
    t.same(await faultsOf(owner, pathOf(route, ids)), [], route);
    const isNamed = async () => HOSTILE.test(await owner.page.locator('main h1').innerText());
    if (/\$\w/.test(route)) await comesTo(t, isNamed, true, `${route} shows the name`);
  }
}
