import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { createExportFolder } from '../../../control-plane/status-pages/export/folder.js';
import { MINUTE_MS, PATH, startStatusPages } from '../../helpers/status-pages/app.js';

const root = await mkdtemp(join(tmpdir(), 'picket-export-'));
const exportDir = join(root, 'status');
const pages = await startStatusPages({ exportDir });
const { app, created, clock } = pages;
t.teardown(async () => {
  await pages.stop();
  await rm(root, { recursive: true, force: true });
});

const read = (path: string) => readFile(join(exportDir, path), 'utf8');
const present = async (folder = '') => (await readdir(join(exportDir, folder))).sort();
const patch = async (id: string, body: object) => {
  const answer = await app.request('PATCH', `${PATH}/${id}`, { body });
  t.equal(answer.status, 200, answer.text);
};
const FILES = [
  '.picket-status-page',
  'badge.svg',
  'components',
  'feed.atom',
  'index.de.html',
  'index.en.html',
  'index.es.html',
  'index.fr.html',
  'index.html',
  'maintenance.ics',
  'status.json',
];

t.test('a public page is a folder of files, with links that work in it', async (t) => {
  const monitor = await pages.addMonitor();
  const groups = [{ components: [{ name: 'Shop', monitor_id: monitor._id }] }];
  const page = await created({ slug: 'shop', title: 'Shop Ltd', groups });
  const component = page.groups[0]?.components[0]?.id ?? '';
  await pages.exportFiles();
  t.same(await present('shop'), FILES);
  t.same(await present('shop/components'), [component]);
  t.match(await read(`shop/components/${component}/badge.svg`), /<svg.*Shop/s);
  t.equal((await stat(join(exportDir, 'shop/index.html'))).mode & 0o777, 0o644);
  t.equal((await stat(join(exportDir, 'shop'))).mode & 0o777, 0o755);
  const html = await read('shop/index.html');
  t.match(html, /lang="en"/);
  t.match(await read('shop/index.de.html'), /lang="de".*Alle Systeme/s);
  t.match(html, '<link rel="canonical" href="http://picket.test/status/shop">');
  const links = [...html.matchAll(/href="([^"]+)"/g)]
    .map(([, link = '']) => link)
    .filter((link) => !link.startsWith('http'));
  t.ok(links.includes('index.de.html') && links.includes('feed.atom'));
  for (const link of links) t.ok(FILES.includes(link), link);
  t.match(
    html,
    /<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-[^']+'; script-src 'sha256-/,
  );
  t.match(html, /data-as-of="2031-01-31T12:34:00.000Z" hidden/);
  t.match(html, 'As of 31 Jan 2031, 12:34');
  t.notMatch(await pages.html('shop'), /<script|data-as-of/, 'the live page has no script');
  const json = JSON.parse(await read('shop/status.json'));
  t.match(json, { page: { title: 'Shop Ltd', url: 'http://picket.test/status/shop' } });
  t.match(await read('shop/feed.atom'), '<id>http://picket.test/status/shop</id>');
});

t.test('files are written when something changed, and the page each minute', async (t) => {
  t.equal(await pages.exportFiles(), 0);
  const monitor = await pages.addMonitor();
  const groups = [{ components: [{ name: 'Mail', monitor_id: monitor._id }] }];
  const page = await created({ slug: 'mail', title: 'Mail Ltd', groups, incidents_after_minutes: null });
  t.equal(await pages.exportFiles(), 10, 'only the new page');
  await pages.changeMonitor(monitor, { state: { ...monitor.state, status: 'down' } });
  t.equal(
    await pages.exportFiles(),
    8,
    'six pages and forms that say so, and two badges; feed and calendar are the same',
  );
  t.match(await read('mail/index.html'), /All systems are down/);
  const feed = (await stat(join(exportDir, 'mail/feed.atom'))).mtimeMs;
  await clock.advance(MINUTE_MS);
  t.equal(await pages.exportFiles(), 12, 'of both pages, what says the time');
  t.match(await read('mail/index.html'), 'As of 31 Jan 2031, 12:35');
  t.equal((await stat(join(exportDir, 'mail/feed.atom'))).mtimeMs, feed);
  const id = page.groups[0]?.components[0]?.id;
  await patch(page.id, { groups: [{ components: [{ name: 'New', tag: 'x' }] }] });
  await pages.exportFiles();
  t.notOk(
    (await present('mail/components')).includes(`${id}`) && (await present(`mail/components/${id}`)).length > 0,
    'the badge is gone',
  );
});

t.test(
  'a page that is no longer public leaves no file; neither does one that moved, was deleted or is stopped',
  async (t) => {
    const secret = { title: 'Narrow', visibility: 'password', password: 'correct horse' };
    await created({ slug: 'never', ...secret });
    const narrowed = await created({ slug: 'narrow', title: 'Narrow' });
    const moved = await created({ slug: 'from', title: 'Moved' });
    const deleted = await created({ slug: 'deleted', title: 'Deleted' });
    await pages.exportFiles();
    t.same(await present(), ['deleted', 'from', 'mail', 'narrow', 'shop']);
    await patch(narrowed.id, { visibility: 'members' });
    await patch(moved.id, { slug: 'onto' });
    await app.request('DELETE', `${PATH}/${deleted.id}`);
    await pages.exportFiles();
    t.same(await present(), ['mail', 'onto', 'shop']);
    await patch(narrowed.id, { visibility: 'public' });
    await pages.exportFiles();
    t.same(
      await present('narrow'),
      FILES.filter((name) => name !== 'components'),
    );
    pages.stopped.add(app.workspace.id);
    await pages.exportFiles();
    t.same(await present(), []);
    pages.stopped.clear();
  },
);

t.test('nothing of others is written to, followed or removed; nothing leaves the folder', async (t) => {
  await mkdir(join(exportDir, 'theirs'), { recursive: true });
  await writeFile(join(exportDir, 'theirs', 'index.html'), 'theirs');
  await mkdir(join(root, 'outside'));
  await symlink(join(root, 'outside'), join(exportDir, 'linked'));
  await created({ slug: 'theirs', title: 'x' });
  await created({ slug: 'linked', title: 'x' });
  await pages.exportFiles();
  t.equal(await read('theirs/index.html'), 'theirs');
  t.same(await readdir(join(root, 'outside')), []);
  t.ok((await present()).includes('shop'), 'other pages are written');
  const folder = createExportFolder(exportDir);
  for (const slug of ['..', '.', '', '../x', 'a/b', 'a\\b', 'A', 'a\0', '-a', 'a--b']) {
    await t.rejects(folder.write(slug, 'index.html', 'x'), { message: /not the slug/ }, slug);
    await t.rejects(folder.keepOnly(slug, new Set()), { message: /not the slug/ }, slug);
  }
  for (const path of [
    '../x.html',
    '/etc/x.html',
    'components/../../x.svg',
    '.picket-status-page',
    'components/cmp_x/badge.svg',
  ]) {
    await t.rejects(folder.write('shop', path, 'x'), { message: /not a file/ }, path);
  }
  t.same((await readdir(root)).sort(), ['outside', 'status']);
});

t.test('what a crash has left is removed, and a file is replaced as a whole', async (t) => {
  const folder = createExportFolder(exportDir);
  await folder.write('crash', 'index.html', 'x'.repeat(100_000));
  await writeFile(join(exportDir, 'crash', '.left.tmp'), 'half');
  let isReading = true;
  const reading = (async () => {
    const sizes = new Set<number>();
    while (isReading) sizes.add((await read('crash/index.html')).length);
    return sizes;
  })();
  for (let index = 0; index < 50; index++) {
    await folder.write(
      'crash',
      'index.html',
      (index % 2 === 0 ? 'y' : 'x').repeat(index % 2 === 0 ? 200_000 : 100_000),
    );
  }
  isReading = false;
  for (const size of await reading) t.ok([100_000, 200_000].includes(size), String(size));
  await folder.keepOnly('crash', new Set(['index.html']));
  t.same(await present('crash'), ['.picket-status-page', 'index.html']);
});
