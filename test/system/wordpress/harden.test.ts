import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { testDatabase } from '../../helpers/database.js';
import { startControlPlane } from '../../helpers/processes/control-plane.js';
import { waitFor } from '../../helpers/wait.js';
import { addSite, connectSite, endOfJob, PATH, readCheck, readSite } from '../../helpers/wordpress/plane.js';
import { installPlugin, startWordpress } from '../../helpers/wordpress/site.js';

const WAIT_MS_MAX = 60_000;
const DEACTIVATE = `require_once ABSPATH . 'wp-admin/includes/admin.php';
  deactivate_plugins('picket-bridge/picket-bridge.php');
  return 1;`;
const OPTIONS = `global $wpdb;
  return $wpdb->get_col("SELECT option_name FROM wp_options WHERE option_name LIKE 'picket%'");`;
/** WP-CLI as far as the plugin uses it: a process of the command line registers commands, and an error ends it. */
const WP_CLI = `<?php
  if ('cli' === PHP_SAPI) {
    define('WP_CLI', true);
    class WP_CLI {
      public static $commands = array();
      public static function add_command($name, $class) { self::$commands[$name] = $class; }
      public static function error($message) { throw new Exception("Error: $message"); }
      public static function success($message) { self::$commands['said'] = "Success: $message"; }
      public static function run($command, $method, $args) {
        try {
          call_user_func(array(new self::$commands[$command](), $method), $args, array());
        } catch (Exception $error) {
          return $error->getMessage();
        }
        return self::$commands['said'];
      }
    }
  }`;
/** Holds up the first request after the fix is written until somebody waits for the lock of the job. */
const HOLDS_UP = `<?php
  add_filter('pre_http_request', function ($answer) {
    global $wpdb;
    if (!file_exists(__DIR__ . '/picket-bridge-xmlrpc.php') || file_exists(__DIR__ . '/held')) return $answer;
    touch(__DIR__ . '/held');
    $waiting = "SELECT COUNT(*) FROM information_schema.processlist
      WHERE id <> CONNECTION_ID() AND info LIKE 'SELECT GET_LOCK(%'";
    for ($n = 0; $n < 500 && '0' === $wpdb->get_var($waiting); $n++) usleep(50000);
    return $answer;
  });`;

t.test('XML-RPC of a real WordPress is closed, proven from outside, and opened again', async (t) => {
  const mongo = await testDatabase();
  const plane = await startControlPlane(mongo.uri);
  const wordpress = await startWordpress();
  t.teardown(async () => {
    await wordpress.remove();
    await plane.remove();
    await mongo.drop();
  });
  const archive = await fetch(`${plane.url}/install/picket-bridge.zip`);
  t.equal(archive.headers.get('content-type'), 'application/zip');
  await installPlugin(wordpress, Buffer.from(await archive.arrayBuffer()));
  const unconnected = wordpress.tree();
  const { id, code } = await addSite(plane, wordpress.url);

  await t.test('the code connects the site, which proves that it is the one at the URL', async (t) => {
    t.match(await readSite(plane, id), { status: 'waiting', score: null });
    t.match(
      await wordpress.php(
        `return picket_bridge_connect('${plane.url}', 'WRONG-WRONG-WRONG-WRONG')->get_error_message();`,
      ),
      /wrong, was used before, or has expired/,
    );
    await connectSite(plane, wordpress, code);
    const site = await waitFor('the proof', WAIT_MS_MAX, async () => {
      const read = await readSite(plane, id);
      return read.proven_at === null ? null : read;
    });
    t.match(site, { status: 'connected', score: 10, wordpress_version: /^6\./, server: /Apache|command line/ });
    t.match(
      await wordpress.php(`return picket_bridge_connect('${plane.url}', '${code}')->get_error_message();`),
      /was used before/,
      'a code works once',
    );
  });

  const before = wordpress.tree();

  await t.test('the open XML-RPC is seen inside and from outside', async (t) => {
    t.match((await wordpress.xmlrpc()).body, '<methodResponse>');
    const check = await waitFor('both looks', WAIT_MS_MAX, async () => {
      const read = await readCheck(plane, id);
      return read.outside === null ? null : read;
    });
    t.match(check, {
      ...{ status: 'failing', evidence: /offers \d\d methods/, applied: false, fixable: true, fix: null },
      outside: { status: 'failing', evidence: /offers \d\d methods/ },
    });
    t.match(await readCheck(plane, id, 'vulnerable-plugins'), { status: 'unknown', evidence: /feed/, fixable: false });
  });

  await t.test('the fix is queued, delivered, applied and verified', async (t) => {
    const queued = await plane.api('POST', `${PATH}/${id}/harden/xmlrpc`);
    t.match(queued, { status: 202, body: { data: { kind: 'fix', status: 'queued' } } });
    const job = await endOfJob(plane, id, queued.body.data.id);
    t.match(job, { status: 'verified', error: null, delivered_at: String, applied_at: String });
    t.equal((await wordpress.xmlrpc()).status, 403);
    t.equal((await fetch(`${wordpress.url}/`)).status, 200);
    t.match(await readCheck(plane, id), {
      ...{ status: 'passing', applied: true, fix: { status: 'verified' } },
      outside: { status: 'passing', evidence: /HTTP 403/ },
    });
    t.match(await readSite(plane, id), { score: 20 }, 'and the debug mode is off');
    t.match(await plane.api('POST', `${PATH}/${id}/harden/vulnerable-plugins`), {
      ...{ status: 409, body: { code: 'no_automatic_fix' } },
    });
  });

  await t.test('undoing it leaves the same bytes as before', async (t) => {
    const queued = await plane.api('POST', `${PATH}/${id}/undo/xmlrpc`);
    t.match(await endOfJob(plane, id, queued.body.data.id), { kind: 'undo', status: 'verified' });
    t.match((await wordpress.xmlrpc()).body, '<methodResponse>');
    t.same(wordpress.tree(), before);
    t.match(await readCheck(plane, id), { status: 'failing', applied: false });
    t.match(await plane.api('POST', `${PATH}/${id}/undo/xmlrpc`), { status: 409, body: { code: 'conflict' } });
  });

  await t.test('a change after which the site fails is undone by the site itself', async (t) => {
    // The home page of this site fails as soon as the fix is there.
    await wordpress.php(
      `return file_put_contents(WPMU_PLUGIN_DIR . '/zz-breaks.php', '<?php
         if (file_exists(__DIR__ . "/picket-bridge-xmlrpc.php") && "/" === ($_SERVER["REQUEST_URI"] ?? "")) { status_header(500); exit; }');`,
    );
    const queued = await plane.api('POST', `${PATH}/${id}/harden/xmlrpc`);
    const job = await endOfJob(plane, id, queued.body.data.id);
    t.match(job, { status: 'rolled_back', error: /HTTP 500 instead of HTTP 200/ });
    t.equal((await fetch(`${wordpress.url}/`)).status, 200);
    t.match(await readCheck(plane, id), { status: 'failing', applied: false, fix: { status: 'rolled_back' } });
    await wordpress.php(`return unlink(WPMU_PLUGIN_DIR . '/zz-breaks.php');`);
    t.same(wordpress.tree(), before);
  });

  await t.test('a job whose process is killed between writing and testing is undone', async (t) => {
    await wordpress.php(
      `return file_put_contents(WPMU_PLUGIN_DIR . '/zz-kills.php', '<?php
         add_filter("pre_http_request", function ($answer, $args, $url) {
           if (file_exists(__DIR__ . "/picket-bridge-xmlrpc.php") && !file_exists(__DIR__ . "/killed")) {
             touch(__DIR__ . "/killed");
             exec("kill -9 " . getmypid());
           }
           return $answer;
         }, 10, 3);');`,
    );
    const queued = await plane.api('POST', `${PATH}/${id}/harden/xmlrpc`);
    const job = await endOfJob(plane, id, queued.body.data.id);
    t.match(job, { status: 'rolled_back', error: /interrupted/ });
    t.match((await wordpress.xmlrpc()).body, '<methodResponse>');
    await wordpress.php(`unlink(WPMU_PLUGIN_DIR . '/zz-kills.php'); return unlink(WPMU_PLUGIN_DIR . '/killed');`);
    t.same(wordpress.tree(), before);
  });

  await t.test('an undoing that was interrupted is finished, and an unfinished file is removed', async (t) => {
    const job = `job_${'0'.repeat(26)}`;
    t.same(
      await wordpress.php(
        `file_put_contents(WPMU_PLUGIN_DIR . '/picket-bridge-xmlrpc.php.picket-new', '<?php');
         $running = array('id' => '${job}', 'check' => 'xmlrpc', 'kind' => 'undo');
         update_option('picket_bridge_state', array('running' => $running, 'done' => array()), false);
         return Picket_Bridge_Jobs::results();`,
      ),
      [{ job_id: job, outcome: 'applied', error: '' }],
    );
    t.same(wordpress.tree(), before);
  });

  await t.test('no more results are sent than Picket takes', async (t) => {
    const sent = await wordpress.php(
      `$done = array();
       for ($n = 0; $n < 21; $n++) $done[sprintf('job_%026d', $n)] = array('outcome' => 'applied', 'error' => '');
       $last = array();
       foreach (array(null, array('id' => sprintf('job_%026d', 99), 'check' => 'xmlrpc', 'kind' => 'fix')) as $running) {
         update_option('picket_bridge_state', array('running' => $running, 'done' => $done), false);
         $results = Picket_Bridge_Jobs::results();
         $last[] = array(count($results), end($results)['job_id']);
       }
       update_option('picket_bridge_state', array('running' => null, 'done' => $done), false);
       $last[] = Picket_Bridge_Poll::run();
       delete_option('picket_bridge_state');
       return $last;`,
    );
    const id = (n: number) => `job_${String(n).padStart(26, '0')}`;
    t.same(sent, [[20, id(20)], [20, id(99)], true], 'the newest, and Picket takes them');
  });

  await t.test('a copy in a folder of the site does not speak for it', async (t) => {
    const isConnected = `null !== Picket_Bridge_Connection::get()`;
    t.match(
      await wordpress.php(
        `$original = ${isConnected};
         add_filter('option_home', function ($home) { return $home . '/staging'; }, 99);
         return array($original, ${isConnected}, Picket_Bridge_Connection::why_lost());`,
      ),
      [true, false, /copied from another address/],
    );
  });

  await t.test('a fix during which the connection ends is not left on the site', async (t) => {
    // As another process deletes it: what this one has cached stays. The folder is moved aside, so that the fix makes one.
    const appliedWhile = (hook: string) =>
      wordpress.php(
        `global $wpdb;
         $is_connection = array('option_name' => 'picket_bridge_connection');
         $row = $wpdb->get_row("SELECT * FROM $wpdb->options WHERE option_name = 'picket_bridge_connection'", ARRAY_A);
         get_option('picket_bridge_connection');
         add_filter('${hook}', function ($value) use ($is_connection) {
           global $wpdb;
           $wpdb->delete($wpdb->options, $is_connection);
           return $value;
         });
         rename(WPMU_PLUGIN_DIR, WP_CONTENT_DIR . '/aside');
         delete_option('picket_bridge_made_folder');
         $result = Picket_Bridge_Measurement::checks()['xmlrpc']->apply();
         rename(WP_CONTENT_DIR . '/aside', WPMU_PLUGIN_DIR);
         update_option('picket_bridge_made_folder', 1, false);
         $wpdb->insert($wpdb->options, $row);
         return $result;`,
      );
    t.match(await appliedWhile('pre_http_request'), { outcome: 'failed', error: /deactivated before the change/ });
    t.match(await appliedWhile('add_option_picket_bridge_made_folder'), {
      ...{ outcome: 'rolled_back', error: /deactivated during the change/ },
    });
    t.same(wordpress.tree(), before);
  });

  await t.test('a file of somebody else is left alone', async (t) => {
    await wordpress.php(`return file_put_contents(WPMU_PLUGIN_DIR . '/picket-bridge-xmlrpc.php', '<?php // mine');`);
    const theirs = wordpress.tree();
    const queued = await plane.api('POST', `${PATH}/${id}/harden/xmlrpc`);
    t.match(await endOfJob(plane, id, queued.body.data.id), { status: 'failed', error: /is not of Picket/ });
    t.same(wordpress.tree(), theirs);
    t.match(await readCheck(plane, id), { manual: { reason: /is not of Picket/, snippet: null } });
    await wordpress.php(
      `unlink(WPMU_PLUGIN_DIR . '/picket-bridge-xmlrpc.php');
       return Picket_Bridge_Poll::run(true);`,
    );
    t.match(await readCheck(plane, id), { manual: null });
  });

  await t.test('deactivating the plugin takes everything back and ends the connection', async (t) => {
    const queued = await plane.api('POST', `${PATH}/${id}/harden-all`);
    for (const job of queued.body.data) {
      t.match(await endOfJob(plane, id, job.id), { check: job.check, status: 'verified', error: null });
    }
    t.equal((await wordpress.xmlrpc()).status, 403);
    await wordpress.php(DEACTIVATE);
    t.match((await wordpress.xmlrpc()).body, '<methodResponse>');
    t.same(wordpress.tree(), unconnected);
    t.match(await readSite(plane, id), { status: 'disconnected' });
    t.match(await readCheck(plane, id), { status: 'unknown', applied: false });
    t.match(await plane.api('POST', `${PATH}/${id}/harden-all`), { status: 409, body: { code: 'conflict' } });
    t.same(await wordpress.php(OPTIONS), []);
  });

  await t.test('deactivation waits for a job that is running, and takes it back', async (t) => {
    const { body } = await plane.api('POST', `${PATH}/sites/${id}/activation-code`);
    await wordpress.php(
      `require_once ABSPATH . 'wp-admin/includes/admin.php';
       mkdir(WPMU_PLUGIN_DIR);
       return activate_plugin('picket-bridge/picket-bridge.php');`,
    );
    const folder = join(wordpress.root, 'wp-content/mu-plugins');
    await writeFile(join(folder, 'zz-wp-cli.php'), WP_CLI);
    const wpPicketConnect = (...args: string[]) =>
      wordpress.php(`return WP_CLI::run('picket', 'connect', ${JSON.stringify(args)});`);
    t.match(
      [
        await wpPicketConnect('http://picket.test', body.data.activation_code),
        await wpPicketConnect(plane.url, 'WRONG'),
        await wpPicketConnect(plane.url, body.data.activation_code),
      ],
      [
        'Error: Enter the URL of Picket, which begins with https://.',
        /^Error: The activation code is wrong/,
        'Success: This site is connected to Picket.',
      ],
      'wp picket connect',
    );
    await writeFile(join(folder, 'zz-holds-up.php'), HOLDS_UP);
    const queued = await plane.api('POST', `${PATH}/${id}/harden/xmlrpc`);
    await waitFor('the job', WAIT_MS_MAX, () => existsSync(join(folder, 'held')));
    await wordpress.php(DEACTIVATE);
    const jobs = await plane.api('GET', `${PATH}/sites/${id}/jobs`);
    t.match(jobs.body.data[0], { id: queued.body.data.id, applied_at: String }, 'the job has ended before');
    t.match((await wordpress.xmlrpc()).body, '<methodResponse>');
    await rm(folder, { recursive: true });
    t.same(wordpress.tree(), unconnected);
    t.same(await wordpress.php(OPTIONS), []);
  });

  await t.test('deleting the plugin removes what a deactivation that failed has left', async (t) => {
    await wordpress.php(
      `require_once ABSPATH . 'wp-admin/includes/admin.php';
       mkdir(WPMU_PLUGIN_DIR);
       update_option('picket_bridge_made_folder', 1, false);
       file_put_contents(WPMU_PLUGIN_DIR . '/picket-bridge-xmlrpc.php', '<?php // Picket Bridge: XML-RPC is closed');
       return uninstall_plugin('picket-bridge/picket-bridge.php');`,
    );
    t.same(wordpress.tree(), unconnected);
    t.same(await wordpress.php(OPTIONS), []);
  });

  await t.test('a multisite network is refused', async (t) => {
    await wordpress.becomeNetwork();
    const refused = await wordpress.php(
      `require_once WP_PLUGIN_DIR . '/picket-bridge/picket-bridge.php';
       $error = picket_bridge_connect('${plane.url}', 'AAAAA-AAAAA-AAAAA-AAAAA')->get_error_message();
       return array($error, Picket_Bridge_Measurement::checks()['xmlrpc']->apply());`,
    );
    t.match(refused, [/part of a multisite network/, { outcome: 'failed', error: /part of a multisite network/ }]);
    t.notOk(existsSync(join(wordpress.root, 'wp-content/mu-plugins')));
  });
});
