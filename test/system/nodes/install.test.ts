import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readdir, readFile, readlink, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import t from 'tap';
import { createInstall } from '../../../control-plane/install/install.js';
import { probePackageName } from '../../../control-plane/install/packages.js';
import { probeInstallScript } from '../../../control-plane/install/probe-script.js';
import { shellQuote } from '../../../control-plane/install/shell.js';
import { packageProbe } from '../../../scripts/package-probe.js';
import { startApp } from '../../helpers/app.js';
import { testDatabase } from '../../helpers/database.js';
import { fakeMonitors, startNodeSide } from '../../helpers/node-link/node-side.js';
import { waitFor } from '../../helpers/wait.js';

const folder = await mkdtemp(join(tmpdir(), 'picket-install-'));
const mongo = await testDatabase();
const { path: packagePath, sha256 } = await packageProbe(process.cwd(), join(folder, 'packages'));
const { version } = JSON.parse(await readFile('package.json', 'utf8'));
const monitors = fakeMonitors();
const side = await startNodeSide(mongo, monitors);
const served = { name: probePackageName(version), sha256 };
const facts = { version, packagesDir: join(folder, 'packages') };
// The script contains the public URL, which depends on the port.
let publicUrl = '';
const app = await startApp({
  mongo,
  routes: [],
  mounts: ['/install/probe.sh', `/install/${probePackageName(version)}`].map((path) => ({
    path,
    async handle(ctx) {
      const mount = createInstall({ ...facts, publicUrl }).mounts.find((candidate) => candidate.path === path);
      await mount?.handle(ctx);
    },
  })),
});
publicUrl = app.url;

t.teardown(async () => {
  await app.close();
  await side.stop();
  await mongo.drop();
  await rm(folder, { recursive: true, force: true });
});

interface Ran {
  code: number;
  output: string;
}

function sh(script: string, args: string[], env: Record<string, string>): Promise<Ran> {
  return new Promise((resolve) => {
    const child = execFile(
      'sh',
      ['-s', '--', ...args],
      { env: { PATH: process.env['PATH'] ?? '', ...env } },
      (error, stdout, stderr) => {
        resolve({
          code: typeof error?.code === 'number' ? error.code : error === null ? 0 : -1,
          output: stdout + stderr,
        });
      },
    );
    // A script that ends early does not read all of its input.
    child.stdin?.on('error', () => {});
    child.stdin?.end(script);
  });
}

const newRoot = () => mkdtemp(join(folder, 'root-'));
const fetchScript = async () => (await app.request('GET', '/install/probe.sh', { key: null })).text;

t.test('the script and the package are served, and each build of the package has the same bytes', async (t) => {
  const script = await app.request('GET', '/install/probe.sh', { key: null });
  t.equal(script.status, 200);
  t.match(script.headers.get('content-type'), 'text/x-shellscript');
  t.match(script.text, `sha256='${sha256}'`);
  const served = await fetch(`${app.url}/install/${probePackageName(version)}`);
  t.equal(served.headers.get('content-length'), String((await stat(packagePath)).size));
  t.equal(
    createHash('sha256')
      .update(Buffer.from(await served.arrayBuffer()))
      .digest('hex'),
    sha256,
  );
  const again = await packageProbe(process.cwd(), join(folder, 'again'));
  t.equal(again.sha256, sha256, 'control planes of one version have the same package');
  const without = createInstall({ publicUrl, version, packagesDir: join(folder, 'nothing') }).mounts;
  for (const mount of without) {
    await t.rejects(async () => mount.handle({} as Parameters<typeof mount.handle>[0]), { code: 'unavailable' });
  }
});

t.test('the script installs, upgrades in place and uninstalls a probe that runs', async (t) => {
  const root = await newRoot();
  const script = await fetchScript();
  const token = await side.token('fra');
  const installed = await sh(script, ['--token', token], { PICKET_INSTALL_ROOT: root });
  t.equal(installed.code, 0, installed.output);
  t.match(
    installed.output,
    /has no systemd.*\n.*\n.*setpriv --reuid picket-probe.*picket-probe\.mjs --data/,
    'it explains how to run the probe without systemd',
  );
  const unit = await readFile(join(root, 'etc/systemd/system/picket-probe.service'), 'utf8');
  t.match(unit, `ExecStart=${process.execPath} /opt/picket-probe/current/probe/picket-probe.mjs`);
  for (const line of [
    'User=picket-probe',
    'AmbientCapabilities=CAP_NET_RAW',
    'NoNewPrivileges=yes',
    'ProtectSystem=strict',
  ]) {
    t.ok(unit.split('\n').includes(line), line);
  }
  const joinFile = join(root, 'etc/picket-probe/join.env');
  t.equal(await readFile(joinFile, 'utf8'), `PICKET_JOIN_TOKEN=${token}\n`);
  t.equal((await stat(joinFile)).mode & 0o777, 0o600, 'only root can read the token');
  t.equal((await stat(join(root, 'var/lib/picket-probe'))).mode & 0o777, 0o700);

  // The installed probe joins and connects, only with Node.js.
  const state = join(root, 'var/lib/picket-probe');
  const probe = spawn(
    process.execPath,
    [join(root, 'opt/picket-probe/current/probe/picket-probe.mjs'), '--data', state],
    {
      env: { PICKET_JOIN_TOKEN: token },
      cwd: '/',
    },
  );
  let log = '';
  probe.stdout.on('data', (chunk) => {
    log += chunk;
  });
  probe.stderr.on('data', (chunk) => {
    log += chunk;
  });
  const exited = new Promise((resolve) => probe.once('exit', resolve));
  t.teardown(() => probe.kill('SIGKILL'));
  await waitFor(
    `the probe connects: ${log}`,
    60_000,
    () => side.nodes.locations.presence('fra').connectedProbes === 1,
  ).catch((error) => t.fail(`${error.message} ${log}`));
  t.notMatch(log, /koffi/i, 'its native module is installed');
  probe.kill('SIGTERM');
  t.equal(await exited, 0);

  await writeFile(join(root, 'etc/picket-probe/environment'), 'PICKET_LOG_LEVEL=debug\n');
  const before = await readlink(join(root, 'opt/picket-probe/current'));
  const newer = probeInstallScript({ publicUrl, version: '9.9.9', package: served });
  const upgraded = await sh(newer, [], { PICKET_INSTALL_ROOT: root });
  t.equal(upgraded.code, 0, upgraded.output);
  const after = await readlink(join(root, 'opt/picket-probe/current'));
  t.match([before, after], [/^releases\/\d/, /^releases\/9\.9\.9-/]);
  t.same(
    await readdir(join(root, 'opt/picket-probe/releases')),
    [after.replace('releases/', '')],
    'the old release is removed',
  );
  t.equal(
    await readFile(join(root, 'etc/picket-probe/environment'), 'utf8'),
    'PICKET_LOG_LEVEL=debug\n',
    'the settings are kept',
  );
  t.ok((await stat(join(state, 'credential.json'))).isFile(), 'the credential is kept');
  t.equal((await sh(newer, [], { PICKET_INSTALL_ROOT: root })).code, 0, 'a second upgrade changes nothing');

  t.equal((await sh(script, ['--uninstall'], { PICKET_INSTALL_ROOT: root })).code, 0);
  for (const path of [
    'opt/picket-probe',
    'etc/picket-probe',
    'var/lib/picket-probe',
    'etc/systemd/system/picket-probe.service',
  ]) {
    await t.rejects(stat(join(root, path)), { code: 'ENOENT' }, path);
  }
  t.equal(
    (await sh(script, ['--uninstall'], { PICKET_INSTALL_ROOT: root })).code,
    0,
    'the uninstallation is idempotent',
  );
});

t.test('a package with one changed byte is not installed', async (t) => {
  const root = await newRoot();
  const script = await fetchScript();
  const whole = await readFile(packagePath);
  const changed = Buffer.from(whole);
  const middle = Math.floor(changed.length / 2);
  changed.writeUInt8((changed[middle] ?? 0) ^ 1, middle);
  await writeFile(packagePath, changed);
  const refused = await sh(script, ['--token', await side.token('fra')], { PICKET_INSTALL_ROOT: root, TMPDIR: root });
  t.equal(refused.code, 1);
  t.match(refused.output, /is damaged.*nothing was installed/);
  t.same(await readdir(root), [], 'no file is left, including the download');
  await writeFile(packagePath, whole);
  const missing = probeInstallScript({ publicUrl, version, package: { name: 'nothing.tar.gz', sha256 } });
  t.match(await sh(missing, ['--token', 'pjt_x'], { PICKET_INSTALL_ROOT: root, TMPDIR: root }), {
    code: 1,
    output: /downloading .* failed; nothing was installed/,
  });
  t.same(await readdir(root), []);
});

t.test('a script that is truncated anywhere does nothing', async (t) => {
  const script = await fetchScript();
  const root = await newRoot();
  // Here, a call without arguments would upgrade.
  const state = join(root, 'var/lib/picket-probe');
  await mkdir(state, { recursive: true });
  await writeFile(join(state, 'credential.json'), '{}');
  const tools = await mkdtemp(join(folder, 'tools-'));
  const calls = join(folder, 'calls');
  const stub = `#!/bin/sh\necho "$0 $*" >>${calls}\n`;
  for (const tool of ['curl', 'wget', 'mktemp', 'useradd', 'systemctl', 'rm', 'mkdir', 'mv', 'node', 'tar', 'id']) {
    await writeFile(join(tools, tool), stub);
    await chmod(join(tools, tool), 0o755);
  }
  const env = { PICKET_INSTALL_ROOT: root, PATH: [tools, process.env['PATH']].join(delimiter) };
  const tenths = Array.from({ length: 10 }, (_, tenth) => Math.floor((script.length * tenth) / 10));
  const lastBytes = Array.from({ length: 45 }, (_, back) => script.trimEnd().length - 1 - back);
  for (const length of [...tenths, ...lastBytes]) {
    await sh(script.slice(0, length), ['--token', 'pjt_x'], env);
    await sh(script.slice(0, length), ['--uninstall'], env);
  }
  await t.rejects(stat(calls), { code: 'ENOENT' }, 'no command ran');
  t.same(await readdir(root), ['var']);
  t.same(await readdir(state), ['credential.json']);
  await sh(script, [], env);
  t.match(await readFile(calls, 'utf8'), /node/, 'the complete script runs commands');
});

t.test('invalid arguments are reported, and a quoted value stays one word', async (t) => {
  const script = await fetchScript();
  const root = await newRoot();
  const env = { PICKET_INSTALL_ROOT: root };
  t.match(await sh(script, [], env), { code: 1, output: /--token is required/ });
  t.match(await sh(script, ['--token'], env), { code: 1, output: /needs a value/ });
  for (const token of ['x', 'pjt_a b', 'pjt_$(touch /tmp/x)', "pjt_'", 'pjt_\nA=1']) {
    t.match(await sh(script, ['--token', token], env), { code: 1, output: /not a join token/ }, token);
  }
  t.match(await sh(script, ['--what'], env), { code: 2, output: /--uninstall/ });
  t.match(await sh(script, ['--help'], env), { code: 0, output: /--token TOKEN/ });
  t.same(await readdir(root), []);
  const odd = `a'b"c$(touch x)\`d\\e f`;
  t.equal((await sh(`printf %s ${shellQuote(odd)}`, [], {})).output, odd);
  const evil = probeInstallScript({ publicUrl: "https://x/';touch y;'", version, package: served });
  t.match(await sh(evil, ['--help'], env), { code: 0, output: /touch y/ }, 'a public URL is only text');
});

t.test('an old Node.js is refused before any change', async (t) => {
  const root = await newRoot();
  const tools = await mkdtemp(join(folder, 'tools-'));
  await mkdir(join(tools, 'bin'));
  const old = '#!/bin/sh\n[ "$1" = --version ] && echo v18.0.0\n[ "$1" = -e ] && exit 1\nexit 0\n';
  await writeFile(join(tools, 'node'), old, { mode: 0o755 });
  const env = { PICKET_INSTALL_ROOT: root, PATH: [tools, process.env['PATH']].join(delimiter) };
  t.match(await sh(await fetchScript(), ['--token', 'pjt_x'], env), {
    code: 1,
    output: /20\.19 or later is required.*v18/,
  });
  t.same(await readdir(root), []);
});
