import type { Page, Route } from 'playwright-core';
import t from 'tap';
import { startWorkspaceInBrowser, type WorkspaceInBrowser } from '../../../helpers/dashboard/workspace-in-browser.js';
import { waitFor } from '../../../helpers/wait.js';

const BULK = /\/v1\/monitors\/bulk(\?|$)/;

/** Stores three monitors and a change of all of them that has ended. */
async function pausedMonitors({ plane }: WorkspaceInBrowser): Promise<void> {
  for (const name of ['Shop', 'Blog', 'Wiki']) {
    await plane.api('POST', '/v1/monitors', { name, type: 'tcp', url: '127.0.0.1:9' });
  }
  await plane.api('POST', '/v1/monitors/bulk', { operation: 'pause', filter: {} });
  await waitFor('the change has ended', 30_000, async () => {
    const { body } = await plane.api('GET', '/v1/monitors/bulk');
    return body.data[0]?.state === 'applied';
  });
}

/** Answers as the API does, with one field changed. The API is too fast to be seen in the middle of a change. */
async function changeAnswers(page: Page, method: string, change: (data: Answered) => Answered): Promise<void> {
  await page.route(BULK, async (route: Route) => {
    if (route.request().method() !== method) return route.fallback();
    const response = await route.fetch();
    const body = await response.json();
    await route.fulfill({ response, json: { ...body, data: change(body.data) } });
  });
}

// biome-ignore lint/suspicious/noExplicitAny: any answer of the API.
type Answered = any;

t.test('the list of monitors says which change is running, until it has ended', async (t) => {
  const world = await startWorkspaceInBrowser();
  t.teardown(() => world.close());
  await pausedMonitors(world);
  const { page, goto, see, examined, close } = await world.openAsOwner();
  await changeAnswers(page, 'GET', ([newest, ...others]) => [{ ...newest, state: 'applying', done: 1 }, ...others]);
  await goto('/monitors');
  const banner = page.getByRole('status').filter({ hasText: 'Pause monitors: 1 of 3' });
  await banner.waitFor();
  t.same(await examined('running-change'), []);
  await banner.getByRole('link').click();
  await page.waitForURL(`${world.plane.url}/monitors/changes`);
  await page.goBack();
  await banner.waitFor();
  await page.unrouteAll({ behavior: 'wait' });
  await banner.waitFor({ state: 'detached' });
  await see('Shop');
  await close();
});

t.test('a dry run says when it may not compare the alerts', async (t) => {
  const world = await startWorkspaceInBrowser();
  t.teardown(() => world.close());
  await pausedMonitors(world);
  const { page, goto, see, press, examined, close } = await world.openAsOwner();
  await changeAnswers(page, 'POST', (data) => ({ ...data, alerts: null }));
  await goto('/monitors');
  await page.getByRole('button', { name: /^Select all/ }).click();
  await press('Resume…');
  await see('Your role or key may not read incidents, so the comparison with those of the last 7 days is left out.');
  t.same(await examined('dry-run-without-alerts'), []);
  await close();
});
