import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFile, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import t from 'tap';
import { agentInstallScript } from '../../../control-plane/install/agent-script.js';
import { createInstall } from '../../../control-plane/install/install.js';
import { agentExecutableName, agentPackageName } from '../../../control-plane/install/packages.js';
import { bundleAgent, packageAgent } from '../../../scripts/package-agent.js';
import { testDatabase } from '../../helpers/database.js';
import { debianMachine } from '../../helpers/machine/debian-machine.js';
import { startControlPlane } from '../../helpers/processes/control-plane.js';
import { waitFor } from '../../helpers/wait.js';

const ONLINE_MS_MAX = 120_000;
const UNIT = '/etc/systemd/system/picket-agent.service';
const STATE = '/var/lib/picket-agent';

const mongo = await testDatabase();
const controlPlane = await startControlPlane(mongo.uri);
const machine = await debianMachine();
t.teardown(async () => {
  await machine.remove();
  await controlPlane.remove();
  await mongo.drop();
});
const { version } = JSON.parse(await readFile('package.json', 'utf8'));
const machineName = (await machine.run('uname -m')).output.trim();
const sha256Of = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const read = (path: string) => readFile(machine.path(path), 'utf8');
const outputOf = async (script: string) => (await machine.run(script)).output.trim();
const journal = () => outputOf('journalctl --no-pager -o cat -u picket-agent');

/** Returns the command of the API. */
async function installCommand(): Promise<string> {
  const made = await controlPlane.api('POST', '/v1/servers/join-tokens');
  t.equal(made.status, 201);
  return made.body.data.install_command;
}

/** Runs an install script that does not come from the control plane. */
async function runScript(script: string, args = '') {
  await writeFile(machine.path('/tmp/agent.sh'), script);
  return machine.run(`sh -s -- ${args} </tmp/agent.sh`);
}

/** Resolves when there is exactly one server and it has sent a sample since. */
function online(sinceMs: number) {
  return waitFor('a sample of the server', ONLINE_MS_MAX, async () => {
    const { body } = await controlPlane.api('GET', '/v1/servers');
    const [server, ...others] = body.data;
    if (others.length > 0) throw new Error('there are several servers');
    return server?.status === 'online' && Date.parse(server.last_seen_at) > sinceMs && server;
  }).catch(async (error: Error) => {
    throw new Error(`${error.message}\n${await journal()}\n${controlPlane.output()}`);
  });
}

/** Returns the paths of all files of the machine except logs, and the contents of the account files. */
const everything = () =>
  outputOf(
    'find / -xdev -path /var/log -prune -o -path /var/cache -prune -o -path "/etc/*-" -o -print | sort; cat /etc/passwd /etc/group',
  );

const before = await everything();

t.test('the command of the API installs an agent whose server appears', async (t) => {
  t.equal(await outputOf('command -v node'), '', 'the machine has no Node.js');
  const installed = await machine.run(await installCommand());
  t.equal(installed.code, 0, installed.output);
  t.match(installed.output, `picket-agent: version ${version} is installed and running`);
  const server = await online(0);
  t.match(server, { hostname: await outputOf('hostname'), agent_version: version, os: /Debian|Ubuntu/ });

  t.match(await read(UNIT), '\nExecStart=/opt/picket-agent/current/picket-agent --data /var/lib/picket-agent\n');
  t.equal(await outputOf('systemctl is-enabled picket-agent'), 'enabled', 'it starts after a reboot');
  const account = /^picket-agent:[^:]*:(\d+):(\d+):[^:]*:([^:]*):(.*)$/m.exec(await read('/etc/passwd'));
  const uid = Number(account?.[1]);
  t.match(account?.[4], /nologin$/, 'an account without login');
  const modeOf = async (path: string) => {
    const found = await stat(machine.path(path));
    return { uid: found.uid, mode: found.mode & 0o777 };
  };
  t.match(await modeOf(STATE), { uid, mode: 0o700 });
  t.match(await modeOf('/etc/picket-agent/join.env'), { uid: 0, mode: 0o600 }, 'only root can read the token');
  t.match(
    await modeOf('/opt/picket-agent/current/picket-agent'),
    { uid: 0, mode: 0o755 },
    'it cannot change its own program',
  );

  const status = await outputOf('cat /proc/$(systemctl show -P MainPID picket-agent)/status');
  const field = (name: string) => new RegExp(`^${name}:\\s+(.*)$`, 'm').exec(status)?.[1] ?? '';
  t.equal(field('Uid').split('\t')[0], String(uid));
  for (const set of ['CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb']) t.match(field(set), /^0+$/, `${set} is empty`);
  t.equal(field('NoNewPrivs'), '1');
  t.equal(field('Seccomp'), '2');

  // The hardening must not hide file systems below /home, processes of other users and interfaces.
  const disks = (await controlPlane.api('GET', `/v1/servers/${server.id}/disks`)).body.data;
  for (const mount of ['/', '/home']) {
    const size = Number(await outputOf(`df -B1 --output=size ${mount} | tail -1`));
    t.match(
      disks.filter((disk: { mount: string }) => disk.mount === mount),
      [{ size_bytes: size }],
      mount,
    );
  }
  t.equal(disks.length, 2, 'a folder that systemd mounts again for the service is no disk');
  const processes = (await controlPlane.api('GET', `/v1/servers/${server.id}/processes`)).body.data;
  const names = [...processes.by_cpu, ...processes.by_memory].map(({ name }) => name);
  t.ok(names.includes('systemd'), names.join(' '));
  t.notMatch(await journal(), /EACCES|EPERM|cannot/i);
});

t.test('an upgrade in place keeps the identity and the settings of the server', async (t) => {
  const [server] = (await controlPlane.api('GET', '/v1/servers')).body.data;
  const pid = await outputOf('systemctl show -P MainPID picket-agent');
  await writeFile(machine.path('/etc/picket-agent/environment'), 'PICKET_LOG_LEVEL=debug\n');
  const script = (await controlPlane.api('GET', '/install/agent.sh')).body;
  const newer = script.replace(`version='${version}'`, "version='9.9.9'");
  const sinceMs = Date.now();
  const upgraded = await runScript(newer);
  t.equal(upgraded.code, 0, upgraded.output);
  t.equal((await online(sinceMs)).id, server.id);
  t.not(await outputOf('systemctl show -P MainPID picket-agent'), pid, 'the new version is running');
  t.match(await outputOf('ls /opt/picket-agent/releases'), /^9\.9\.9-[0-9a-f]{12}$/, 'the old release is removed');
  t.equal(await read('/etc/picket-agent/environment'), 'PICKET_LOG_LEVEL=debug\n');
});

t.test('a damaged, changed or incompatible package is not installed, and the agent keeps running', async (t) => {
  const name = agentExecutableName(version, process.arch);
  const path = `build/packages/${name}`;
  const changed = await readFile(path);
  const sha256 = sha256Of(changed);
  changed.writeUInt8((changed[changed.length >> 1] ?? 0) ^ 1, changed.length >> 1);
  await mkdir(machine.path('/tmp/old/package'), { recursive: true });
  await writeFile(machine.path('/tmp/old/package/picket-agent'), '#!/bin/sh\necho GLIBC_2.99 not found\nexit 1\n', {
    mode: 0o755,
  });
  const tooNew = execFileSync('tar', ['-czf', '-', '-C', machine.path('/tmp/old'), 'package']);
  const elsewhere = createServer((request, response) => {
    response.end(request.url === `/install/${name}` ? changed : tooNew);
  });
  await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
  t.teardown(() => elsewhere.close());
  const publicUrl = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;
  const [pid, release] = [
    await outputOf('systemctl show -P MainPID picket-agent'),
    await outputOf('readlink /opt/picket-agent/current'),
  ];
  const scriptFor = (executable: { name: string; sha256: string } | null) =>
    agentInstallScript({
      ...{ publicUrl, version, package: { name: agentPackageName(version), sha256: 'none' } },
      executables: executable === null ? [] : [{ machines: [machineName], ...executable }],
    });

  t.match(await runScript(scriptFor({ name, sha256 })), { code: 1, output: /is damaged.*nothing was installed/ });
  const tooNewSha256 = sha256Of(tooNew);
  t.match(await runScript(scriptFor({ name: 'new.tar.gz', sha256: tooNewSha256 })), {
    code: 1,
    output: /does not run on this machine; nothing was installed: GLIBC_2\.99 not found/,
  });
  t.match(await runScript(scriptFor(null)), {
    code: 1,
    output: new RegExp(
      `Node\\.js 20\\.19 or later is required; there is no package with a bundled Node\\.js for ${machineName}`,
    ),
  });
  await writeFile(machine.path('/usr/lib/ld-musl-x86_64.so.1'), '');
  t.match(await runScript(scriptFor({ name, sha256 })), { code: 1, output: /this system uses musl.*apk add nodejs/ });
  await rm(machine.path('/usr/lib/ld-musl-x86_64.so.1'));
  t.match(await runScript(scriptFor(null), '--help'), { code: 0, output: /--token TOKEN.*\n.*\n.*--uninstall/ });

  t.equal(await outputOf('readlink /opt/picket-agent/current'), release);
  t.equal(await outputOf('systemctl show -P MainPID picket-agent'), pid);
  t.equal(await outputOf('ls /opt/picket-agent/releases | wc -l'), '1');
});

t.test('the uninstallation removes everything', async (t) => {
  const script = (await controlPlane.api('GET', '/install/agent.sh')).body;
  const removed = await runScript(script, '--uninstall');
  t.match(removed, { code: 0, output: /removed; the server stays in Picket as offline until you delete it there/ });
  t.equal(await everything(), before);
  t.equal(await outputOf('systemctl show -P LoadState picket-agent'), 'not-found');
  t.equal(await outputOf('grep -l picket-agent /proc/[0-9]*/comm'), '', 'no process is running');
  t.match(await runScript(script, '--uninstall'), { code: 0 }, 'the uninstallation is idempotent');
  const [server] = (await controlPlane.api('GET', '/v1/servers')).body.data;
  await controlPlane.api('DELETE', `/v1/servers/${server.id}`);
});

t.test('an installed Node.js runs the agent', async (t) => {
  await copyFile(process.execPath, machine.path('/usr/bin/node'));
  const sinceMs = Date.now();
  const installed = await machine.run(await installCommand());
  t.equal(installed.code, 0, installed.output);
  await online(sinceMs);
  t.match(await read(UNIT), '\nExecStart=/usr/bin/node /opt/picket-agent/current/picket-agent.cjs --data');
  t.notMatch(await journal(), /EACCES|EPERM|cannot/i);
  t.match(await runScript((await controlPlane.api('GET', '/install/agent.sh')).body, '--uninstall'), { code: 0 });
});

t.test('the same sources give the same bytes, so control planes of one build have the same package', async (t) => {
  const outDir = t.testdir();
  const again = await packageAgent(process.cwd(), outDir, await bundleAgent(process.cwd(), outDir));
  const served = await fetch(`${controlPlane.url}/install/${agentPackageName(version)}`);
  t.equal(sha256Of(Buffer.from(await served.arrayBuffer())), again.sha256);
  t.match((await controlPlane.api('GET', '/install/agent.sh')).body, `sha256='${again.sha256}'`);
});

t.test('the script is not served without a package, and contains the executables that exist', async (t) => {
  const folders = t.testdir({
    script: { [agentPackageName(version)]: 'package' },
    arm: { [agentPackageName(version)]: 'package', [agentExecutableName(version, 'arm64')]: 'executable' },
  });
  const facts = { publicUrl: 'http://picket.test', version };
  const scriptFrom = async (packagesDir: string) => {
    const ctx = { set() {}, type: '', body: '' };
    const { mounts } = createInstall({ ...facts, packagesDir });
    await mounts.find(({ path }) => path === '/install/agent.sh')?.handle(ctx as never);
    return ctx.body;
  };
  await t.rejects(scriptFrom(`${folders}/none`), { code: 'unavailable', message: /Run scripts\/build/ });
  t.notMatch(await scriptFrom(`${folders}/script`), /linux-/);
  t.match(
    await scriptFrom(`${folders}/arm`),
    / aarch64 \| arm64\) package='picket-agent-[^']*-linux-arm64\.tar\.gz' sha256='/,
  );
});
