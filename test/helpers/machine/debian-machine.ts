import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { cacheDirectory } from '../../../supervisor/config.js';
import { waitFor } from '../wait.js';

const HOME_BYTES = 256 * 1024 ** 2;
const BOOT_MS_MAX = 120_000;
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

export interface Ran {
  code: number;
  output: string;
}

/** A fresh Debian system with its own files, accounts, processes, systemd and disk for /home. It shares the network. */
export interface DebianMachine {
  /** Runs a script by `sh -c`, as root. */
  run(script: string): Promise<Ran>;
  /** Returns the path on this machine for a path of that machine. */
  path(path: string): string;
  /** Shuts it down and removes it. */
  remove(): Promise<void>;
}

/** Does what a container manager does: own mounts, a new root directory, systemd as process 1. */
const BOOT = `set -e
echo $$ >"$CGROUP/cgroup.procs"
exec setpriv --pdeathsig KILL unshare --mount --pid --cgroup --uts --ipc --fork --kill-child sh -c '
set -e
mount --make-rprivate /
mount --bind "$ROOT" "$ROOT"
cd "$ROOT"
mount -t proc proc proc
# Settings of the kernel are not its own.
mount --bind proc/sys proc/sys
mount -o remount,bind,ro proc/sys
mount -t sysfs -o ro sysfs sys
mount -t cgroup2 cgroup2 sys/fs/cgroup
mount -o loop "$HOME_DISK" home
mount -t tmpfs tmpfs run
mount -t tmpfs -o mode=1777 tmpfs tmp
mount -t tmpfs -o mode=755 tmpfs dev
mkdir dev/pts dev/shm
for device in null zero full random urandom tty; do : >dev/$device; mount --bind /dev/$device dev/$device; done
ln -s /proc/self/fd dev/fd
ln -s pts/ptmx dev/ptmx
echo picket-machine >etc/hostname
echo 127.0.0.1 localhost picket-machine >etc/hosts
pivot_root . .
umount -l .
exec env -i container=picket-test PATH=${PATH} /usr/lib/systemd/systemd --unit=basic.target --log-target=journal --show-status=0
'`;

/** Boots the system that `scripts/install-debian-root` installed. Needs root. */
export async function debianMachine(): Promise<DebianMachine> {
  execFileSync('bash', ['scripts/install-debian-root'], { stdio: ['ignore', 'ignore', 'inherit'] });
  const root = mkdtempSync(join(tmpdir(), 'picket-machine-'));
  const cgroup = join(cgroupMount(), basename(root));
  mkdirSync(cgroup);
  execFileSync('tar', ['-xzf', join(cacheDirectory(process.env), 'debian-root.tar.gz'), '-C', root]);
  const homeDisk = `${root}.home`;
  writeFileSync(homeDisk, '');
  truncateSync(homeDisk, HOME_BYTES);
  execFileSync('mkfs.ext4', ['-q', homeDisk], { env: { PATH } });
  const holder = spawn('sh', ['-c', BOOT], {
    env: { PATH, ROOT: root, CGROUP: cgroup, HOME_DISK: homeDisk },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const gone = new Promise<void>((resolve) => holder.once('exit', () => resolve()));
  let said = '';
  holder.stderr.on('data', (chunk) => (said += chunk));

  async function remove(): Promise<void> {
    holder.kill('SIGKILL');
    await gone;
    // The kernel ends its processes with process 1, after a moment.
    await waitFor('the machine is off', BOOT_MS_MAX, () => removeCgroup(cgroup));
    for (const path of [root, homeDisk]) rmSync(path, { recursive: true, force: true });
  }

  const machine: DebianMachine = {
    run: (script) =>
      new Promise((resolve) => {
        const enter = ['--target', String(processOne(holder)), '--mount', '--pid', '--uts', '--ipc', '--cgroup'];
        const command = ['--root', '--wd', '--', 'env', '-i', `PATH=${PATH}`, 'sh', '-c', script];
        execFile('nsenter', [...enter, ...command], (error, out, err) => {
          resolve({ code: typeof error?.code === 'number' ? error.code : error === null ? 0 : -1, output: out + err });
        });
      }),
    path: (path) => `/proc/${processOne(holder)}/root${path}`,
    remove,
  };
  await waitFor('systemd', BOOT_MS_MAX, async () => {
    if (holder.exitCode !== null) throw new Error(`it does not boot: ${said}`);
    return /^(running|degraded)$/m.test((await machine.run('systemctl is-system-running')).output);
  }).catch(async (error: Error) => {
    await remove();
    throw new Error(`${error.message} ${said}`);
  });
  return machine;
}

/** Returns the process ID of its systemd on this machine: the child of unshare. */
function processOne(holder: ChildProcess): number {
  const children = readFileSync(`/proc/${holder.pid}/task/${holder.pid}/children`, 'utf8').trim();
  if (children === '') throw new Error('process 1 has not been started');
  return Number(children);
}

/** Returns the mount point of control groups version 2. The systemd of the machine gets a group of its own there. */
function cgroupMount(): string {
  const mounts = readFileSync('/proc/self/mounts', 'utf8').split('\n');
  const mount = mounts.map((line) => line.split(' ')).find(([, , type]) => type === 'cgroup2')?.[1];
  if (mount === undefined) throw new Error('control groups (version 2) are not mounted here');
  return mount;
}

/** Removes a control group and those below it. Throws while one of them still has a process. */
function removeCgroup(path: string): boolean {
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    if (entry.isDirectory()) removeCgroup(join(path, entry.name));
  }
  rmdirSync(path);
  return true;
}
