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
const BOOT_MS_MAX = 30_000;
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

export interface Ran {
  code: number;
  output: string;
}

/** A fresh system of its own: files, accounts, processes, systemd, a disk for /home. Only the network is this one's. */
export interface DebianMachine {
  /** Runs a script by `sh -c`, as root. */
  run(script: string): Promise<Ran>;
  /** Where a path of that machine is found from here. */
  path(path: string): string;
  /** Switches it off and takes it away. */
  remove(): Promise<void>;
}

/** What a container manager does: mounts of its own, the new root in place of the old one, systemd as process 1. */
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

/** Boots what `scripts/install-debian-root` made. Needs root. */
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
    // Its processes go with process 1; the kernel takes a moment.
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

/** systemd's own number here: unshare waits for it. */
function processOne(holder: ChildProcess): number {
  const children = readFileSync(`/proc/${holder.pid}/task/${holder.pid}/children`, 'utf8').trim();
  if (children === '') throw new Error('process 1 has not been started');
  return Number(children);
}

/** Where version 2 of control groups is mounted; systemd runs below a group of its own there. */
function cgroupMount(): string {
  const mounts = readFileSync('/proc/self/mounts', 'utf8').split('\n');
  const mount = mounts.map((line) => line.split(' ')).find(([, , type]) => type === 'cgroup2')?.[1];
  if (mount === undefined) throw new Error('control groups (version 2) are not mounted here');
  return mount;
}

/** From the leaves up. False while a process is left in one of them. */
function removeCgroup(path: string): boolean {
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    if (entry.isDirectory()) removeCgroup(join(path, entry.name));
  }
  rmdirSync(path);
  return true;
}
