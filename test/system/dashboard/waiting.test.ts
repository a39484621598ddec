import type { Route } from 'playwright-core';
import t from 'tap';
import { comesTo } from '../../helpers/dashboard/comes-to.js';
import { stopClock, withStoppableClock } from '../../helpers/dashboard/page-clock.js';
import { withoutPeriodicReads } from '../../helpers/dashboard/page-timers.js';
import { startWorkspaceInBrowser } from '../../helpers/dashboard/workspace-in-browser.js';
import { waitFor } from '../../helpers/wait.js';

const HELD_MS_MAX = 30_000;
/** The test does not wait for it, but moves the clock of the page. */
const TURN_S = 59;

const world = await startWorkspaceInBrowser();
t.teardown(() => world.close());

t.test('an action that takes long says that it is still under way', async (t) => {
  const ann = await world.openAsOwner();
  const { page, see } = ann;
  const said = page.getByText('Picket takes longer than usual. Your request is still under way.');
  const held: Route[] = [];
  await page.route('**/v1/channels', async (route) => {
    if (route.request().method() === 'POST') held.push(route);
    else await route.continue();
  });
  await ann.goto('/settings/channels/new');
  await page.getByLabel('Type').selectOption('webhook');
  await page.getByLabel('Name').fill('Night shift');
  await page.getByLabel('URL').fill('https://hooks.example/night');
  const add = page.getByRole('button', { name: 'Add channel' });
  await add.focus();
  await page.keyboard.press('Enter');
  await said.waitFor();
  await add.and(page.locator(':focus')).waitFor();
  t.equal(await add.getAttribute('aria-disabled'), 'true', 'the button has the focus, and says that it waits');
  await page.keyboard.press('Enter');
  t.same(await ann.examined('slow-action'), []);
  await held[0]?.continue();
  await see('The channel is saved and on.');
  await said.waitFor({ state: 'detached' });
  t.equal(held.length, 1, 'a second press did nothing');
  t.same(ann.complaints, []);
  await ann.close();
});

t.test('the overview shows what has arrived, before it reads older changes or anything again', async (t) => {
  const ann = await world.openAsOwner();
  await withoutPeriodicReads(ann.page.context());
  await withStoppableClock(ann.page.context());
  for (const name of ['Shop', 'Blog']) {
    await world.plane.api('POST', '/v1/monitors', { name, type: 'tcp', url: '127.0.0.1:9' });
  }
  const held: Route[] = [];
  let isHolding = true;
  // The stream begins when the page has shown something, however long that takes: what it reads first has a few seconds.
  const streams: Route[] = [];
  let isShown = false;
  const asked: string[] = [];
  await ann.page.route('**/v1/**', async (route) => {
    const url = new URL(route.request().url());
    asked.push(url.pathname);
    if (url.pathname === '/v1/events' && !isShown) return void streams.push(route);
    if (url.pathname === '/v1/timeline' && !url.searchParams.has('cursor')) {
      // A day of which the first page has only some.
      const response = await route.fetch();
      const body = await response.json();
      return route.fulfill({ response, json: { ...body, next_cursor: 'older' } });
    }
    if (url.pathname !== '/v1/timeline') return route.fallback();
    if (isHolding) held.push(route);
    else await route.fulfill({ json: { data: [], next_cursor: null } });
  });
  await ann.goto('/');
  await ann.see(/created at least 2 monitors/);
  // The page asks for them once it shows what it has.
  await waitFor('the read of older changes', HELD_MS_MAX, () => held.length > 0);
  t.equal(held.length, 1, 'older changes are still being read');
  isShown = true;
  // Otherwise the page would wait for them for five seconds only.
  await stopClock(ann.page);
  const begun = ann.page.waitForResponse((response) => new URL(response.url()).pathname === '/v1/events');
  await Promise.all(streams.map((route) => route.continue()));
  await begun;
  const live = ann.page.getByText('Live', { exact: true });
  t.equal(await live.count(), 0);
  const before = asked.filter((path) => path === '/v1/auth/me').length;
  isHolding = false;
  await Promise.all(held.map((route) => route.fulfill({ json: { data: [], next_cursor: null } })));
  await live.waitFor();
  t.equal(before, 1, 'nothing was read again meanwhile');
  t.equal(asked.filter((path) => path === '/v1/auth/me').length, 2, 'but when it had arrived');
  await ann.page.unrouteAll({ behavior: 'wait' });
  await ann.close();
});

t.test('what is pressed or chosen keeps the focus until it is done', async (t) => {
  const bob = await world.openAs('member');
  await bob.close();
  const ann = await world.openAsOwner();
  const { page, goto } = ann;
  const held: Route[] = [];
  const hold = (url: string) =>
    page.route(url, async (route) => {
      if (route.request().method() === 'GET') await route.continue();
      else held.push(route);
    });
  const { id } = (await world.plane.api('POST', '/v1/monitors', { name: 'Till', type: 'tcp', url: '127.0.0.1:9' })).body
    .data;
  const focused = page.locator(':focus');
  await hold('**/pause');
  await goto(`/monitors/${id}`);
  await page.getByRole('button', { name: 'Pause', exact: true }).focus();
  await page.keyboard.press('Enter');
  const resume = page.getByRole('button', { name: 'Resume', exact: true });
  await resume.and(page.locator('[aria-disabled=true]')).and(focused).waitFor();
  // The page shows the new state before the request has left the browser.
  await waitFor('the request', HELD_MS_MAX, () => held.length === 1);
  await held[0]?.continue();
  await resume.and(page.locator(':not([aria-disabled])')).and(focused).waitFor();

  held.length = 0;
  await hold('**/v1/team/members/*');
  await goto('/settings/team');
  const role = page.getByLabel(`Role of ${bob.email}`);
  await role.focus();
  await role.selectOption('viewer');
  await waitFor('the request', HELD_MS_MAX, async () => held.length === 1);
  await role.and(focused).waitFor();
  await comesTo(t, () => role.inputValue(), 'viewer');
  await held[0]?.continue();
  await ann.see(`${bob.email} now has the role Viewer`);
  await role.and(focused).waitFor();
  await comesTo(t, () => role.inputValue(), 'viewer');
  await page.unrouteAll({ behavior: 'wait' });
  t.same(ann.complaints, []);
  await ann.close();
});

t.test('a request that a proxy ends is said anew when Picket answers, although the stream lived', async () => {
  const ann = await world.openAsOwner();
  const { page } = ann;
  await ann.goto('/settings/channels/new');
  await page.locator('.live').getByText('Live', { exact: true }).waitFor();
  await page.getByLabel('Type').selectOption('webhook');
  await page.getByLabel('Name').fill('Day shift');
  await page.getByLabel('URL').fill('https://hooks.example/day');
  await page.route('**/v1/channels', (route) =>
    route.request().method() === 'POST' ? route.abort() : route.continue(),
  );
  await ann.press('Add channel');
  await page.getByText(/^Picket did not answer, so this is probably not done\./).waitFor();
  await world.plane.api('PATCH', '/v1/workspace', { name: 'Renamed' });
  await page.getByText(/^Picket answers again now\./).waitFor();
  await page.getByText(/^Picket did not answer/).waitFor({ state: 'detached' });
  await page.unrouteAll({ behavior: 'wait' });
  await ann.close();
});

t.test('a read that has no answer is said in the head and on the page, and goes away with the answer', async (t) => {
  for (const [language, waiting, slow, incidents] of [
    ['en-GB', 'Waiting for an answer', /^Picket takes longer than usual to answer\./, /^Incidents/],
    ['de-DE', 'Warten auf eine Antwort', /^Picket braucht für die Antwort länger/, /^Vorfälle/],
  ] as const) {
    const ann = await world.openAsOwner({ language });
    const { page } = ann;
    const head = page.locator('.live');
    let isHeld = true;
    const held: Route[] = [];
    await ann.goto('/monitors');
    await head.getByText('Live', { exact: true }).waitFor();
    await page.route(/\/v1\/alerts\?/, async (route) => {
      if (isHeld) held.push(route);
      else await route.continue();
    });
    await page.getByRole('navigation').getByRole('link', { name: incidents }).first().click();
    await head.getByText(waiting, { exact: true }).waitFor();
    await page.getByRole('status').getByText(slow).waitFor();
    t.same(await ann.examined(`waiting-${language}`), []);
    isHeld = false;
    await Promise.all(held.map((route) => route.continue()));
    await head.getByText('Live', { exact: true }).waitFor();
    await page.getByText(slow).waitFor({ state: 'detached' });
    await page.unrouteAll({ behavior: 'wait' });
    t.same(ann.complaints, []);
    await ann.close();
  }
});

t.test('a verification that has to wait for its turn says for how long', async () => {
  const ann = await world.openAsOwner();
  const { page, see } = ann;
  let refused = false;
  await page.route('**/v1/audit-logs/verification**', async (route) => {
    if (refused) return route.continue();
    refused = true;
    const body = JSON.stringify({ code: 'rate_limited', detail: 'Later.' });
    await route.fulfill({
      status: 429,
      headers: { 'retry-after': String(TURN_S) },
      contentType: 'application/problem+json',
      body,
    });
  });
  await page.clock.install();
  await ann.goto('/audit');
  await page.getByText('How can I tell that nobody changed the log?').click();
  await ann.press('Verify');
  await see(`It goes on by itself in ${TURN_S} s.`);
  await page.clock.fastForward(TURN_S * 1_000);
  await see(/The log is intact/);
  await page.getByText(/It goes on by itself/).waitFor({ state: 'detached' });
  await ann.close();
});
