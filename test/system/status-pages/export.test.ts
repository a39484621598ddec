import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { visitor } from '../../helpers/dashboard/visitor.js';
import { startChromium } from '../../helpers/machine/chromium.js';
import { nginxSite } from '../../helpers/machine/nginx.js';
import { startProduct } from '../../helpers/processes/product.js';
import { waitFor } from '../../helpers/wait.js';

const PROCESSES = ['control-plane', 'probe-fra', 'mongod'];

const folder = await mkdtemp(join(tmpdir(), 'picket-export-'));
const exported = join(folder, 'pages');
const product = await startProduct({ PICKET_LOCATIONS: 'fra', PICKET_STATUS_EXPORT: exported });
const nginx = await nginxSite('front', `location /status/ { alias ${exported}/; index index.html; }`);
const browser = await startChromium();
t.teardown(async () => {
  await browser.close();
  await nginx.remove();
  await product.remove();
  await rm(folder, { recursive: true, force: true });
});

t.test('nginx shows the page after every process of Picket was killed, and the page says when it is old', async (t) => {
  const groups = [{ name: 'Shop', components: [{ name: 'Checkout', tag: 'nothing-has-it' }] }];
  const page = await product.api('POST', '/v1/status-pages', { slug: 'example', title: 'Example Ltd', groups });
  t.equal(page.status, 201);
  const incident = { title: 'Payments are slow', state: 'identified', text: 'We are on it.' };
  const path = `/v1/status-pages/${page.body.data.id}/incidents`;
  t.equal((await product.api('POST', path, incident)).status, 201);
  await waitFor('the incident to be exported', 60_000, async () =>
    (await readFile(join(exported, 'example/index.html'), 'utf8')).includes('Payments are slow'),
  );
  await nginx.start();
  const pids = await Promise.all(PROCESSES.map((name) => product.pid(name)));
  await product.killSupervisor();
  for (const pid of pids) process.kill(pid, 'SIGKILL');
  await t.rejects(fetch(`${product.url}/status/example`), 'Picket is gone');

  const url = `${nginx.url}status/example/`;
  const reader = await visitor(browser);
  await reader.page.clock.install({ time: new Date() });
  await reader.page.goto(url);
  t.match(await reader.page.textContent('h1'), 'Example Ltd');
  t.match(await reader.page.textContent('main'), 'We are on it.');
  t.match(await reader.page.textContent('footer'), /As of \d+ \w+ \d{4}, \d\d:\d\d/);
  t.equal(await reader.page.isVisible('#stale'), false);
  t.same(await reader.examine('exported'), []);
  await reader.page.clock.fastForward('06:00');
  t.equal(await reader.page.isVisible('#stale'), true, 'while the page stays open');
  t.match(await reader.page.textContent('#stale'), 'more than 5 minutes');
  t.same(await reader.examine('exported-stale'), []);
  for (const link of ['Deutsch', 'Français', 'Español', 'English']) {
    await reader.page.click(`nav a:text-is("${link}")`);
    await reader.page.waitForLoadState();
    t.equal(await reader.page.isVisible('#stale'), true, link);
  }
  t.equal(await reader.page.getAttribute('html', 'lang'), 'en');
  t.same(reader.complaints, [], 'the content security policy allows what the page has');
  t.same(reader.foreignRequests, []);
  await reader.close();
  for (const form of ['feed.atom', 'status.json', 'maintenance.ics', 'badge.svg']) {
    t.equal((await fetch(`${url}${form}`)).status, 200, form);
  }
  t.equal((await fetch(`${nginx.url}status/`)).status, 403, 'no list of pages');
});
