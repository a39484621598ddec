import { spawn } from 'node:child_process';
import type { CheckOutcome } from '../../../probe/checks/outcome.js';
import { nodeArguments } from '../processes/node-arguments.js';

/** The settings for one run of `targets-ping-child.ts`. */
export interface NamespacePing {
  /** `net.ipv4.ping_group_range` allows pings for all users, so that datagram sockets can be used. */
  datagram: boolean;
  /** The kernel answers no echo requests. */
  ignoring?: boolean;
  /** Every echo request is answered by an ICMP error of this code (destination unreachable). */
  unreachableCode?: number;
  /** The errors quote a request of another process with the same number. */
  foreign?: boolean;
  /** Every echo request gets a reply with its number but without its payload. */
  forging?: boolean;
  /** Without the capability and without a ping group, so that no socket is allowed. */
  powerless?: boolean;
  /**
   * The clock of the checks stands still, and is moved in ten steps with a pause in between. On a slow machine, each check
   * then still sends all of its requests before its timeout.
   */
  stepped?: boolean;
  targets: string[];
  timeoutMs: number;
}

/**
 * Pings in a network namespace of its own, where loopback is all there is and every setting may be changed. As an
 * ordinary user it takes a user namespace, as root it does not.
 */
export async function pingInNamespace(ping: NamespacePing): Promise<{ outcomes: CheckOutcome[]; logged: string[] }> {
  const child = nodeArguments(new URL('./targets-ping-child.ts', import.meta.url)).map((word) => `"${word}"`);
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
  const node = `${drop}"${process.execPath}" ${child.join(' ')} '${JSON.stringify(ping)}'`;
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
