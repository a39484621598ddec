import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chown, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { nudgeSignature, undoSignature } from '../../../control-plane/wordpress/protocol/signature.js';
import { testDatabase } from '../../helpers/database.js';
import { startControlPlane } from '../../helpers/processes/control-plane.js';
import { waitFor } from '../../helpers/wait.js';
import { addSite, connectSite, endOfJob, PATH, readCheck, readSite, UNDO_FILE } from '../../helpers/wordpress/plane.js';
import { installPlugin, startWordpress } from '../../helpers/wordpress/site.js';

const WAIT_MS_MAX = 60_000;
/** How soon a fix that has broken a site must be undone. */
const UNDONE_MS_MAX = 60_000;
/** The code of the theme, which is fatal on every request as the file `broken` says. PHP may have compiled it before. */
const THEME = `<?php
$broken = (string) @file_get_contents(__DIR__ . '/broken');
if ('always' === $broken || ('by the fix' === $broken && file_exists(WPMU_PLUGIN_DIR . '/picket-bridge-xmlrpc.php'))) {
  throw new Error('the theme is broken');
}`;
/** How many queries and files a request needs for the must-use plugin when there is nothing to do. */
const COSTS = `global $wpdb;
  $code = file_get_contents(WPMU_PLUGIN_DIR . '/0-picket-bridge-undo.php');
  $code = str_replace(array('<?php', "define( 'PICKET_BRIDGE_BEFORE_PLUGINS', true );"), '', $code);
  $before = array($wpdb->num_queries, count(get_included_files()));
  eval($code);
  return array($wpdb->num_queries - $before[0], count(get_included_files()) - $before[1]);`;
const DEACTIVATE = `require_once ABSPATH . 'wp-admin/includes/admin.php';
  deactivate_plugins('picket-bridge/picket-bridge.php');
  return 1;`;
const WWW_DATA = 33;

interface Signed {
  siteId: string;
  timeMs: number;
  nonce: string;
  secret: string;
}

t.test('fixes of a site that is fatal on every request are undone', async (t) => {
  const mongo = await testDatabase();
  const plane = await startControlPlane(mongo.uri);
  const wordpress = await startWordpress();
  t.teardown(async () => {
    await wordpress.remove();
    await plane.remove();
    await mongo.drop();
  });
  const archive = await fetch(`${plane.url}/install/picket-bridge.zip`);
  await installPlugin(wordpress, Buffer.from(await archive.arrayBuffer()));
  const path = (name: string) => join(wordpress.root, name);
  const theme = path(`wp-content/themes/${await wordpress.php('return get_stylesheet();')}`);
  const broken = join(theme, 'broken');
  t.notOk(existsSync(join(theme, 'functions.php')), 'the theme has no code of its own');
  await writeFile(join(theme, 'functions.php'), THEME);
  const unconnected = wordpress.tree();
  const { id, code } = await addSite(plane, wordpress.url);
  await connectSite(plane, wordpress, code);
  const before = wordpress.tree();
  const { secret } = (await wordpress.php('return Picket_Bridge_Connection::get();')) as { secret: string };

  const statusOf = async (of: string) => (await fetch(`${wordpress.url}${of}`, { redirect: 'manual' })).status;
  const measure = () => wordpress.php('return Picket_Bridge_Poll::run(true);');
  /** Fixes or undoes checks as a job does. */
  const change = (how: 'apply' | 'undo', checks: readonly string[]) =>
    wordpress.php(
      `return array_map(function ($id) { return Picket_Bridge_Measurement::checks()[$id]->${how}(); },
         ${JSON.stringify(checks)});`,
    );
  const applied = { outcome: 'applied', error: '' };

  const signed = (of: Partial<Signed> = {}) => {
    const nudge = { siteId: id, timeMs: Date.now(), nonce: randomBytes(16).toString('hex'), secret, ...of };
    const body = { site_id: nudge.siteId, time_ms: nudge.timeMs, nonce: nudge.nonce };
    return {
      nudge: { ...body, signature: nudgeSignature(nudge.secret, nudge) },
      undo: { ...body, undo: true, signature: undoSignature(nudge.secret, nudge) },
    };
  };
  const send = async (body: unknown) => {
    const response = await fetch(`${wordpress.url}/?rest_route=/picket-bridge/v1/nudge`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return response.status;
  };

  await t.test('a connected site has the must-use plugin, which costs other requests nothing', async (t) => {
    const added = [...before.keys()].filter((name) => !unconnected.has(name));
    t.same(added, ['wp-content/mu-plugins', UNDO_FILE]);
    await measure();
    t.match(await readSite(plane, id), { undo_before_plugins: { status: 'passing' } });
    t.same(await wordpress.php(COSTS), [0, 0], 'neither a query nor another file');
  });

  await t.test('a site that a fix has broken is back within a minute', async (t) => {
    t.same(await change('apply', ['xmlrpc', 'directory-browsing']), [applied, applied]);
    await measure();
    await writeFile(broken, 'by the fix');
    for (const page of ['/', '/wp-login.php', '/wp-admin/']) t.equal(await statusOf(page), 500, page);
    const { body } = await plane.api('POST', `${PATH}/${id}/undo/xmlrpc`);
    const job = await endOfJob(plane, id, body.data.id);
    t.match(job, { status: 'verified', error: null, before_plugins: true });
    t.ok(Date.parse(job.ended_at) - Date.parse(job.created_at) < UNDONE_MS_MAX);
    t.equal(await statusOf('/'), 200);
    t.match(await readSite(plane, id), { home: { status: 'passing', evidence: /HTTP 200/ } });
    t.match(await readCheck(plane, id), { applied: false, fix: { before_plugins: true } });
    t.match(await readCheck(plane, id, 'directory-browsing'), { applied: true }, 'what nobody undoes stays');
    await rm(broken);
    t.same(await change('undo', ['directory-browsing']), [applied]);
    t.same(wordpress.tree(), before);
  });

  await t.test('only a new nudge of Picket is taken', async (t) => {
    await writeFile(broken, 'always');
    const first = signed();
    t.equal(await send(first.undo), 200);
    t.equal(await send(first.undo), 403, 'it works once');
    t.equal(await send(signed({ timeMs: first.undo.time_ms - 1 }).undo), 403, 'older than the last one');
    t.equal(await send(signed({ timeMs: Date.now() - 301_000 }).undo), 403, 'more than five minutes old');
    t.equal(await send(signed({ timeMs: Date.now() + 301_000 }).undo), 403, 'of the future');
    t.equal(await send(signed({ siteId: `site_${'0'.repeat(26)}` }).undo), 403, 'of another site');
    t.equal(await send(signed({ secret: 'f'.repeat(64) }).undo), 403, 'with another secret');
    const { undo, nudge } = signed();
    const changed = [
      { time_ms: undo.time_ms + 1 },
      { nonce: randomBytes(16).toString('hex') },
      { signature: nudge.signature },
      { time_ms: String(undo.time_ms) },
      { nonce: 7 },
      { signature: null },
      { signature: '' },
    ];
    for (const one of changed) t.equal(await send({ ...undo, ...one }), 403, JSON.stringify(one));
    t.equal(await send({ undo: true }), 403);
    for (const other of [nudge, [], 'undo', null, { ...undo, undo: 1 }, { more: 'x'.repeat(5_000), ...undo }]) {
      t.equal(await send(other), 500, 'the must-use plugin leaves it to WordPress, which is fatal');
    }
    t.equal(await send(undo), 200, 'none of these has used it up');
    await rm(broken);
    t.same(wordpress.tree(), before);
  });

  for (const way of ['file', 'constant'] as const) {
    await t.test(`safe mode by a ${way} undoes every fix`, async (t) => {
      t.same(await change('apply', ['xmlrpc', 'directory-browsing']), [applied, applied]);
      await writeFile(broken, 'always');
      const config = path('wp-config.php');
      const source = await readFile(config, 'utf8');
      if (way === 'file') await writeFile(path('wp-content/picket-safe-mode'), '');
      else await writeFile(config, source.replace('<?php', `<?php define('PICKET_SAFE_MODE', true);`));
      // PHP may have compiled wp-config.php a moment ago.
      await waitFor('safe mode', WAIT_MS_MAX, async () => {
        t.equal(await statusOf('/'), 500, 'the theme is still fatal');
        return !existsSync(path('wp-content/mu-plugins/picket-bridge-xmlrpc.php'));
      });
      t.equal(existsSync(path('.htaccess')), before.has('.htaccess'));
      await rm(broken);
      await measure();
      t.match(await readCheck(plane, id), { applied: false, manual: { reason: /^Safe mode is on/, snippet: null } });
      t.match(await change('apply', ['xmlrpc']), [{ outcome: 'failed', error: /^Safe mode is on.* was changed\.$/ }]);
      if (way === 'file') await rm(path('wp-content/picket-safe-mode'));
      else await writeFile(config, source);
      t.same(wordpress.tree(), before);
      await measure();
      t.match(await readCheck(plane, id), { manual: null });
    });
  }

  await t.test('a site without the must-use plugin says why, and works as before', async (t) => {
    const folder = path('wp-content/mu-plugins');
    const file = path(UNDO_FILE);
    const stateAfterPoll = async () => {
      t.equal(await send(signed().nudge), 200);
      return (await readSite(plane, id)).undo_before_plugins;
    };
    await writeFile(file, '<?php // mine');
    t.match(await stateAfterPoll(), {
      status: 'failing',
      evidence: /0-picket-bridge-undo.php exists and is not of Picket/,
    });
    t.equal(await readFile(file, 'utf8'), '<?php // mine');
    await rm(file);
    await chown(folder, 0, 0);
    t.match(await stateAfterPoll(), { status: 'failing', evidence: /0-picket-bridge-undo.php cannot be written/ });
    t.same(await change('apply', ['directory-browsing']), [applied]);
    t.same(await change('undo', ['directory-browsing']), [applied]);
    await chown(folder, WWW_DATA, WWW_DATA);
    t.match(await stateAfterPoll(), { status: 'passing' });
    t.same(wordpress.tree(), before);
  });

  await t.test('deactivation removes it', async (t) => {
    await wordpress.php(DEACTIVATE);
    t.same(wordpress.tree(), unconnected);
    t.match(await readSite(plane, id), { status: 'disconnected', undo_before_plugins: null, home: null });
  });
});
