import { readFileSync, writeFileSync } from 'node:fs';
import https from 'node:https';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { testDatabase } from '../../helpers/database.js';
import { startControlPlane } from '../../helpers/processes/control-plane.js';
import { waitFor } from '../../helpers/wait.js';
import { addSite, connectSite, endOfJob, PATH, readCheck } from '../../helpers/wordpress/plane.js';
import { installPlugin, startWordpress, type Wordpress, type WordpressOptions } from '../../helpers/wordpress/site.js';

const WAIT_MS_MAX = 60_000;

t.test('a web server that reads no .htaccess gets what a person pastes', async (t) => {
  const { plane, wordpress, id } = await connectedSite(t, { allowOverride: 'None' });
  const before = wordpress.tree();
  for (const check of ['directory-browsing', 'block-php-uploads']) {
    t.match(await readCheck(plane, id, check), {
      status: 'failing',
      fixable: true,
      applied: false,
      manual: { reason: 'The web server does not read .htaccess files.', snippet: { server: 'apache' } },
    });
  }
  const { body } = await plane.api('POST', `${PATH}/${id}/harden-all`);
  const checks = body.data.map((job: { check: string }) => job.check);
  t.same(checks, ['xmlrpc', 'file-editor', 'hide-version'], 'only what works on every web server');
  for (const job of body.data) t.match(await endOfJob(plane, id, job.id), { status: 'verified' });
  for (const check of checks) {
    const undo = await plane.api('POST', `${PATH}/${id}/undo/${check}`);
    t.match(await endOfJob(plane, id, undo.body.data.id), { status: 'verified' });
  }
  const again = await plane.api('POST', `${PATH}/${id}/harden/directory-browsing`);
  t.match(await endOfJob(plane, id, again.body.data.id), {
    status: 'failed',
    error: 'The web server does not read .htaccess files. Nothing was changed.',
  });
  t.same(wordpress.tree(), before);
});

t.test('a directive that the host forbids is found in a folder of its own', async (t) => {
  const { plane, wordpress, id } = await connectedSite(t, { allowOverride: 'AuthConfig FileInfo' });
  const before = wordpress.tree();
  t.match(await readCheck(plane, id, 'directory-browsing'), {
    manual: { reason: /does not allow these directives/, snippet: { text: 'Options -Indexes' } },
  });
  t.match(await readCheck(plane, id, 'block-php-uploads'), { status: 'failing', manual: null });
  await wordpress.php(`return wp_mkdir_p(wp_upload_dir()['basedir']);`);
  const log = wordpress.errors().length;
  const { body } = await plane.api('POST', `${PATH}/${id}/harden/directory-browsing`);
  t.match(await endOfJob(plane, id, body.data.id), { status: 'failed', error: /Nothing was changed/ });
  t.same(wordpress.tree(), before);
  const refused =
    wordpress
      .errors()
      .slice(log)
      .match(/[^ ]*\.htaccess: Options not allowed here/g) ?? [];
  t.not(refused.length, 0);
  t.ok(
    refused.every((line) => line.includes('picket-canary-')),
    'the site itself never had the directive',
  );
});

t.test('headers, debug mode and fatal errors of a site with TLS', async (t) => {
  const { plane, wordpress, id } = await connectedSite(t, { tls: true });
  const get = (path: string) => getWithTls(wordpress, path);
  const measure = () => wordpress.php(`return Picket_Bridge_Poll::run(true);`);

  const readFatal = async () => {
    await measure();
    return readCheck(plane, id, 'fatal-errors');
  };
  async function harden(t: Test, check: string) {
    const { body } = await plane.api('POST', `${PATH}/${id}/harden/${check}`);
    t.match(await endOfJob(plane, id, body.data.id), { status: 'verified', error: null });
  }
  async function undo(t: Test, check: string) {
    const { body } = await plane.api('POST', `${PATH}/${id}/undo/${check}`);
    t.match(await endOfJob(plane, id, body.data.id), { status: 'verified', error: null });
  }

  await t.test('what the host sends stays, and no header is sent twice', async (t) => {
    await wordpress.php(
      `return file_put_contents(ABSPATH . '.htaccess', "Header always set X-Frame-Options DENY\\nHeader set Referrer-Policy unsafe-url");`,
    );
    const before = wordpress.tree();
    t.same((await get('/wp-login.php')).headers['x-frame-options'], ['DENY', 'SAMEORIGIN'], 'PHP sends one more');
    t.match(
      await wordpress.php(`return Picket_Bridge_Security_Headers_Check::problems(
      Picket_Bridge_Self_Request::page(home_url('/'))['headers']);`),
      {
        'Strict-Transport-Security': 'missing',
        'Content-Security-Policy': 'missing',
        'Referrer-Policy': 'not safe',
        'X-Frame-Options': undefined,
      },
    );
    await harden(t, 'security-headers');
    t.match(await readCheck(plane, id, 'security-headers'), { outside: { status: 'passing' } });
    for (const path of ['/', '/wp-login.php', '/?rest_route=/', '/readme.html', '/there-is-none', '/wp-admin/']) {
      const { headers } = await get(path);
      t.same(
        ['strict-transport-security', 'x-frame-options', 'content-security-policy', 'referrer-policy'].map(
          (name) => headers[name],
        ),
        [
          ['max-age=15552000'],
          ['DENY'],
          ["frame-ancestors 'self'; base-uri 'self'; object-src 'none'; upgrade-insecure-requests"],
          ['strict-origin-when-cross-origin'],
        ],
        path,
      );
    }
    const plain = await fetch(`${wordpress.plainUrl}/readme.html`);
    t.equal(plain.headers.get('strict-transport-security'), null, 'it has no meaning without TLS');
    await harden(t, 'security-headers');
    t.equal((await get('/')).headers['referrer-policy']?.length, 1, 'doing it again changes nothing');
    await undo(t, 'security-headers');
    t.same(wordpress.tree(), before);
  });

  await t.test('what is requested without TLS is redirected, but for a certificate authority', async (t) => {
    const before = wordpress.tree();
    const plain = (path: string) => fetch(`${wordpress.plainUrl}${path}`, { redirect: 'manual' });
    const checks = { status: 'failing', manual: null, outside: { status: 'failing', evidence: /without TLS/ } };
    t.match(await readCheck(plane, id, 'force-https'), checks);
    await harden(t, 'force-https');
    t.match(await readCheck(plane, id, 'force-https'), { status: 'passing', outside: { status: 'passing' } });
    for (const path of ['/?a=b%20c', '/readme.html', '/wp-login.php', '/wp-content/uploads/x%20y.jpg']) {
      const { status, headers } = await plain(path);
      t.strictSame([status, headers.get('location')], [301, `${wordpress.url}${path}`]);
    }
    t.equal((await plain('/.well-known/acme-challenge/x')).status, 404);
    const foreign = await fetch(`${wordpress.plainUrl}/`, { redirect: 'manual', headers: { host: 'evil.example' } });
    t.equal(foreign.headers.get('location'), `${wordpress.url}/`);
    t.equal((await get('/')).status, 200);
    await undo(t, 'force-https');
    t.same(wordpress.tree(), before);
  });

  await t.test('fatal errors of the log are counted by the place', async (t) => {
    const config = join(wordpress.root, 'wp-config.php');
    const source = readFileSync(config, 'utf8');
    const debug = `<?php\n# define('WP_DEBUG', true);\ndefine( "WP_DEBUG" , TRUE ) ; define('WP_DEBUG_LOG', true);\r\n`;
    writeFileSync(config, source.replace('<?php\n', debug));
    await wordpress.php(
      `return file_put_contents(WPMU_PLUGIN_DIR . '/zz-broken.php', "<?php\nif (isset(\\$_GET['broken'])) {\n  there_is_none();\n}\n");`,
    );
    await waitFor('the log', WAIT_MS_MAX, async () => {
      const seen = await readFatal();
      return seen.status === 'passing';
    });
    t.equal((await get('/?broken=1')).status, 500);
    t.equal((await get('/?broken=1')).status, 500);
    t.match(await readFatal(), {
      status: 'failing',
      fixable: false,
      outside: null,
      evidence: '2 fatal errors in 24 hours: wp-content/mu-plugins/zz-broken.php:3 (2)',
    });
  });

  await t.test('the debug mode is switched off in wp-config.php, and on again', async (t) => {
    const file = join(wordpress.root, 'wp-config.php');
    const source = readFileSync(file, 'utf8');
    const without = source.replace(/define\( "WP_DEBUG" , TRUE \) ;/, '');
    for (const [line, expected] of [
      [`if (!defined('WP_DEBUG')) define('WP_DEBUG', true);`, /^$/],
      [`define('WP_DEBUG', 1);`, /^$/],
      [`define('WP_DEBUG', false);`, /^$/],
      [`const WP_DEBUG = true;`, /not set by a plain line/],
      [`define('WP_DEBUG', !getenv('PRODUCTION'));`, /not set by a plain line/],
      [`if (true) define('WP_DEBUG', true); else define('WP_DEBUG', false);`, /not set by a plain line/],
    ] as const) {
      writeFileSync(file, without.replace('<?php', `<?php ${line}`));
      t.match(
        await wordpress.php(`return Picket_Bridge_Measurement::checks()['debug-mode']->obstacle();`),
        expected,
        line,
      );
    }
    writeFileSync(file, source);
    const before = wordpress.tree();
    t.match(await readCheck(plane, id, 'debug-mode'), {
      status: 'failing',
      manual: null,
      evidence: /WP_DEBUG is on.*everybody can read wp-content\/debug.log/,
    });
    await harden(t, 'debug-mode');
    t.match(await readCheck(plane, id, 'debug-mode'), { status: 'passing', evidence: 'WP_DEBUG is off' });
    const config = readFileSync(join(wordpress.root, 'wp-config.php'), 'utf8');
    t.match(config, /define\( "WP_DEBUG" , false \/\* Picket: was TRUE \*\/ \) ;/);
    t.equal((await get('/wp-content/debug.log')).status, 403);
    await undo(t, 'debug-mode');
    const after = wordpress.tree();
    // WordPress goes on writing its log.
    for (const tree of [before, after]) tree.delete('wp-content/debug.log');
    t.same(after, before);
  });
});

/** Gets a page with TLS. The headers are as they were sent: one that was sent twice has two values. */
async function getWithTls({ url, certificate }: Wordpress, path: string) {
  const ca = readFileSync(certificate);
  return new Promise<{ status: number; headers: NodeJS.Dict<string[]> }>((resolve, reject) => {
    const request = https.get(`${url}${path}`, { ca }, (response) => {
      response.resume();
      resolve({ status: response.statusCode ?? 0, headers: response.headersDistinct });
    });
    request.once('error', reject);
  });
}

/** Connects a real WordPress to a control plane that trusts its certificate. */
async function connectedSite(t: { teardown(run: () => unknown): void }, options: WordpressOptions) {
  const mongo = await testDatabase();
  const wordpress = await startWordpress(options);
  const trusted = options.tls === true ? { NODE_EXTRA_CA_CERTS: wordpress.certificate } : {};
  const plane = await startControlPlane(mongo.uri, trusted);
  t.teardown(async () => {
    await wordpress.remove();
    await plane.remove();
    await mongo.drop();
  });
  const archive = await fetch(`${plane.url}/install/picket-bridge.zip`);
  await installPlugin(wordpress, Buffer.from(await archive.arrayBuffer()));
  await wordpress.php(`return wp_mkdir_p(wp_upload_dir()['path']);`);
  const { id, code } = await addSite(plane, wordpress.url);
  await connectSite(plane, wordpress, code);
  await waitFor('the look from outside', WAIT_MS_MAX, async () => (await readCheck(plane, id)).outside !== null);
  return { plane, wordpress, id };
}
