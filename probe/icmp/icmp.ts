/**
 * Pings use ICMP sockets of our own instead of a program like fping, because that costs least: one datagram socket for
 * all pings takes 0.011 CPU-seconds per 1,000 pings, one fping process for each ping takes 1.8.
 */
import { isIP } from 'node:net';
import type { Clock } from '../../kernel/clock.js';
import type { Logger } from '../../kernel/logger.js';
import type { Random } from '../../kernel/random.js';
import { createFamilySocket, type FamilySocket } from './family-socket.js';
import { openIcmpSocket } from './open-socket.js';
import type { IpFamily } from './packet.js';
import { type Echo, type EchoAnswer, NO_ECHO } from './pending.js';
import { type IcmpSyscalls, loadIcmpSyscalls } from './syscalls.js';

export type { Echo, EchoAnswer } from './pending.js';

/** Sends all pings of the probe, on one socket for each IP family. */
export interface Icmp {
  /** Sends an echo request. Calls `answered` at most once, possibly before this returns. */
  echo(address: string, answered: (answer: EchoAnswer) => void): Echo;
  close(): void;
}

const NOT_PERMITTED =
  'this probe may not send pings: give it CAP_NET_RAW, or include its group in the sysctl net.ipv4.ping_group_range';
const NOT_SUPPORTED = 'this probe cannot send pings: ICMP is not supported on its system';
/** After the system refused a socket, the next attempt is made after this time, because the operator may permit it. */
const REOPEN_MS = 60_000;

/**
 * Opens a socket at the first ping. If the system refuses it, logs one line and answers each ping with what the
 * operator must permit.
 */
export function createIcmp(needs: { clock: Clock; random: Random; log: Logger }): Icmp {
  let calls: IcmpSyscalls | 'not loaded' | 'not supported' = 'not loaded';
  const sockets = new Map<IpFamily, FamilySocket>();
  const refusedUntilMs = new Map<IpFamily, number>();

  function systemCalls(): IcmpSyscalls | null {
    if (calls === 'not loaded') {
      try {
        calls = loadIcmpSyscalls();
      } catch (error) {
        needs.log.warn({ err: error }, NOT_SUPPORTED);
        calls = 'not supported';
      }
    }
    return calls === 'not supported' ? null : calls;
  }

  function socketFor(family: IpFamily): FamilySocket | null {
    const socket = sockets.get(family);
    const system = systemCalls();
    if (socket !== undefined || system === null) return socket ?? null;
    const now = needs.clock.monotonic();
    if (now < (refusedUntilMs.get(family) ?? 0)) return null;
    const opened = openIcmpSocket(family, system);
    if (opened === null) {
      if (refusedUntilMs.size === 0) needs.log.warn(NOT_PERMITTED);
      refusedUntilMs.set(family, now + REOPEN_MS);
      return null;
    }
    const created = createFamilySocket({ ...needs, family, opened, calls: system });
    sockets.set(family, created);
    return created;
  }

  return {
    echo(address, answered) {
      const socket = socketFor(isIP(address) === 6 ? 6 : 4);
      if (socket !== null) return socket.echo(address, answered);
      answered({ kind: 'error', reason: systemCalls() === null ? NOT_SUPPORTED : NOT_PERMITTED });
      return NO_ECHO;
    },
    close() {
      for (const socket of sockets.values()) socket.close();
      sockets.clear();
    },
  };
}
