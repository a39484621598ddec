import { type ChildProcess, execFile, spawn } from 'node:child_process';

export interface Ran {
  code: number;
  output: string;
}

/** A host with a running systemd, as far as an install script can tell. What is written there goes with it. */
export interface SystemdHost {
  /** Runs a script by `sh -s -- args`, as root. */
  sh(script: string, args?: string[], env?: Record<string, string>): Promise<Ran>;
  /** Starts a program there that goes on running. */
  spawn(command: string, args: string[]): ChildProcess;
  /** Where a path of that host is found from here. */
  path(path: string): string;
  close(): Promise<void>;
}

/** Everything that `systemctl` was asked for, one line each; the end says what was there at that moment. */
export const SYSTEMCTL_LOG = '/opt/systemctl.log';

const SYSTEMCTL = `#!/bin/sh
unit=none
[ -e /etc/systemd/system/picket-probe.service ] && unit=unit
printf '%s | %s %s\\n' "$*" "$unit" "$(readlink /opt/picket-probe/current)" >>${SYSTEMCTL_LOG}
`;

/** Accounts, programs, state and logs of its own; libraries, devices and the network are this machine's. */
const SET_UP = `set -e
mount -t tmpfs tmpfs /run
mount -t tmpfs tmpfs /opt
mkdir -p /run/systemd/system /run/etc /run/lib /run/log /opt/bin
cp -a /etc/. /run/etc/
mount --bind /run/etc /etc
mount --bind /run/lib /var/lib
mount --bind /run/log /var/log
: >/opt/bin/node
mount --bind "$0" /opt/bin/node
cat >/opt/bin/systemctl
chmod 755 /opt/bin/systemctl
echo ready
exec sleep infinity`;

const PATH = '/opt/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** systemd is the outside world here: `systemctl` writes down what it is asked for. Needs root, for the mounts. */
export async function systemdHost(): Promise<SystemdHost> {
  const holder = spawn('unshare', ['--mount', 'sh', '-c', SET_UP, process.execPath], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { PATH },
  });
  const { pid } = holder;
  if (pid === undefined) throw new Error('unshare cannot be run');
  const gone = new Promise<void>((resolve) => holder.once('exit', () => resolve()));
  holder.stdin.end(SYSTEMCTL);
  await new Promise<void>((resolve, reject) => {
    let said = '';
    for (const stream of [holder.stdout, holder.stderr]) {
      stream.on('data', (chunk) => {
        said += chunk;
        if (/^ready$/m.test(said)) resolve();
      });
    }
    void gone.then(() => reject(new Error(`no namespace for mounts (root is needed): ${said}`)));
  });
  const enter = ['--mount', '--root', '--wd=/', '--target', String(pid), '--'];
  return {
    sh: (script, args = [], env = {}) =>
      new Promise((resolve) => {
        const options = { env: { PATH, ...env } };
        const child = execFile('nsenter', [...enter, 'sh', '-s', '--', ...args], options, (error, out, err) => {
          resolve({ code: typeof error?.code === 'number' ? error.code : error === null ? 0 : -1, output: out + err });
        });
        // A script that ends early does not read to its end.
        child.stdin?.on('error', () => {});
        child.stdin?.end(script);
      }),
    spawn: (command, args) =>
      spawn('nsenter', [...enter, command, ...args], { env: { PATH }, stdio: ['ignore', 'pipe', 'pipe'] }),
    path: (path) => `/proc/${pid}/root${path}`,
    async close() {
      holder.kill('SIGKILL');
      await gone;
    },
  };
}
