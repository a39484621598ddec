import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { visitor } from '../../helpers/dashboard/visitor.js';
import { testDatabase } from '../../helpers/database.js';
import { startChromium } from '../../helpers/machine/chromium.js';
import { type ControlPlane, startControlPlane } from '../../helpers/processes/control-plane.js';

// Browsers are slow on a busy machine.
t.setTimeout(300_000);

const MONITORS = 450;
const IMPORTED_AT_ONCE = 50;
/** Rows in the page: those in the window and some around it. */
const ROWS_MAX = 60;

t.test('a long list has few rows in the page, and all when one scrolls', async (t) => {
  const mongo = await testDatabase();
  const plane = await startControlPlane(mongo.uri);
  const browser = await startChromium();
  t.teardown(async () => {
    await browser.close();
    await plane.remove();
    await mongo.drop();
  });
  const monitors = Array.from({ length: MONITORS }, (_, index) => ({
    ...{ name: `Shop ${index + 1}`, type: 'tcp', url: `127.0.0.1:${1_000 + index}` },
  }));
  // On a busy machine, one transaction with all of them takes longer than a request may.
  for (let first = 0; first < MONITORS; first += IMPORTED_AT_ONCE) {
    const some = monitors.slice(first, first + IMPORTED_AT_ONCE);
    const imported = await plane.api('POST', '/v1/monitors/import', { version: 1, monitors: some });
    t.equal(imported.status, 200, JSON.stringify(imported.body).slice(0, 300));
  }
  const owner = JSON.parse(await readFile(join(plane.dataDir, 'first-run.json'), 'utf8'));
  const { page, complaints } = await visitor(browser);
  await page.goto(`${plane.url}/login?next=/monitors`);
  await page.getByLabel('E-mail address').fill(owner.email);
  await page.getByLabel('Password', { exact: true }).fill(owner.password);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await page.getByText('More than 200 monitors').waitFor();
  const rows = page.locator('.monitor-row');
  t.ok((await rows.count()) <= ROWS_MAX, `${await rows.count()} rows in the page`);
  // The window can be scrolled further each time that another page of the list has come.
  for (const seen of ['More than 400 monitors', `${MONITORS} monitors`]) {
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
    await page.getByText(seen, { exact: true }).waitFor();
  }
  await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
  await rows.getByText(await lastName(plane), { exact: true }).waitFor();
  t.ok((await rows.count()) <= ROWS_MAX, `${await rows.count()} rows in the page`);
  await page.getByLabel('Filter by name or address').fill('Shop 44');
  await page.getByText('11 monitors', { exact: true }).waitFor();
  t.same(complaints, []);
});

/** Resolves to the name of the monitor at the end of the list. Monitors that are imported together have any order. */
async function lastName(plane: ControlPlane): Promise<string> {
  const read = async (page: string): Promise<string> => {
    const { data, next_cursor: next } = (await plane.api('GET', `/v1/monitors?limit=200${page}`)).body;
    return next === null ? data.at(-1).name : read(`&cursor=${next}`);
  };
  return read('');
}
