import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { CheckOutcome } from '../../../probe/checks/check.js';

/** What one run of `targets-ping-child.ts` is to do, and where. */
export interface NamespacePing {
  /** `net.ipv4.ping_group_range` lets everybody ping, so that datagram sockets can be used. */
  datagram: boolean;
  /** The kernel answers no echo requests. */
  ignoring?: boolean;
  /** Every echo request is answered by an ICMP error of this code (destination unreachable). */
  unreachableCode?: number;
  /** The errors are about another process's request of the same number. */
  foreign?: boolean;
  /** Every echo request is answered with its number, but not with its payload. */
  forging?: boolean;
  /** No capability and no ping group: nothing is allowed. */
  powerless?: boolean;
  targets: string[];
  timeoutMs: number;
}

/**
 * Pings in a network namespace of its own, where loopback is all there is and every setting may be changed. As an
 * ordinary user it takes a user namespace, as root it does not.
 */
export async function pingInNamespace(ping: NamespacePing): Promise<{ outcomes: CheckOutcome[]; logged: string[] }> {
  const child = fileURLToPath(new URL('./targets-ping-child.ts', import.meta.url));
  const asUser = process.getuid?.() === 0 ? [] : ['--user', '--map-root-user'];
  const range = ping.datagram ? '0 2147483647' : '1 0';
  const setUp = [
    'ip link set lo up',
    `echo "${range}" > /proc/sys/net/ipv4/ping_group_range`,
    ping.ignoring
      ? 'echo 1 > /proc/sys/net/ipv4/icmp_echo_ignore_all; echo 1 > /proc/sys/net/ipv6/icmp/echo_ignore_all'
      : 'true',
  ].join(' && ');
  const asRouter = ping.unreachableCode !== undefined || ping.forging === true;
  const drop =
    (ping.datagram && !asRouter) || ping.powerless ? 'setpriv --bounding-set -net_raw --inh-caps -net_raw ' : '';
  const node = `${drop}"${process.execPath}" --import tsx "${child}" '${JSON.stringify(ping)}'`;
  const { code, out, err } = await run('unshare', [...asUser, '--net', 'sh', '-c', `${setUp} && ${node}`]);
  if (code !== 0) throw new Error(`the namespace ended with ${code}: ${err}`);
  return JSON.parse(out);
}

function run(command: string, args: string[]): Promise<{ code: number | null; out: string; err: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let out = '';
    let err = '';
    child.stdout.on('data', (bytes: Buffer) => {
      out += bytes;
    });
    child.stderr.on('data', (bytes: Buffer) => {
      err += bytes;
    });
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, out, err }));
  });
}
