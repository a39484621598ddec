import { existsSync } from 'node:fs';
import { readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { testDatabase } from '../../helpers/database.js';
import { startControlPlane } from '../../helpers/processes/control-plane.js';
import { waitFor } from '../../helpers/wait.js';
import { range, wordfenceRecord } from '../../helpers/wordpress/feed.js';
import { addSite, endOfJob, PATH, readCheck, readSite } from '../../helpers/wordpress/plane.js';
import { installPlugin, startWordpress } from '../../helpers/wordpress/site.js';

const WAIT_MS_MAX = 60_000;
const SLUG = 'fragile-forms';
const FILE = 'fragile-forms/fragile.php';
/** Fails on every page that the web server makes. */
const FATAL = `add_action('init', function () { if ('cli' !== PHP_SAPI) { no_such_function(); } });`;
/** What WordPress offers is what the test has stored. */
const OFFERS = `<?php
  add_filter('site_transient_update_plugins', function ($updates) {
    $offer = get_option('test_offer');
    if (!is_array($offer)) return $updates;
    $updates = is_object($updates) ? $updates : new stdClass();
    $updates->response['${FILE}'] = (object) $offer;
    return $updates;
  });`;
/** Kills the process of the update when it first looks at a page. */
const KILLS = `<?php
  add_filter('pre_http_request', function ($answer, $args, $url) {
    $code = (string) file_get_contents(WP_PLUGIN_DIR . '/${FILE}');
    $is_due = false !== strpos($url, 'picket-look') && false !== strpos($code, 'Version: 1.2.5');
    if ($is_due && !file_exists(__DIR__ . '/killed')) {
      touch(__DIR__ . '/killed');
      exec('kill -9 ' . getmypid());
    }
    return $answer;
  }, 10, 3);`;
/** The log-in page fails for strangers, but not for the site itself, once the new version is there. */
const FAILS_OUTSIDE = `<?php
  $is_own = false !== strpos($_SERVER['HTTP_USER_AGENT'] ?? '', 'WordPress/');
  $is_login = false !== strpos($_SERVER['REQUEST_URI'] ?? '', 'wp-login.php');
  $code = (string) file_get_contents(WP_PLUGIN_DIR . '/${FILE}');
  if (!$is_own && $is_login && false !== strpos($code, 'Version: 1.2.4')) { status_header(500); exit; }`;
/** An updater that dies after it has closed the site. */
const CLOSES = `<?php
  add_action('upgrader_process_complete', function () { file_put_contents(ABSPATH . '.maintenance', '<?php $upgrading = ' . time() . ';'); });`;

function codeOf(version: string, more = ''): string {
  return `<?php
/*
 * Plugin Name: Fragile Forms
 * Version: ${version}
 */
add_action('wp_footer', function () { echo 'forms ${version}'; });
${more}
`;
}

t.test('plugins of a real WordPress are updated and deactivated, and put back when a page fails', async (t) => {
  const mongo = await testDatabase();
  const feed = join(t.testdir(), 'feed.json');
  await writeFile(feed, JSON.stringify({ one: wordfenceRecord(SLUG, { '* - 1.2.3': range({ to: '1.2.3' }) }) }));
  const plane = await startControlPlane(mongo.uri, { PICKET_VULNERABILITY_FEED: feed });
  const wordpress = await startWordpress();
  t.teardown(async () => {
    await wordpress.remove();
    await plane.remove();
    await mongo.drop();
  });
  const archive = await fetch(`${plane.url}/install/picket-bridge.zip`);
  await installPlugin(wordpress, Buffer.from(await archive.arrayBuffer()));
  const mustUse = (name: string) => join(wordpress.root, 'wp-content/mu-plugins', name);
  await wordpress.php(
    `mkdir(WPMU_PLUGIN_DIR);
     mkdir(WP_PLUGIN_DIR . '/${SLUG}/parts', 0750, true);
     file_put_contents(WP_PLUGIN_DIR . '/${SLUG}/parts/old.txt', 'only in the old version');
     chmod(WP_PLUGIN_DIR . '/${SLUG}/parts/old.txt', 0640);
     wp_mkdir_p(wp_upload_dir()['path']);
     return 1;`,
  );
  await writeFile(mustUse('zz-offers.php'), OFFERS);
  await wordpress.php(
    `require_once ABSPATH . 'wp-admin/includes/admin.php';
     file_put_contents(WP_PLUGIN_DIR . '/${FILE}', base64_decode('${Buffer.from(codeOf('1.2.3')).toString('base64')}'));
     wp_clean_plugins_cache();
     return activate_plugin('${FILE}');`,
  );
  /** Makes WordPress offer a version. */
  const offer = async (version: string, more = '') => {
    const code = Buffer.from(codeOf(version, more)).toString('base64');
    await wordpress.php(
      `require_once ABSPATH . 'wp-admin/includes/class-pclzip.php';
       $folder = get_temp_dir() . 'offer-' . wp_generate_password(8, false);
       mkdir("$folder/${SLUG}", 0755, true);
       file_put_contents("$folder/${FILE}", base64_decode('${code}'));
       $path = wp_upload_dir()['basedir'] . '/fragile.zip';
       if (file_exists($path)) unlink($path);
       (new PclZip($path))->create("$folder/${SLUG}", PCLZIP_OPT_REMOVE_PATH, $folder);
       unlink("$folder/${FILE}"); rmdir("$folder/${SLUG}"); rmdir($folder);
       $package = wp_upload_dir()['baseurl'] . '/fragile.zip';
       return update_option('test_offer', array('slug' => '${SLUG}', 'plugin' => '${FILE}', 'new_version' => '${version}', 'package' => $package));`,
    );
  };
  const page = async (path = '/') => {
    const response = await fetch(`${wordpress.url}${path}`);
    return { status: response.status, body: await response.text() };
  };
  const state = async () => ({
    tree: wordpress.tree(),
    active: await wordpress.php(`return get_option('active_plugins');`),
    left: await wordpress.php(`return get_option('picket_bridge_plugin_change');`),
  });
  const { id, code } = await addSite(plane, wordpress.url);
  t.equal(await wordpress.php(`return picket_bridge_connect('${plane.url}', '${code}');`), true);
  const change = (what: string, slug = SLUG, body: unknown = { consent: true }) =>
    plane.api('POST', `${PATH}/${id}/plugins/${slug}/${what}`, body);
  const changed = async (what: string) => {
    const queued = await change(what);
    t.equal(queued.status, 202, JSON.stringify(queued.body));
    return endOfJob(plane, id, queued.body.data.id);
  };
  await waitFor('the look from outside', WAIT_MS_MAX, async () => (await readCheck(plane, id)).outside !== null);
  t.match(await readCheck(plane, id, 'vulnerable-plugins'), { status: 'failing', fixable: false });
  await offer('1.2.4');
  const before = await state();

  await t.test('what is not allowed changes nothing', async (t) => {
    for (const body of [{}, { consent: false }, { consent: true, version: '9' }]) {
      t.match(await change('update', SLUG, body), { status: 422, body: { code: 'validation_failed' } });
    }
    t.match(await change('update', 'no-such-plugin'), { status: 404, body: { detail: /“no-such-plugin”/ } });
    t.match(await change('update', 'picket-bridge'), { status: 409, body: { detail: /cannot change itself/ } });
    t.match(await change('deactivate', 'akismet'), { status: 409, body: { detail: /no vulnerability/ } });
    t.match(await change('restore', SLUG, {}), { status: 409, body: { detail: /nothing of “Fragile Forms”/ } });
    t.match(
      await wordpress.php(
        `return array(
           Picket_Bridge_Plugin_Change::run('job_x', 'update_plugin', 'picket-bridge'),
           Picket_Bridge_Plugin_Change::run('job_x', 'update_plugin', '../${SLUG}'),
           Picket_Bridge_Plugin_Change::run('job_x', 'update_plugin', '${SLUG}'));`,
      ),
      [
        { outcome: 'failed', error: /cannot change itself/ },
        { outcome: 'failed', error: /no such plugin/ },
        { outcome: 'failed', error: /not a command line/ },
      ],
    );
  });

  await t.test(
    'an update whose pages fail is put back, byte for byte, and the plugin is active as before',
    async (t) => {
      await offer('1.2.5', FATAL);
      t.match(await changed('update'), {
        ...{ kind: 'update_plugin', plugin: SLUG, status: 'rolled_back' },
        error:
          /^The plugin is as before, because after the change the home page answered with HTTP 500 instead of HTTP 200\.$/,
      });
      t.same(await state(), { ...before, tree: await without('uploads/fragile.zip') });
      t.match(await page(), { status: 200, body: /forms 1\.2\.3/ });
    },
  );

  await t.test('a process that is killed while every page fails is put back by the next visitor', async (t) => {
    await writeFile(mustUse('zz-kills.php'), KILLS);
    const queued = await change('update');
    await waitFor('the kill', WAIT_MS_MAX, () => existsSync(mustUse('killed')));
    t.match(await page(), { status: 200, body: /forms 1\.2\.3/ }, 'before the plugin is loaded');
    const job = await endOfJob(plane, id, queued.body.data.id);
    t.match(job, { status: 'rolled_back', error: /interrupted/ });
    for (const name of ['zz-kills.php', 'killed']) await rm(mustUse(name));
    t.same(await state(), { ...before, tree: await without('uploads/fragile.zip') });
  });

  await t.test('a page that fails only from outside makes Picket put the update back', async (t) => {
    await offer('1.2.4');
    await writeFile(mustUse('zz-fails.php'), FAILS_OUTSIDE);
    t.match(await changed('update'), {
      status: 'failed',
      error: 'After the change, seen from outside, the log-in page answers with HTTP 500. It is being put back.',
      note: /^Updated from 1\.2\.3 to 1\.2\.4, active as before/,
    });
    const { body } = await plane.api('GET', `${PATH}/sites/${id}/jobs`);
    t.match(body.data[0], { kind: 'restore_plugin', plugin: SLUG });
    t.match(await endOfJob(plane, id, body.data[0].id), { status: 'verified', note: /from before the update is back/ });
    await rm(mustUse('zz-fails.php'));
    t.same(await state(), { ...before, tree: await without('uploads/fragile.zip') });
  });

  await t.test('a plugin is deactivated, and activated again', async (t) => {
    t.match(await changed('deactivate'), { status: 'verified', note: /inactive, and the pages answer as before/ });
    t.notMatch((await page()).body, /forms/);
    t.match((await readSite(plane, id)).vulnerabilities.found, [{ slug: SLUG, active: false }]);
    t.match(await change('restore', SLUG, {}), { status: 202, body: { data: { kind: 'restore_plugin' } } });
    await waitFor(
      'the activation',
      WAIT_MS_MAX,
      async () => (await readSite(plane, id)).vulnerabilities.found[0].active,
    );
    const { body } = await plane.api('GET', `${PATH}/sites/${id}/jobs`);
    t.match(await endOfJob(plane, id, body.data[0].id), { status: 'verified', note: /active again/ });
    t.match((await page()).body, /forms 1\.2\.3/);
    t.same((await state()).active, before.active);
  });

  await t.test(
    'an update is installed, a left-over .maintenance is named, and the vulnerability is gone',
    async (t) => {
      const maintenance = join(wordpress.root, '.maintenance');
      await writeFile(maintenance, '<?php $upgrading = 1;');
      await utimes(maintenance, 1_700_000_000, 1_700_000_000);
      const job = await changed('update');
      t.match(job, { status: 'verified', error: null });
      t.match(job.note, /^Updated from 1\.2\.3 to 1\.2\.4, active as before, and the pages answer as before\./);
      t.match(
        job.note,
        /An earlier update has left the file \.maintenance of 2023-11-14 in the folder of WordPress\. Delete it\./,
      );
      t.ok(existsSync(maintenance), 'it is not of this update');
      await rm(maintenance);
      t.match(await page(), { status: 200, body: /forms 1\.2\.4/ });
      t.same((await state()).active, before.active);
      t.match(await readCheck(plane, id, 'vulnerable-plugins'), { status: 'passing', fix: { plugin: SLUG } });
      t.match(await change('update'), { status: 409 }, 'it is not vulnerable any more');
      const copies = [...wordpress.tree().keys()].filter((path) =>
        /picket-backups\/[0-9a-f]{32}\/fragile-forms\/fragile\.php$/.test(path),
      );
      t.equal(copies.length, 1);
      t.equal((await fetch(`${wordpress.url}/${copies[0]}`)).status, 403, 'nobody can run the old version');
    },
  );

  await t.test('what somebody has installed since an update is not put back', async (t) => {
    const main = join(wordpress.root, 'wp-content/plugins', FILE);
    const updated = await readFile(main, 'utf8');
    await writeFile(main, updated.replaceAll('1.2.4', '1.2.6'));
    const queued = await change('restore', SLUG, {});
    t.match(await endOfJob(plane, id, queued.body.data.id), {
      status: 'failed',
      error: /Somebody has installed version 1\.2\.6 since the update\. Nothing was changed\./,
    });
    t.match(await readFile(main, 'utf8'), '1.2.6');
    await writeFile(main, updated);
  });

  await t.test('a site that the updater has left closed is opened, and that is named', async (t) => {
    t.match((await change('restore', SLUG, {})).body.data, { kind: 'restore_plugin' });
    await waitFor(
      'the old version',
      WAIT_MS_MAX,
      async () => (await readCheck(plane, id, 'vulnerable-plugins')).status === 'failing',
    );
    const { body } = await plane.api('GET', `${PATH}/sites/${id}/jobs`);
    await endOfJob(plane, id, body.data[0].id);
    await writeFile(mustUse('zz-closes.php'), CLOSES);
    const job = await changed('update');
    t.match(job, { status: 'verified', note: /left the file \.maintenance, which closes the site\. It was removed\./ });
    t.notOk(existsSync(join(wordpress.root, '.maintenance')));
    await rm(mustUse('zz-closes.php'));
  });

  await t.test('an update that WordPress does not offer is refused', async (t) => {
    await change('restore', SLUG, {});
    await waitFor(
      'the old version',
      WAIT_MS_MAX,
      async () => (await readCheck(plane, id, 'vulnerable-plugins')).status === 'failing',
    );
    const { body } = await plane.api('GET', `${PATH}/sites/${id}/jobs`);
    await endOfJob(plane, id, body.data[0].id);
    await wordpress.php(`return delete_option('test_offer');`);
    t.match(await changed('update'), { status: 'failed', error: /offers no update.*Nothing was changed/ });
    await wordpress.php(`return symlink('/tmp', WP_PLUGIN_DIR . '/${SLUG}/link');`);
    t.match(await changed('update'), {
      status: 'failed',
      error: /fragile-forms\/link is a link\. Nothing was changed/,
    });
  });

  await t.test('hardening everything changes no plugin, and deactivating Picket Bridge leaves nothing', async (t) => {
    const queued = await plane.api('POST', `${PATH}/${id}/harden-all`);
    t.same(new Set(queued.body.data.map(({ kind }: { kind: string }) => kind)), new Set(['fix']));
    for (const job of queued.body.data) await endOfJob(plane, id, job.id);
    await wordpress.php(
      `require_once ABSPATH . 'wp-admin/includes/admin.php'; deactivate_plugins('picket-bridge/picket-bridge.php'); return 1;`,
    );
    t.notOk(existsSync(join(wordpress.root, 'wp-content/picket-backups')));
    t.same(
      await wordpress.php(
        `global $wpdb; return $wpdb->get_col("SELECT option_name FROM wp_options WHERE option_name LIKE 'picket%'");`,
      ),
      [],
    );
  });

  /** Returns how the site was at the beginning, with a file as it is now: the package is another one. */
  async function without(path: string) {
    const tree = new Map(before.tree);
    const name = `wp-content/${path}`;
    tree.set(name, wordpress.tree().get(name) ?? '');
    return tree;
  }
});
