import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { createInstallMounts, probePackageName } from '../../control-plane/nodes/install.js';
import { probeInstallScript } from '../../control-plane/nodes/install-script.js';
import { packageProbe } from '../../scripts/package-probe.js';
import { startApp } from '../helpers/app.js';
import { testDatabase } from '../helpers/database.js';
import { fakeMonitors, startNodeSide } from '../helpers/node-side.js';
import { SYSTEMCTL_LOG, type SystemdHost, systemdHost } from '../helpers/systemd-namespace.js';
import { waitFor } from '../helpers/wait.js';

const folder = await mkdtemp(join(tmpdir(), 'picket-systemd-'));
const mongo = await testDatabase();
const { sha256 } = await packageProbe(process.cwd(), join(folder, 'packages'));
const { version } = JSON.parse(await readFile('package.json', 'utf8'));
const side = await startNodeSide(mongo, fakeMonitors());
const packageName = probePackageName(version);
const app = await startApp({
  mongo,
  routes: [],
  mounts: createInstallMounts({ publicUrl: 'http://picket.test', version, packagesDir: join(folder, 'packages') }),
});
const scriptOf = (its: string) => probeInstallScript({ publicUrl: app.url, version: its, sha256, packageName });
const host = await systemdHost();
t.teardown(async () => {
  await host.close();
  await app.close();
  await side.stop();
  await mongo.drop();
  await rm(folder, { recursive: true, force: true });
});

const UNIT = '/etc/systemd/system/picket-probe.service';
const STATE = '/var/lib/picket-probe';
const read = (path: string) => readFile(host.path(path), 'utf8');
const owner = async (path: string) => {
  const { uid, mode } = await stat(host.path(path));
  return { uid, mode: mode & 0o777 };
};

/** What systemctl was asked for since the last time. */
async function systemctl(): Promise<string[]> {
  const log = await read(SYSTEMCTL_LOG).catch(() => '');
  await writeFile(host.path(SYSTEMCTL_LOG), '');
  return log.split('\n').filter((line) => line !== '');
}

/** The lines of a section as systemd reads them; a name may stand more than once. */
function settings(unit: string, section: string): Map<string, string[]> {
  const body = unit.split(`[${section}]\n`)[1]?.split('\n[')[0] ?? '';
  const found = new Map<string, string[]>();
  for (const line of body.split('\n')) {
    const at = line.indexOf('=');
    if (at > 0) found.set(line.slice(0, at), [...(found.get(line.slice(0, at)) ?? []), line.slice(at + 1)]);
  }
  return found;
}

/** Runs the unit's command as systemd would: its account, its capability, the variables of its files. */
async function runUnit(unit: string, host: SystemdHost) {
  const service = settings(unit, 'Service');
  const env: string[] = [];
  for (const file of service.get('EnvironmentFile') ?? []) {
    const text = await read(file.replace(/^-/, '')).catch(() => '');
    env.push(...text.split('\n').filter((line) => line !== '' && !line.startsWith('#')));
  }
  const user = service.get('User')?.[0] ?? '';
  const account = ['--reuid', user, '--regid', service.get('Group')?.[0] ?? '', '--init-groups', '--no-new-privs'];
  const capability = ['--inh-caps=-all,+net_raw', '--ambient-caps=+net_raw', '--bounding-set=-all,+net_raw'];
  const command = service.get('ExecStart')?.[0]?.split(' ') ?? [];
  const child = host.spawn('setpriv', [...account, ...capability, 'env', '-i', ...env, ...command]);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      output += chunk;
    });
  }
  const exited = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  return { child, exited, output: () => output };
}

t.test('install: account, unit and service, in the order that systemd needs', async (t) => {
  const token = await side.token('fra');
  const installed = await host.sh(scriptOf(version), ['--token', token]);
  t.equal(installed.code, 0, installed.output);
  t.match(installed.output, /is installed and running; journalctl -u picket-probe/);
  const release = `unit releases/${version}-${sha256.slice(0, 12)}`;
  t.strictSame(await systemctl(), [
    `daemon-reload | ${release}`,
    `enable --quiet picket-probe | ${release}`,
    `restart picket-probe | ${release}`,
  ]);

  const account = /^picket-probe:[^:]*:(\d+):(\d+):[^:]*:([^:]*):(.*)$/m.exec(await read('/etc/passwd'));
  t.match(account?.slice(3), ['/var/lib/picket-probe', /nologin$/], 'an account that nobody can sign in to');
  t.match(await owner(STATE), { uid: Number(account?.[1]), mode: 0o700 });
  t.match(await owner('/etc/picket-probe/join.env'), { uid: 0, mode: 0o600 }, 'the token is for root alone');
  t.match(await owner('/opt/picket-probe/current/probe/picket-probe.mjs'), { uid: 0 }, 'it cannot change itself');

  const unit = await read(UNIT);
  const service = settings(unit, 'Service');
  const expected: Record<string, string> = {
    User: 'picket-probe',
    Group: 'picket-probe',
    ExecStart: '/opt/bin/node /opt/picket-probe/current/probe/picket-probe.mjs --data /var/lib/picket-probe',
    StateDirectory: 'picket-probe',
    StateDirectoryMode: '0700',
    UMask: '0077',
    Restart: 'always',
    RestartPreventExitStatus: '78',
    AmbientCapabilities: 'CAP_NET_RAW',
    CapabilityBoundingSet: 'CAP_NET_RAW',
    NoNewPrivileges: 'yes',
    ProtectSystem: 'strict',
    ProtectHome: 'yes',
    PrivateTmp: 'yes',
    PrivateDevices: 'yes',
    ProtectClock: 'yes',
    ProtectHostname: 'yes',
    ProtectKernelLogs: 'yes',
    ProtectKernelModules: 'yes',
    ProtectKernelTunables: 'yes',
    ProtectControlGroups: 'yes',
    ProtectProc: 'invisible',
    LockPersonality: 'yes',
    RestrictAddressFamilies: 'AF_INET AF_INET6 AF_UNIX AF_NETLINK',
    RestrictNamespaces: 'yes',
    RestrictRealtime: 'yes',
    RestrictSUIDSGID: 'yes',
    RemoveIPC: 'yes',
    SystemCallArchitectures: 'native',
    SystemCallFilter: '@system-service',
  };
  for (const [name, value] of Object.entries(expected)) t.strictSame(service.get(name), [value], name);
  t.strictSame(settings(unit, 'Install').get('WantedBy'), ['multi-user.target'], 'it comes back after a reboot');
});

t.test('the unit’s command joins and connects with nothing but its account; an upgrade keeps who it is', async (t) => {
  const running = await runUnit(await read(UNIT), host);
  t.teardown(() => running.child.kill('SIGKILL'));
  await waitFor('the probe connects', 40_000, () => side.nodes.locations.presence('fra').connectedProbes === 1).catch(
    (error: Error) => t.fail(`${error.message}\n${running.output()}`),
  );
  t.notMatch(running.output(), /koffi|EACCES|EPERM/i);
  running.child.kill('SIGTERM');
  t.equal(await running.exited, 0);
  const credential = await read(join(STATE, 'credential.json'));
  await writeFile(host.path('/etc/picket-probe/environment'), 'PICKET_LOG_LEVEL=warn\n');

  const upgraded = await host.sh(scriptOf('9.9.9'));
  t.equal(upgraded.code, 0, upgraded.output);
  const release = `unit releases/9.9.9-${sha256.slice(0, 12)}`;
  t.strictSame(
    await systemctl(),
    [`daemon-reload | ${release}`, `enable --quiet picket-probe | ${release}`, `restart picket-probe | ${release}`],
    'the service is restarted once the new release is in place',
  );
  t.equal(await read(join(STATE, 'credential.json')), credential);
  t.equal(await read('/etc/picket-probe/environment'), 'PICKET_LOG_LEVEL=warn\n', 'settings stay');
  const again = await runUnit(await read(UNIT), host);
  t.teardown(() => again.child.kill('SIGKILL'));
  await waitFor('the same probe', 40_000, () => side.nodes.locations.presence('fra').connectedProbes === 1).catch(
    (error: Error) => t.fail(`${error.message}\n${again.output()}`),
  );
  again.child.kill('SIGTERM');
  t.equal(await again.exited, 0);
  t.equal(await mongo.db.collection('nodes').countDocuments(), 1, 'no second one has joined');
});

t.test('uninstall stops the service first and leaves nothing', async (t) => {
  const removed = await host.sh(scriptOf(version), ['--uninstall']);
  t.equal(removed.code, 0, removed.output);
  t.match(await systemctl(), [/^disable --now --quiet picket-probe \| unit releases\//, /^daemon-reload \| none $/]);
  for (const path of [UNIT, STATE, '/opt/picket-probe', '/etc/picket-probe']) {
    await t.rejects(stat(host.path(path)), { code: 'ENOENT' }, path);
  }
  t.notMatch(await read('/etc/passwd'), /picket-probe/);
  t.notMatch(await read('/etc/group'), /picket-probe/);
  t.equal((await host.sh(scriptOf(version), ['--uninstall'])).code, 0, 'twice is as good as once');
});

t.test('a Node.js in a home directory is refused: the service could not read it', async (t) => {
  await systemctl();
  const set = 'mount -t tmpfs tmpfs /home && mkdir -p /home/me/bin && ln -s /opt/bin/node /home/me/bin/node';
  t.equal((await host.sh(set)).code, 0);
  const path = '/home/me/bin:/usr/sbin:/usr/bin:/sbin:/bin';
  const refused = await host.sh(scriptOf(version), ['--token', 'pjt_x'], { PATH: path });
  t.match(refused, { code: 1, output: /\/home\/me\/bin\/node is in a home directory/ });
  t.same(await systemctl(), []);
});
