import { copyFile, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { createInstall } from '../../../control-plane/install/install.js';
import { probePackageName } from '../../../control-plane/install/packages.js';
import { probeInstallScript } from '../../../control-plane/install/probe-script.js';
import { packageProbe } from '../../../scripts/package-probe.js';
import { startApp } from '../../helpers/app.js';
import { testDatabase } from '../../helpers/database.js';
import { debianMachine } from '../../helpers/machine/debian-machine.js';
import { fakeMonitors, startNodeSide } from '../../helpers/node-link/node-side.js';
import { waitFor } from '../../helpers/wait.js';

const CONNECT_MS_MAX = 120_000;
/** CAP_NET_RAW in the format of /proc. */
const NET_RAW = '0000000000002000';

const folder = await mkdtemp(join(tmpdir(), 'picket-systemd-'));
const mongo = await testDatabase();
const { sha256 } = await packageProbe(process.cwd(), join(folder, 'packages'));
const { version } = JSON.parse(await readFile('package.json', 'utf8'));
const side = await startNodeSide(mongo, fakeMonitors());
const app = await startApp({
  mongo,
  routes: [],
  mounts: createInstall({ publicUrl: 'http://picket.test', version, packagesDir: join(folder, 'packages') }).mounts,
});
const scriptOf = (its: string) =>
  probeInstallScript({ publicUrl: app.url, version: its, package: { name: probePackageName(version), sha256 } });
const machine = await debianMachine();
await copyFile(process.execPath, machine.path('/usr/bin/node'));
t.teardown(async () => {
  await machine.remove();
  await app.close();
  await side.stop();
  await mongo.drop();
  await rm(folder, { recursive: true, force: true });
});

const UNIT = '/etc/systemd/system/picket-probe.service';
const STATE = '/var/lib/picket-probe';
const read = (path: string) => readFile(machine.path(path), 'utf8');
const outputOf = async (script: string) => (await machine.run(script)).output.trim();
const mainPid = () => outputOf('systemctl show -P MainPID picket-probe');
const journal = () => outputOf('journalctl --no-pager -o cat -u picket-probe');
const owner = async (path: string) => {
  const { uid, mode } = await stat(machine.path(path));
  return { uid, mode: mode & 0o777 };
};

async function install(script: string, args = '') {
  await writeFile(machine.path('/tmp/probe.sh'), script);
  return machine.run(`sh -s -- ${args} </tmp/probe.sh`);
}

async function connected(): Promise<void> {
  const presence = () => side.nodes.locations.presence('fra').connectedProbes === 1;
  await waitFor('the probe connects', CONNECT_MS_MAX, presence).catch(async (error: Error) => {
    throw new Error(`${error.message}\n${await journal()}`);
  });
}

/** Returns the settings of a section of a unit. */
function settings(unit: string, section: string): Map<string, string> {
  const lines = unit.split(`[${section}]\n`)[1]?.split('\n[')[0]?.split('\n') ?? [];
  return new Map(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]));
}

t.test('the installation creates an account, a hardened service and a probe that joins', async (t) => {
  const token = await side.token('fra');
  const installed = await install(scriptOf(version), `--token ${token}`);
  t.equal(installed.code, 0, installed.output);
  t.match(installed.output, /is installed and running; show its log with journalctl -u picket-probe/);
  await connected();
  t.notMatch(await journal(), /koffi|EACCES|EPERM/i);
  t.equal(await outputOf('systemctl is-enabled picket-probe'), 'enabled', 'it starts after a reboot');

  const account = /^picket-probe:[^:]*:(\d+):(\d+):[^:]*:([^:]*):(.*)$/m.exec(await read('/etc/passwd'));
  t.match(account?.slice(3), ['/var/lib/picket-probe', /nologin$/], 'an account without login');
  t.match(await owner(STATE), { uid: Number(account?.[1]), mode: 0o700 });
  t.match(await owner('/etc/picket-probe/join.env'), { uid: 0, mode: 0o600 }, 'only root can read the token');
  t.match(
    await owner('/opt/picket-probe/current/probe/picket-probe.mjs'),
    { uid: 0 },
    'it cannot change its own program',
  );
  const status = await outputOf(`cat /proc/${await mainPid()}/status`);
  const field = (name: string) => new RegExp(`^${name}:\\s+(\\S+)`, 'm').exec(status)?.[1];
  t.equal(field('Uid'), account?.[1]);
  for (const set of ['CapPrm', 'CapEff', 'CapBnd', 'CapAmb']) t.equal(field(set), NET_RAW, `${set}: only ping`);
  t.equal(field('NoNewPrivs'), '1');
  t.equal(field('Seccomp'), '2');

  const service = settings(await read(UNIT), 'Service');
  const expected: Record<string, string> = {
    ExecStart: '/usr/bin/node /opt/picket-probe/current/probe/picket-probe.mjs --data /var/lib/picket-probe',
    Restart: 'always',
    RestartPreventExitStatus: '78',
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
  };
  for (const [name, value] of Object.entries(expected)) t.equal(service.get(name), value, name);
});

t.test('an upgrade keeps the identity and the settings of the probe', async (t) => {
  const credential = await read(join(STATE, 'credential.json'));
  const pid = await mainPid();
  await writeFile(machine.path('/etc/picket-probe/environment'), 'PICKET_LOG_LEVEL=warn\n');
  const upgraded = await install(scriptOf('9.9.9'));
  t.equal(upgraded.code, 0, upgraded.output);
  await connected();
  t.not(await mainPid(), pid, 'the new version is running');
  t.equal(await outputOf('readlink /opt/picket-probe/current'), `releases/9.9.9-${sha256.slice(0, 12)}`);
  t.equal(await read(join(STATE, 'credential.json')), credential);
  t.equal(await read('/etc/picket-probe/environment'), 'PICKET_LOG_LEVEL=warn\n', 'the settings are kept');
  t.equal(await mongo.db.collection('nodes').countDocuments(), 1, 'no second node has joined');
});

t.test('the uninstallation removes everything', async (t) => {
  const removed = await install(scriptOf(version), '--uninstall');
  t.equal(removed.code, 0, removed.output);
  t.equal(await outputOf('systemctl show -P LoadState picket-probe'), 'not-found');
  t.equal(await outputOf('grep -l node /proc/[0-9]*/comm'), '', 'no process is running');
  for (const path of [UNIT, STATE, '/opt/picket-probe', '/etc/picket-probe']) {
    await t.rejects(stat(machine.path(path)), { code: 'ENOENT' }, path);
  }
  t.notMatch(await read('/etc/passwd'), /picket-probe/);
  t.notMatch(await read('/etc/group'), /picket-probe/);
  t.equal((await install(scriptOf(version), '--uninstall')).code, 0, 'the uninstallation is idempotent');
});

t.test('a Node.js in a home directory is refused, because the service cannot read it', async (t) => {
  await mkdir(machine.path('/home/me/bin'), { recursive: true });
  await machine.run('mv /usr/bin/node /home/me/bin/node');
  await symlink('/home/me/bin/node', machine.path('/usr/bin/node'));
  const refused = await install(scriptOf(version), '--token pjt_x');
  t.match(refused, { code: 1, output: /\/home\/me\/bin\/node is in a home directory/ }, 'also through a link');
  await t.rejects(stat(machine.path(UNIT)), { code: 'ENOENT' });
});
