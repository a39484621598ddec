import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { testDatabase } from '../../helpers/database.js';
import { startControlPlane } from '../../helpers/processes/control-plane.js';
import { waitFor } from '../../helpers/wait.js';
import { range, wordfenceRecord } from '../../helpers/wordpress/feed.js';
import { addSite, connectSite, endOfJob, PATH, readCheck, readSite } from '../../helpers/wordpress/plane.js';
import { installPlugin, startWordpress } from '../../helpers/wordpress/site.js';

/** A plugin that is not active. */
const FRAGILE = '<?php\n/*\n * Plugin Name: Fragile Forms\n * Version: 1.2.3.0\n */\n';
const WAIT_MS_MAX = 60_000;
const FIXED = ['xmlrpc', 'directory-browsing', 'block-php-uploads', 'file-editor', 'hide-version'];
/** What WordPress and a person have in .htaccess: the last line has no line break, and one has that of Windows. */
const HTACCESS = '# mine\r\nRedirect 301 /old /\n# BEGIN WordPress\n# END WordPress';

t.test('a real WordPress is measured and hardened, and is the same afterwards', async (t) => {
  const mongo = await testDatabase();
  const feed = join(t.testdir(), 'feed.json');
  const affected = { '* - 1.2.3': range({ to: '1.2.3' }) };
  writeFileSync(feed, JSON.stringify({ one: wordfenceRecord('fragile-forms', affected) }));
  const plane = await startControlPlane(mongo.uri, { PICKET_VULNERABILITY_FEED: feed });
  const wordpress = await startWordpress();
  t.teardown(async () => {
    await wordpress.remove();
    await plane.remove();
    await mongo.drop();
  });
  const archive = await fetch(`${plane.url}/install/picket-bridge.zip`);
  await installPlugin(wordpress, Buffer.from(await archive.arrayBuffer()));
  await wordpress.php(
    `wp_mkdir_p(wp_upload_dir()['path']);
     file_put_contents(wp_upload_dir()['basedir'] . '/shell.phtml', '<?php echo 6 * 7;');
     file_put_contents(wp_upload_dir()['basedir'] . '/photo.txt', 'a photo');
     chmod(ABSPATH, 0755);
     return file_put_contents(ABSPATH . '.htaccess', ${JSON.stringify(HTACCESS).replaceAll('$', '\\$')});`,
  );
  await wordpress.php(
    `mkdir(WP_PLUGIN_DIR . '/fragile-forms');
     return file_put_contents(WP_PLUGIN_DIR . '/fragile-forms/fragile.php', '${FRAGILE}');`,
  );
  const file = join(wordpress.root, '.htaccess');
  const get = async (path: string) => {
    const response = await fetch(`${wordpress.url}${path}`, { redirect: 'manual' });
    return { status: response.status, headers: response.headers, body: await response.text() };
  };
  const { id, code } = await addSite(plane, wordpress.url);
  await connectSite(plane, wordpress, code);
  const before = wordpress.tree();

  await t.test('what is open is seen inside, and from outside where that is possible', async (t) => {
    await waitFor('the look from outside', WAIT_MS_MAX, async () => (await readCheck(plane, id)).outside !== null);
    const { checks } = await readSite(plane, id);
    t.match(checks, [
      { id: 'xmlrpc', status: 'failing', outside: { status: 'failing' } },
      {
        id: 'debug-mode',
        status: 'passing',
        evidence: 'WP_DEBUG is off',
        fixable: true,
        outside: { status: 'unknown', evidence: /no public debug.log/ },
      },
      {
        id: 'directory-browsing',
        status: 'failing',
        fixable: true,
        manual: null,
        outside: { status: 'failing', evidence: 'wp-includes/ lists its files' },
      },
      { id: 'block-php-uploads', status: 'failing', evidence: /runs/, outside: { status: 'unknown' } },
      { id: 'file-editor', status: 'failing', evidence: '1 of 1 administrators may edit plugins or themes' },
      { id: 'hide-version', status: 'failing', outside: { status: 'failing', evidence: /the home page, the feed/ } },
      {
        id: 'force-https',
        status: 'failing',
        evidence: /without TLS/,
        outside: { status: 'failing' },
        manual: { reason: /begin with http:/, snippet: null },
      },
      {
        id: 'security-headers',
        status: 'failing',
        evidence: /Content-Security-Policy: missing/,
        manual: { reason: /has no HTTPS/, snippet: null },
      },
      { id: 'fatal-errors', status: 'unknown', evidence: /no file that WordPress can read/, outside: null },
      {
        id: 'vulnerable-plugins',
        status: 'failing',
        evidence: /^Fragile Forms 1\.2\.3\.0: fixed in 1\.2\.4 \(Wordfence Intelligence of /,
        fixable: false,
      },
    ]);
    t.same(wordpress.tree(), before, 'no canary is left');
  });

  await t.test('one request fixes everything that has a fix', async (t) => {
    const queued = await plane.api('POST', `${PATH}/${id}/harden-all`);
    t.same(
      queued.body.data.map((job: { check: string }) => job.check),
      FIXED,
    );
    for (const job of queued.body.data) {
      const { check, status, error } = await endOfJob(plane, id, job.id);
      t.same({ check, status, error }, { check: job.check, status: 'verified', error: null });
    }
    for (const check of FIXED) t.match(await readCheck(plane, id, check), { status: 'passing', applied: true }, check);
    t.match(await readSite(plane, id), { score: 60 });
    t.same((await plane.api('POST', `${PATH}/${id}/harden-all`)).body.data, [], 'nothing is left to fix');
  });

  await t.test('a stranger sees the effect, and the site still works', async (t) => {
    t.equal((await get('/wp-includes/')).status, 403);
    t.equal((await get('/wp-content/uploads/shell.phtml')).status, 403);
    t.match(await get('/wp-content/uploads/photo.txt'), { status: 200, body: 'a photo' });
    const { version } = (await wordpress.php(`return array('version' => $GLOBALS['wp_version']);`)) as never;
    for (const path of ['/', '/?feed=rss2', '/?feed=atom', '/wp-login.php', '/wp-links-opml.php']) {
      const { status, body } = await get(path);
      t.equal(status, 200, path);
      t.notOk(body.includes(version), `${path} does not contain ${version}`);
    }
    const style = /href='([^']*wp-includes[^']*\.css\?ver=[^']+)'/.exec((await get('/wp-login.php')).body)?.[1] ?? '';
    t.equal((await fetch(style.replaceAll('&#038;', '&'))).status, 200, style);
    t.equal((await get('/old')).status, 301, 'the directives of the owner still work');
    t.same(
      await wordpress.php(
        `$user = get_user_by('login', 'admin');
         return array_map(function ($cap) use ($user) { return user_can($user, $cap); },
           array('edit_plugins', 'edit_themes', 'update_plugins', 'install_plugins', 'edit_posts'));`,
      ),
      [false, false, true, true, true],
    );
  });

  await t.test('a vulnerable plugin is found until it is updated', async (t) => {
    t.match((await readSite(plane, id)).vulnerabilities, {
      total: 1,
      found: [{ slug: 'fragile-forms', active: false, notices: [{ text: /Defiant/ }, { text: /MITRE/ }] }],
    });
    const plugin = join(wordpress.root, 'wp-content/plugins/fragile-forms/fragile.php');
    const code = readFileSync(plugin, 'utf8');
    writeFileSync(plugin, code.replace('1.2.3.0', '1.2.4'));
    t.equal(await wordpress.php(`return Picket_Bridge_Poll::run();`), true);
    t.match(await readCheck(plane, id, 'vulnerable-plugins'), { status: 'passing', evidence: /^none of \d+ plugins/ });
    writeFileSync(plugin, code);
    t.equal(await wordpress.php(`return Picket_Bridge_Poll::run();`), true);
    t.match(await readCheck(plane, id, 'vulnerable-plugins'), { status: 'failing' });
  });

  await t.test('WordPress may rewrite .htaccess meanwhile', async (t) => {
    const hardened = readFileSync(file);
    await wordpress.php(
      `require_once ABSPATH . 'wp-admin/includes/admin.php';
       return insert_with_markers(ABSPATH . '.htaccess', 'WordPress', array('Redirect 301 /older /'));`,
    );
    t.equal((await get('/older')).status, 301);
    t.equal((await get('/wp-includes/')).status, 403);
    writeFileSync(file, hardened);
  });

  await t.test('undoing each leaves the same bytes as before', async (t) => {
    for (const check of FIXED) {
      const { body } = await plane.api('POST', `${PATH}/${id}/undo/${check}`);
      t.match(await endOfJob(plane, id, body.data.id), { status: 'verified', error: null }, check);
      t.match(await readCheck(plane, id, check), { status: 'failing', applied: false }, check);
    }
    t.same(wordpress.tree(), before);
    t.equal((await get('/wp-content/uploads/shell.phtml')).body, '42');
  });

  await t.test('a canary that a killed process has left is removed by the next one', async (t) => {
    await wordpress.php(
      `return file_put_contents(WPMU_PLUGIN_DIR . '/zz-kills.php', '<?php
         add_filter("pre_http_request", function ($answer, $args, $url) {
           if (false !== strpos($url, "picket-canary-") && !file_exists(__DIR__ . "/killed")) {
             touch(__DIR__ . "/killed");
             exec("kill -9 " . getmypid());
           }
           return $answer;
         }, 10, 3);');`,
    );
    await t.rejects(wordpress.php(`return Picket_Bridge_Poll::run(true);`));
    const canaries = () => [...wordpress.tree().keys()].filter((path) => path.includes('picket-canary-'));
    t.not(canaries().length, 0);
    t.equal(await wordpress.php(`return Picket_Bridge_Poll::run(true);`), true);
    t.same(canaries(), []);
    await wordpress.php(`unlink(WPMU_PLUGIN_DIR . '/zz-kills.php'); return unlink(WPMU_PLUGIN_DIR . '/killed');`);
    t.same(wordpress.tree(), before);
  });
});
