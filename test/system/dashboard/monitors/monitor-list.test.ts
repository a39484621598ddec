import t from 'tap';
import { comesTo } from '../../../helpers/dashboard/comes-to.js';
import { useSession } from '../../../helpers/dashboard/cookie.js';
import { logIn } from '../../../helpers/dashboard/log-in.js';
import { startPlaneInBrowser } from '../../../helpers/dashboard/plane-in-browser.js';
import { overflowsPhone, visitor } from '../../../helpers/dashboard/visitor.js';
import { fillHistory } from '../../../helpers/monitors/fill-history.js';
import type { ControlPlane } from '../../../helpers/processes/control-plane.js';
import { storePerson } from '../../../helpers/team/people.js';
import { waitFor } from '../../../helpers/wait.js';

const MONITORS = 450;
const IMPORTED_AT_ONCE = 25;
const IMPORTED_MS_MAX = 60_000;
/** Rows in the page: those in the window and some around it. */
const ROWS_MAX = 60;
const HOSTILE = `<img src=x onerror="alert('hostile')"> ${'W'.repeat(120)}`;

/** Texts of the filters that their field has no room for. */
const CUT_CHOICES = `[...document.querySelectorAll('.monitor-filters :is(select, input[type=search])')]
  .map((field) => {
    const { font, paddingLeft, paddingRight } = getComputedStyle(field);
    const pen = document.createElement('canvas').getContext('2d');
    pen.font = font;
    const text = field.placeholder ?? field.selectedOptions[0].text;
    const wanted = pen.measureText(text).width + parseFloat(paddingLeft) + parseFloat(paddingRight);
    return { text, missing: Math.ceil(wanted - field.clientWidth) };
  })
  .filter(({ missing }) => missing > 0)`;

/** Scrolls, and resolves to what the window shows in the frame with the new rows. */
const scrolled = (top: number) => `new Promise((done) => {
  const list = document.querySelector('.monitor-rows');
  const seen = new MutationObserver(() => requestAnimationFrame(() => {
    const rows = [...list.querySelectorAll('.monitor-row')].filter((row) => {
      const { top, bottom } = row.getBoundingClientRect();
      return top >= 0 && bottom <= innerHeight;
    });
    seen.disconnect();
    done({
      names: rows.every((row) => row.querySelector('.strong').textContent !== '') ? 'names' : 'none',
      brief: rows.some((row) => row.matches('.is-brief')),
    });
  }));
  seen.observe(list, { subtree: true, childList: true, characterData: true, attributes: true });
  scrollTo(0, ${top});
})`;

t.test('the list of many monitors', async (t) => {
  const { mongo, plane, browser } = await startPlaneInBrowser(t);
  await importMonitors(plane);
  await fillHistory(mongo.db, Date.now());
  const { page, complaints, examine } = await visitor(browser);
  const rows = page.locator('.monitor-row');
  const areFew = async () => (await rows.count()) <= ROWS_MAX;
  const filter = page.getByLabel('Filter by name or address');
  const count = (text: string) => page.getByRole('status').getByText(text, { exact: true }).waitFor();
  const focusedName = () => page.evaluate(`document.activeElement.querySelector('.strong')?.textContent`);
  /** Not `waitForFunction`, which calls `eval` in the page when it has to wait; the content security policy refuses that. */
  const focusOn = (name: string) => waitFor(`the focus on ${name}`, 30_000, async () => (await focusedName()) === name);
  const violations: string[] = [];

  await t.test('few rows are in the page, the worst first, and all when one scrolls', async (t) => {
    await logIn(page, plane, '/monitors');
    await page.getByText(`1 of ${MONITORS} monitors is down.`).waitFor();
    await count(`${MONITORS} monitors`);
    await comesTo(t, areFew, true, 'few rows in the page');
    await comesTo(t, async () => /since/.test(await rows.first().innerText()), true, 'the one that is down');
    await page
      .getByRole('img', { name: /^In the last 24 hours: \d+ hours? without an outage/ })
      .first()
      .waitFor();
    violations.push(...(await examine('monitor-list')));
    t.notOk(await overflowsPhone(page), 'it fits a phone');
    await comesTo(t, () => page.evaluate(CUT_CHOICES), [], 'what is chosen can be read');
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
    await page.locator(`li[aria-posinset="${MONITORS}"] .monitor-row`).waitFor();
    await comesTo(t, areFew, true, 'few rows in the page');
  });

  await t.test('names come before figures where many rows change at once, and all at once where few do', async (t) => {
    await page.evaluate('scrollTo(0, 0)');
    const figures = page.locator('.monitor-row:not(.is-brief) > .cell-uptime');
    const bars = rows.locator('[role=img][aria-label^="In the last"]');
    // What arrives later would count as the change that the test waits for.
    const areWhole = () =>
      waitFor('rows with figures and bars', 30_000, async () => {
        const counts = [await figures.count(), await bars.count(), await rows.count()];
        return new Set(counts).size === 1;
      });
    await areWhole();
    t.same(await page.evaluate(scrolled(3_000)), { names: 'names', brief: true });
    await areWhole();
    t.same(await page.evaluate(scrolled(3_052)), { names: 'names', brief: false });
    const withoutUptime = () =>
      page.evaluate(`[...document.querySelectorAll('.monitor-row')]
        .filter((row) => !row.querySelector('.cell-uptime').checkVisibility({ visibilityProperty: true }))
        .map((row) => row.querySelector('.strong').textContent)`);
    await comesTo(t, withoutUptime, [], 'all show their uptime');
  });

  await t.test('the filter is in the address, and comes back with it', async (t) => {
    await page.evaluate('scrollTo(0, 0)');
    await filter.fill('shop 44');
    await count('11 monitors');
    await page.waitForURL(/q=shop\+44|q=shop%2044/);
    await page.getByLabel('Sort by').selectOption('name');
    // The address changes first, then the list.
    await rows.first().locator('.strong').getByText('Shop 44', { exact: true }).waitFor();
    await page.getByLabel('Time', { exact: true }).selectOption('30d');
    await page
      .getByRole('img', { name: /^In the last 30 days/ })
      .first()
      .waitFor();
    await page.getByLabel('Group', { exact: true }).selectOption('tag');
    await page.locator('.monitor-group').first().waitFor();
    violations.push(...(await examine('monitor-list-grouped')));
    await page.reload();
    await page.locator('.monitor-group').first().waitFor();
    await comesTo(t, () => filter.inputValue(), 'shop 44');
    await page.getByLabel('Status', { exact: true }).selectOption('paused');
    await page.getByText('No monitor matches this filter.').waitFor();
    await page.getByRole('button', { name: 'Clear the filter' }).click();
    await count(`${MONITORS} monitors`);
    await page.getByLabel('Group', { exact: true }).selectOption('');
  });

  await t.test('a hostile name is text', async (t) => {
    await filter.fill('onerror');
    await page.getByText(HOSTILE, { exact: true }).waitFor();
    t.equal(await page.locator('img').count(), 0);
    t.notOk(await overflowsPhone(page), 'it fits a phone');
    await filter.fill('');
  });

  await t.test('it works by keyboard alone', async (t) => {
    await page.goto(`${plane.url}/monitors?sort=name`);
    await rows.first().waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('shop 1');
    await count('111 monitors');
    await page.keyboard.press('Tab');
    await page.evaluate('document.activeElement.blur()');
    await page.keyboard.press('j');
    await focusOn('Shop 1');
    const heard = page.locator('.list-reading');
    await rows.nth(3).locator('[role=img][aria-label^="In the last"]').waitFor();
    await page.keyboard.press('ArrowLeft');
    await heard.getByText(/^Shop 1\d*, \w+ \d\d:\d\d: (not observed|\d.* % up)/).waitFor();
    const latest = await heard.textContent();
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowRight');
    await waitFor('another hour', 30_000, async () => (await heard.textContent()) !== latest);
    await page.keyboard.press('ArrowRight');
    await waitFor('the latest hour', 30_000, async () => (await heard.textContent()) === latest);
    await page.keyboard.press('ArrowDown');
    const before = await page.locator('.monitor-list').boundingBox();
    await page.keyboard.press('x');
    await count('1 monitor selected');
    await comesTo(t, () => page.locator('.monitor-list').boundingBox(), before, 'the list stays where it is');
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    await count('2 monitors selected');
    await page.keyboard.press('k');
    await focusOn('Shop 10');
    for (let presses = 0; presses < 40; presses++) await page.keyboard.press('j');
    // No press is lost while rows come into the page.
    await focusOn('Shop 130');
    for (let presses = 0; presses < 40; presses++) await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Shop 170' }).waitFor();
    await page.goBack();
    await count('2 monitors selected');
    await focusOn('Shop 170');
    await page.keyboard.press('j');
    await focusOn('Shop 171');
    await page.getByRole('button', { name: 'Clear the selection' }).click();
  });

  await t.test('rows are selected one by one, as a range, and all that match', async () => {
    await filter.fill('shop 2');
    await count('111 monitors');
    const box = (name: string) => page.getByRole('checkbox', { name: `Select ${name}`, exact: true });
    await box('Shop 2').click();
    await box('Shop 24').click({ modifiers: ['Shift'] });
    await count('6 monitors selected');
    await page.getByRole('button', { name: 'Select all 111 monitors that match' }).click();
    await count('111 monitors selected');
    await box('Shop 2').click();
    await count('110 monitors selected');
    await filter.fill('shop 3');
    await count('111 monitors');
  });

  await t.test('on a phone, everything is large enough for a thumb, and long names have two lines', async (t) => {
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto(`${plane.url}/monitors?q=onerror`);
    await rows.first().waitFor();
    const small = `[...document.querySelectorAll('main :is(button, select, a, label, input)')]
      .filter((element) => element.checkVisibility() && element.closest('label') !== element.parentElement)
      .map((element) => [element.textContent || element.ariaLabel || element.placeholder, element.getBoundingClientRect().height])
      .filter(([, height]) => height > 1 && height < 44)`;
    await comesTo(t, () => page.evaluate(small), []);
    const hasTwoLines = async () => {
      const height = (await rows.first().locator('.strong').boundingBox())?.height ?? 0;
      return height > 30 && height < 45;
    };
    await comesTo(t, hasTwoLines, true, 'the name has two lines, and no more');
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  await t.test('a view keeps its filter under a name', async () => {
    await page.goto(`${plane.url}/monitors?tag=team-3&sort=uptime`);
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByLabel('Name of this view').fill('Team three');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.goto(`${plane.url}/monitors`);
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('button', { name: 'Team three', exact: true }).click();
    await page.waitForURL(/tag=team-3/);
    const sort = page.getByLabel('Sort by');
    await waitFor('the sort order of the view', 30_000, async () => (await sort.inputValue()) === 'uptime');
    await page.getByRole('button', { name: 'Remove the view Team three' }).click();
    await page.getByText('No saved views yet.').waitFor();
  });

  await t.test('a viewer selects and adds nothing', async (t) => {
    const { body } = await plane.api('GET', '/v1/auth/me');
    const { cookie } = await storePerson(mongo, body.data.workspace.id, 'viewer');
    const viewer = await visitor(browser);
    await useSession(viewer.page, plane.url, cookie);
    await viewer.page.goto(`${plane.url}/monitors`);
    await viewer.page.locator('.monitor-row').first().waitFor();
    t.equal(await viewer.page.getByRole('checkbox').count(), 0);
    t.match(await viewer.page.locator('.list-keys').innerText(), /Enter opens, left and right read/, 'no key selects');
    t.equal(await viewer.page.getByRole('link', { name: 'Add monitor' }).count(), 0);
    t.same(viewer.complaints, []);
    await viewer.close();
  });

  t.same(violations, [], 'no page breaks a rule of accessibility');
  t.same(complaints, []);
});

async function importMonitors(plane: ControlPlane): Promise<void> {
  const monitors = Array.from({ length: MONITORS }, (_, index) => ({
    ...{ name: index === 0 ? HOSTILE : `Shop ${index}`, type: 'tcp', url: `127.0.0.1:${1_000 + index}` },
  }));
  // On a busy machine, one transaction with all of them takes longer than a request may, and sometimes one with few of them.
  for (let first = 0; first < MONITORS; first += IMPORTED_AT_ONCE) {
    const some = monitors.slice(first, first + IMPORTED_AT_ONCE);
    await waitFor('the import', IMPORTED_MS_MAX, async () => {
      const { status, body } = await plane.api('POST', '/v1/monitors/import', { version: 1, monitors: some });
      if (![200, 503].includes(status)) throw new Error(JSON.stringify(body).slice(0, 300));
      return status === 200;
    });
  }
}
