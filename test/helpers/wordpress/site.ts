import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createHash, randomInt } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../machine/ports.js';
import { waitFor } from '../wait.js';

const run = promisify(execFile);

const STARTED_MS_MAX = 120_000;
const MODULES_DIR = '/usr/lib/apache2/modules';
/** `wp_install` takes it as it is. */
export const ADMIN = { name: 'admin', password: 'correct horse battery staple' };

/** Debian's WordPress in a folder of its own, on its own Apache and MariaDB. It needs root. */
export interface Wordpress {
  /** Of the home page, without a slash at the end. */
  url: string;
  /** The same without TLS. */
  plainUrl: string;
  /** The file of the certificate of a site with TLS. */
  certificate: string;
  /** The folder that Apache serves. */
  root: string;
  /** Runs PHP with WordPress loaded, as the user of the web server. Resolves to what the code returns. */
  php(code: string): Promise<unknown>;
  /** Turns the site into the first one of a multisite network. */
  becomeNetwork(): Promise<void>;
  /** Calls XML-RPC as a stranger. */
  xmlrpc(): Promise<{ status: number; body: string }>;
  /** Returns every file below `root` with its content, mode and owner as a hash, and every folder. */
  tree(): Map<string, string>;
  /** What Apache and PHP have logged. */
  errors(): string;
  remove(): Promise<void>;
}

export interface WordpressOptions {
  /** What Apache allows in .htaccess files. */
  allowOverride?: string;
  /** Serves the site with TLS, and without on another port. */
  tls?: boolean;
}

export async function startWordpress({
  allowOverride = 'All',
  tls = false,
}: WordpressOptions = {}): Promise<Wordpress> {
  const folder = await mkdtemp(join(tmpdir(), 'picket-wordpress-'));
  await chmod(folder, 0o755);
  const root = join(folder, 'site');
  // A site with TLS has an address of its own, because the address without TLS follows only from the usual ports.
  const host = tls ? `127.${randomInt(1, 255)}.${randomInt(1, 255)}.${randomInt(1, 255)}` : '127.0.0.1';
  const port = tls ? 80 : await freePort();
  const authority = tls ? host : `${host}:${port}`;
  const plainUrl = `http://${authority}`;
  const url = tls ? `https://${authority}` : plainUrl;
  const children: ChildProcess[] = [];
  let isInstalled = false;
  const errors = () => readFileSync(join(folder, 'error.log'), 'utf8');
  const remove = async () => {
    for (const child of [...children].reverse()) await ended(child);
    // A process of Apache may be writing its last file.
    await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  };
  const php = async (code: string) => {
    const file = join(folder, 'eval.php');
    await writeFile(file, phpFile({ root, authority, isInstalled }, code));
    const { stdout } = await asWebServer('php', ['-d', 'display_errors=stderr', file]);
    return JSON.parse(stdout.slice(stdout.lastIndexOf('\n') + 1));
  };
  try {
    // The package consists of links into other folders.
    await run('cp', ['-rL', '/usr/share/wordpress', root]);
    children.push(await startMariadb(folder));
    await writeFile(join(root, 'wp-config.php'), wpConfig(folder, url));
    await run('chown', ['-R', 'www-data:www-data', root]);
    children.push(await startApache(folder, { root, host, port, tls, allowOverride }));
    await php(
      `require_once ABSPATH . 'wp-admin/includes/upgrade.php';
       return wp_install('Shop', '${ADMIN.name}', 'admin@shop.test', true, '', '${ADMIN.password}');`,
    );
    isInstalled = true;
    await waitFor('WordPress', STARTED_MS_MAX, async () => (await fetch(`${plainUrl}/`)).status < 400);
  } catch (error) {
    await remove();
    throw error;
  }
  return {
    url,
    plainUrl,
    root,
    php,
    errors,
    remove,
    certificate: join(folder, 'tls.crt'),
    async xmlrpc() {
      const response = await fetch(`${url}/xmlrpc.php`, {
        method: 'POST',
        headers: { 'content-type': 'text/xml' },
        body: '<?xml version="1.0"?><methodCall><methodName>system.listMethods</methodName></methodCall>',
      });
      return { status: response.status, body: await response.text() };
    },
    async becomeNetwork() {
      const { host } = new URL(url);
      const made = await php(
        `global $wpdb;
         require_once ABSPATH . 'wp-admin/includes/upgrade.php';
         foreach ($wpdb->tables('ms_global') as $table => $name) $wpdb->$table = $name;
         install_network();
         return populate_network(1, '${host}', 'admin@shop.test', 'Shops', '/', false);`,
      );
      if (made !== true) throw new Error(`the network was not made: ${JSON.stringify(made)}`);
      await writeFile(join(root, 'wp-config.php'), wpConfig(folder, url, networkConstants(host)));
    },
    tree: () => treeOf(root),
  };
}

/** Installs a plugin from an archive as the administration does, and activates it. */
export async function installPlugin(wordpress: Wordpress, zip: Buffer): Promise<void> {
  const file = join(wordpress.root, '..', 'plugin.zip');
  await writeFile(file, zip, { mode: 0o644 });
  const result = await wordpress.php(
    `require_once ABSPATH . 'wp-admin/includes/admin.php';
     require_once ABSPATH . 'wp-admin/includes/class-wp-upgrader.php';
     $upgrader = new Plugin_Upgrader(new Automatic_Upgrader_Skin());
     $installed = $upgrader->install('${file}');
     $active = activate_plugin('picket-bridge/picket-bridge.php');
     return array(true === $installed, null === $active);`,
  );
  if (JSON.stringify(result) !== '[true,true]')
    throw new Error(`the plugin was not installed: ${JSON.stringify(result)}`);
}

async function startMariadb(folder: string): Promise<ChildProcess> {
  const data = join(folder, 'database');
  await mkdir(data);
  await run('chown', ['mysql:mysql', data]);
  const common = ['--no-defaults', '--user=mysql', `--datadir=${data}`];
  await run('mariadb-install-db', [...common, '--auth-root-authentication-method=normal', '--skip-test-db']);
  const socket = join(data, 'socket');
  const child = spawn(
    '/usr/sbin/mariadbd',
    [...common, '--skip-networking', `--socket=${socket}`, `--pid-file=${data}/pid`, '--skip-log-bin'],
    { stdio: 'ignore' },
  );
  endWithProcess(child);
  await waitFor('MariaDB', STARTED_MS_MAX, async () => {
    await run('mariadb', ['--no-defaults', `--socket=${socket}`, '-e', 'CREATE DATABASE IF NOT EXISTS wordpress']);
    return true;
  });
  return child;
}

interface ApacheOptions {
  root: string;
  host: string;
  port: number;
  tls: boolean;
  allowOverride: string;
}

async function startApache(folder: string, options: ApacheOptions): Promise<ChildProcess> {
  const php = (await readdir(MODULES_DIR)).find((name) => /^libphp[\d.]*\.so$/.test(name));
  if (php === undefined) throw new Error('Apache has no module for PHP: install libapache2-mod-php');
  const config = join(folder, 'apache.conf');
  await writeFile(config, apacheConfig({ ...options, folder, php }));
  await writeFile(join(folder, 'error.log'), '');
  if (options.tls) {
    const subject = ['-subj', `/CN=${options.host}`, '-addext', `subjectAltName=IP:${options.host}`];
    const files = ['-keyout', join(folder, 'tls.key'), '-out', join(folder, 'tls.crt')];
    await run('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...subject, ...files]);
  }
  // Detached, because Apache ends its whole process group when it ends.
  const child = spawn('/usr/sbin/apache2', ['-f', config, '-D', 'FOREGROUND'], { stdio: 'ignore', detached: true });
  endWithProcess(child);
  await waitFor('Apache', STARTED_MS_MAX, async () => {
    await fetch(`http://${options.host}:${options.port}/readme.html`);
    return true;
  });
  return child;
}

function apacheConfig({
  folder,
  root,
  host,
  port,
  tls,
  allowOverride,
  php,
}: ApacheOptions & { folder: string; php: string }): string {
  const modules = ['mpm_prefork', 'authz_core', 'dir', 'mime', 'env', 'headers', 'rewrite', 'autoindex', 'alias'];
  if (tls) modules.push('socache_shmcb', 'ssl');
  return `ServerRoot ${folder}
ServerName 127.0.0.1
PidFile ${folder}/apache.pid
ErrorLog ${folder}/error.log
${modules.map((name) => `LoadModule ${name}_module ${MODULES_DIR}/mod_${name}.so`).join('\n')}
LoadModule php_module ${MODULES_DIR}/${php}
User www-data
Group www-data
Listen ${host}:${port}
StartServers 2
MaxRequestWorkers 8
TypesConfig /etc/mime.types
DocumentRoot ${root}
DirectoryIndex index.php index.html
<Directory ${root}>
  Options Indexes FollowSymLinks
  AllowOverride ${allowOverride}
  Require all granted
</Directory>
<FilesMatch "\\.ph(ar|p|tml)$">
  SetHandler application/x-httpd-php
</FilesMatch>
${tls ? tlsConfig(folder, root, host) : ''}`;
}

function tlsConfig(folder: string, root: string, host: string): string {
  return `Listen ${host}:443
<VirtualHost ${host}:443>
  DocumentRoot ${root}
  SSLEngine on
  SSLCertificateFile ${folder}/tls.crt
  SSLCertificateKeyFile ${folder}/tls.key
</VirtualHost>
`;
}

function networkConstants(host: string): string {
  return `define('MULTISITE', true);
define('SUBDOMAIN_INSTALL', false);
define('DOMAIN_CURRENT_SITE', '${host}');
define('PATH_CURRENT_SITE', '/');
define('SITE_ID_CURRENT_SITE', 1);
define('BLOG_ID_CURRENT_SITE', 1);
`;
}

function wpConfig(folder: string, url: string, constants = ''): string {
  const keys = ['AUTH', 'SECURE_AUTH', 'LOGGED_IN', 'NONCE'].flatMap((name) => [`${name}_KEY`, `${name}_SALT`]);
  return `<?php
define('DB_NAME', 'wordpress');
define('DB_USER', 'root');
define('DB_PASSWORD', '');
define('DB_HOST', 'localhost:${folder}/database/socket');
define('DB_CHARSET', 'utf8mb4');
define('DB_COLLATE', '');
${keys.map((name) => `define('${name}', '${createHash('sha256').update(`${folder}${name}`).digest('hex')}');`).join('\n')}
define('WP_HOME', '${url}');
define('WP_SITEURL', '${url}');
define('FS_METHOD', 'direct');
// Nothing outside of this machine is asked for updates.
define('WP_HTTP_BLOCK_EXTERNAL', true);
define('WP_ACCESSIBLE_HOSTS', '127.0.0.1,${new URL(url).hostname}');
${constants}$table_prefix = 'wp_';
if (!defined('ABSPATH')) define('ABSPATH', __DIR__ . '/');
require_once ABSPATH . 'wp-settings.php';
`;
}

function phpFile(
  { root, authority, isInstalled }: { root: string; authority: string; isInstalled: boolean },
  code: string,
): string {
  return `<?php
$_SERVER['HTTP_HOST'] = '${authority}';
$_SERVER['REQUEST_URI'] = '/';
$_SERVER['SERVER_SOFTWARE'] = 'command line';
${isInstalled ? '' : "define('WP_INSTALLING', true);"}
require '${root}/wp-load.php';
add_filter('pre_wp_mail', '__return_true');
$result = (function () { ${code} })();
echo "\\n", json_encode($result);
`;
}

function asWebServer(program: string, args: readonly string[]) {
  const user = ['--reuid=www-data', '--regid=www-data', '--clear-groups'];
  return run('setpriv', [...user, program, ...args], { maxBuffer: 10_000_000 });
}

/** They must not outlive a test that crashes. */
function endWithProcess(child: ChildProcess): void {
  const end = () => child.kill('SIGTERM');
  process.once('exit', end);
  child.once('exit', () => process.off('exit', end));
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await gone;
}

function treeOf(root: string): Map<string, string> {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true });
  return new Map(
    entries
      .map((entry): [string, string] => {
        const path = join(entry.parentPath, entry.name);
        const { mode, uid } = statSync(path);
        const content = entry.isFile() ? createHash('sha256').update(readFileSync(path)).digest('hex') : 'folder';
        return [path.slice(root.length + 1), `${content} ${mode.toString(8)} ${uid}`];
      })
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  );
}
