import t from 'tap';
import { comesTo } from '../../helpers/dashboard/comes-to.js';
import { useSession } from '../../helpers/dashboard/cookie.js';
import { examinedVisitor } from '../../helpers/dashboard/examined-visitor.js';
import { logIn } from '../../helpers/dashboard/log-in.js';
import { startPlaneInBrowser } from '../../helpers/dashboard/plane-in-browser.js';
import { visitor } from '../../helpers/dashboard/visitor.js';
import { storePerson } from '../../helpers/team/people.js';
import { waitFor } from '../../helpers/wait.js';

const HOSTILE = `<img src=x onerror="alert('hostile')">`;

const { mongo, plane, browser } = await startPlaneInBrowser(t);

t.test('the frame of all pages', async (t) => {
  for (const name of ['Shop', `Shop ${HOSTILE}`, 'Blog']) {
    const created = await plane.api('POST', '/v1/monitors', { name, type: 'tcp', url: '127.0.0.1:9' });
    t.equal(created.status, 201);
  }
  const { page, complaints, examined, violations } = await examinedVisitor(browser);
  const palette = page.getByRole('dialog', { name: 'Search and commands' });
  const field = page.getByRole('combobox', { name: /^Search monitors/ });
  await logIn(page, plane, '/');
  await page.getByText('Live', { exact: true }).waitFor();

  await t.test('the palette finds monitors and pages by keyboard alone', async (t) => {
    await page.keyboard.press('Control+k');
    await palette.waitFor();
    await page.getByRole('option', { name: 'Add monitor' }).waitFor();
    await examined('palette');
    await page.keyboard.type('shop');
    await page.getByRole('option', { name: /^Shop 127/ }).waitFor();
    await page.getByRole('option', { name: HOSTILE }).waitFor();
    t.equal(await page.locator('img').count(), 0, 'no name is markup');
    await page.getByRole('option', { name: 'Blog' }).waitFor({ state: 'detached' });
    await examined('palette-found');
    const chosen = () => page.locator('[role=option][aria-selected=true]').textContent();
    const first = await chosen();
    await page.keyboard.press('ArrowDown');
    await waitFor('another choice', 30_000, async () => (await chosen()) !== first);
    const isSpoken = async () =>
      (await field.getAttribute('aria-activedescendant')) ===
      (await page.locator('[role=option][aria-selected=true]').getAttribute('id'));
    await comesTo(t, isSpoken, true, 'screen readers know it too');
    await page.keyboard.press('ArrowUp');
    await comesTo(t, chosen, first);
    await field.fill('zzz');
    await page.getByText('Nothing is called “zzz”.').waitFor();
    await field.fill('incid');
    await page.getByRole('option', { name: 'Incidents' }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`${plane.url}/incidents`);
    await palette.waitFor({ state: 'detached' });
  });

  await t.test('the palette gives the focus back, and its commands work', async (t) => {
    const button = page.getByRole('button', { name: 'Search', exact: true });
    await button.click();
    await palette.waitFor();
    await page.keyboard.press('Escape');
    await palette.waitFor({ state: 'detached' });
    await comesTo(t, () => page.evaluate('document.activeElement.className'), 'search-button');
    await button.click();
    await field.fill('dark');
    await page.getByRole('option', { name: 'Colours: Dark' }).click();
    await page.locator('html[data-mantine-color-scheme=dark]').waitFor();
    await button.click();
    await field.fill('system');
    await page.getByRole('option', { name: 'Colours: System' }).click();
    await page.locator('html[data-mantine-color-scheme=light]').waitFor();
  });

  await t.test('keys open pages, and do nothing while one types', async (t) => {
    await page.locator('main').click();
    // Both keys are one command only if the second one follows soon, which a busy machine can miss.
    await waitFor('the monitors', 30_000, async () => {
      await page.keyboard.press('g');
      await page.keyboard.press('m');
      return page.url() === `${plane.url}/monitors`;
    });
    await page.getByRole('heading', { name: 'Monitors' }).waitFor();
    await page.locator('main input[type=search]').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('g o?');
    const typed = () => page.locator('main input[type=search]').inputValue();
    await comesTo(t, typed, 'g o?', 'the filter has the focus');
    t.match(page.url(), /\/monitors/);
    t.equal(await page.getByRole('dialog').count(), 0);
    await page.locator('main input[type=search]').fill('');
    await page.locator('h1').click();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    await page.getByText('Go to: Monitors').waitFor();
    for (const key of ['x', 'Enter', '←', '↓', 'Home', 'Page up']) {
      await comesTo(t, () => page.locator('kbd').getByText(key, { exact: true }).count(), 1, key);
    }
    await examined('keys');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor({ state: 'detached' });
  });

  await t.test('what the words mean is one step away from every page', async (t) => {
    const isGlossary = () => page.getByRole('heading', { name: 'Glossary', level: 1 }).waitFor();
    await page.keyboard.press('?');
    await page.getByRole('link', { name: 'What the words mean' }).click();
    await isGlossary();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const degraded = page.getByRole('term').filter({ hasText: 'Degraded' });
    await comesTo(t, () => degraded.count(), 1);
    await page.getByText('Up, but at least one location reports a failure').waitFor();
    await examined('glossary');
    await page.goto(`${plane.url}/monitors`);
    await page.getByRole('button', { name: /^Account/ }).click();
    await page.getByRole('link', { name: 'Glossary' }).click();
    await isGlossary();
    await page.keyboard.press('Control+k');
    await field.and(page.locator(':focus')).waitFor();
    await page.keyboard.type('meaning');
    await page.getByRole('option', { name: 'Glossary' }).waitFor();
    await page.keyboard.press('Escape');
    await page.goto(`${plane.url}/monitors`);
    await page.getByRole('heading', { name: 'Monitors' }).waitFor();
  });

  await t.test('the navigation can be reduced to icons, and stays so', async (t) => {
    const nav = page.getByRole('navigation', { name: 'Main navigation' });
    const width = async () => (await nav.boundingBox())?.width ?? 0;
    const isNarrow = async () => (await width()) < 80;
    await comesTo(t, () => nav.getByRole('link', { name: 'Settings' }).count(), 1);
    await comesTo(t, async () => (await width()) > 150, true, 'there is room for words');
    await nav.getByRole('button', { name: 'Collapse' }).click();
    await comesTo(t, isNarrow, true, 'there is room for icons');
    await page.reload();
    await page.getByRole('heading', { name: 'Monitors' }).waitFor();
    await comesTo(t, isNarrow, true, 'there is room for icons');
    await examined('narrow-navigation');
    await nav.getByRole('button', { name: 'Collapse' }).click();
  });

  await t.test('a phone has a bar of at most five entries', async (t) => {
    await page.setViewportSize({ width: 360, height: 740 });
    const entries = page.locator('.frame-nav .nav-link:visible');
    await comesTo(t, async () => (await entries.count()) <= 5, true, 'at most five entries');
    const small = async () => {
      const boxes = await Promise.all((await entries.all()).map((entry) => entry.boundingBox()));
      return boxes.filter((box) => box === null || box.height < 44 || box.width < 44);
    };
    await comesTo(t, small, [], 'each is large enough for a thumb');
    const more = page.getByRole('button', { name: 'More', exact: true });
    if ((await more.count()) > 0) {
      await more.click();
      const first = page.locator('.nav-more a').first();
      const to = await first.getAttribute('href');
      await first.click();
      await page.waitForURL(new RegExp(`${to}`));
      await page.locator('.nav-more a').first().waitFor({ state: 'detached' });
    }
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  await t.test('a viewer is offered no command that changes something, and reads German', async (t) => {
    const workspace = (await mongo.db.collection('workspaces').findOne({})) as unknown as { _id: string };
    const { cookie } = await storePerson(mongo, workspace._id, 'viewer');
    const viewer = await visitor(browser, { language: 'de' });
    await useSession(viewer.page, plane.url, cookie);
    await viewer.page.goto(`${plane.url}/incidents`);
    await viewer.page.getByText('Live', { exact: true }).waitFor();
    await viewer.page.getByRole('button', { name: 'Suchen', exact: true }).click();
    await viewer.page.getByRole('option', { name: 'Tasten anzeigen' }).waitFor();
    t.equal(await viewer.page.getByRole('option', { name: 'Monitor hinzufügen' }).count(), 0);
    violations.push(...(await viewer.examine('palette-german')));
    t.same(viewer.complaints, []);
    await viewer.close();
  });

  await t.test('a workspace is created and left again; nothing of the other one is shown', async (t) => {
    const second = await page.context().newPage();
    await second.goto(`${plane.url}/monitors`);
    await second.getByText('Blog', { exact: true }).waitFor();
    await second.getByText('Live', { exact: true }).waitFor();
    await page.getByRole('button', { name: /^Account/ }).click();
    await page.getByRole('button', { name: 'Create workspace', exact: true }).click();
    await examined('create-workspace');
    const dialog = page.getByRole('dialog', { name: 'Create workspace' });
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    await dialog.getByText('Fill in this field.').waitFor();
    await dialog.getByLabel('Name').fill(HOSTILE);
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByText('What should we watch?').waitFor();
    await page.locator('.account-button').getByText(HOSTILE).waitFor();
    await second.getByText('What should we watch?').waitFor();
    await comesTo(t, () => second.getByText('Blog', { exact: true }).count(), 0, 'the other tab too');
    await page.getByRole('button', { name: /^Account/ }).click();
    await examined('workspaces');
    await page.locator('.menu-scroll .menu-item[aria-pressed=false]').first().click();
    await page.getByRole('link', { name: /^\d+ monitors$/ }).waitFor();
  });

  t.same(violations, [], 'no page breaks a rule of accessibility');
  t.same(complaints, [], 'the browser complained about nothing');
});
