import { isIP } from 'node:net';
import type { Clock } from '../../kernel/clock.js';
import type { Logger } from '../../kernel/logger.js';
import type { Random } from '../../kernel/random.js';
import { createRecent } from '../checks/recent.js';
import { type Opened, openIcmpSocket, type SocketAddress, socketAddress } from './open.js';
import { errorInWords, type IpFamily, PACKET_BYTES, parseIcmp, quotedSequence, writeEchoRequest } from './packet.js';
import { createPendingEchoes, type EchoAnswer, type PendingEcho } from './pending.js';
import { type IcmpSyscalls, loadIcmpSyscalls } from './syscalls.js';

export type { EchoAnswer } from './pending.js';

/** A request under way; `cancel` forgets it. */
export interface Echo {
  cancel(): void;
}

/** Sends pings for the whole probe: one socket for each IP family, whatever the number of targets. */
export interface Icmp {
  /** Sends one echo request; `answered` is called at most once, possibly before this returns. */
  echo(address: string, answered: (answer: EchoAnswer) => void): Echo;
  close(): void;
}

interface FamilySocket {
  echo(address: string, answered: (answer: EchoAnswer) => void): Echo;
  close(): void;
}

const WHAT_TO_ALLOW =
  'this probe may not send pings: give it CAP_NET_RAW, or include its group in the sysctl net.ipv4.ping_group_range';
const NOT_AVAILABLE = 'this probe cannot send pings: there is no ICMP support for its system';
/** How long a refusal by the system stands before it is asked again, as after an operator's change. */
const REOPEN_MS = 60_000;
const TARGETS_KEPT_MAX = 16_384;
const NOTHING: Echo = { cancel: () => undefined };

/**
 * Nothing is opened before the first ping. Where the system allows no socket, that is logged in one line, and every
 * ping is answered with what to allow.
 */
export function createIcmp(options: { clock: Clock; random: Random; log: Logger }): Icmp {
  let calls: IcmpSyscalls | 'not loaded' | 'not available' = 'not loaded';
  const sockets = new Map<IpFamily, FamilySocket>();
  const refusedUntilMs = new Map<IpFamily, number>();

  function systemCalls(): IcmpSyscalls | null {
    if (calls === 'not loaded') {
      try {
        calls = loadIcmpSyscalls();
      } catch (error) {
        options.log.warn({ err: error }, NOT_AVAILABLE);
        calls = 'not available';
      }
    }
    return calls === 'not available' ? null : calls;
  }

  function socketFor(family: IpFamily): FamilySocket | null {
    const present = sockets.get(family);
    const system = systemCalls();
    if (present !== undefined || system === null) return present ?? null;
    const now = options.clock.monotonic();
    if (now < (refusedUntilMs.get(family) ?? 0)) return null;
    const opened = openFamily(family, system, options);
    if (opened === null) {
      if (refusedUntilMs.size === 0) options.log.warn(WHAT_TO_ALLOW);
      refusedUntilMs.set(family, now + REOPEN_MS);
      return null;
    }
    sockets.set(family, opened);
    return opened;
  }

  return {
    echo(address, answered) {
      const socket = socketFor(isIP(address) === 6 ? 6 : 4);
      if (socket !== null) return socket.echo(address, answered);
      answered({
        kind: 'error',
        reason: systemCalls() === null ? NOT_AVAILABLE : WHAT_TO_ALLOW,
      });
      return NOTHING;
    },
    close() {
      for (const socket of sockets.values()) socket.close();
      sockets.clear();
    },
  };
}

function openFamily(
  family: IpFamily,
  calls: IcmpSyscalls,
  options: { clock: Clock; random: Random },
): FamilySocket | null {
  const opened = openIcmpSocket(family, calls);
  return opened === null ? null : serve(family, opened, calls, options);
}

const SEND_ERRORS: ReadonlyMap<number, string> = new Map([
  [1, 'a firewall of this probe forbids it'],
  [13, 'a firewall of this probe forbids it'],
  [22, 'this probe cannot send to that address'],
  [99, 'this probe has no address of that kind'],
  [101, 'this probe has no network that leads there'],
  [113, 'no such host answers on its network'],
]);

function serve(
  family: IpFamily,
  opened: Opened,
  calls: IcmpSyscalls,
  options: { clock: Clock; random: Random },
): FamilySocket {
  const { fd, mode, socket } = opened;
  const { clock, random } = options;
  const id = random.bytes(2).readUInt16BE(0);
  const pending = createPendingEchoes(random);
  const targets = createRecent<SocketAddress>(TARGETS_KEPT_MAX);
  // Sending is one synchronous call, so one packet serves all requests.
  const packet = Buffer.alloc(PACKET_BYTES);

  function received(bytes: Buffer): void {
    const message = parseIcmp(family, bytes, mode === 'raw' && family === 4);
    const echo = message === null ? undefined : pending.find(message.sequence);
    // What reaches a datagram socket is ours by the kernel's word, which also chose its id.
    if (message === null || echo === undefined || (mode === 'raw' && message.id !== id)) return;
    if (message.kind === 'reply') {
      if (message.token === echo.token)
        pending.settle(echo, { kind: 'reply', rttMs: roundTripMs(echo, clock.monotonic(), calls.stampMs(fd)) });
    } else if (message.destination === echo.destination) {
      pending.settle(echo, { kind: 'error', reason: errorInWords(family, message.type, message.code) });
    }
  }

  function drainErrors(): void {
    for (let queued = calls.nextError(fd); queued !== null; queued = calls.nextError(fd)) {
      const echo = pending.find(quotedSequence(queued.packet));
      const reason = errorInWords(family, queued.type, queued.code);
      if (echo !== undefined) pending.settle(echo, { kind: 'error', reason });
    }
  }

  /** Why the system refuses to send; null when it does not. */
  function send(address: Buffer): string | null {
    if (calls.sendto(fd, packet, address) >= 0) return null;
    // A queued error of another request is reported by the next call, whatever that is: take it off and try again.
    drainErrors();
    if (calls.sendto(fd, packet, address) >= 0) return null;
    // A full send buffer is like a packet lost on the way: the check sends another.
    return SEND_ERRORS.get(calls.errno()) ?? null;
  }

  socket.on('message', received);
  // A datagram socket announces a queued ICMP error this way.
  socket.on('error', drainErrors);
  return {
    echo(address, answered) {
      const target = targets.get(address) ?? socketAddress(family, address);
      targets.set(address, target);
      const echo = pending.add(target.destination, answered);
      if (echo === null) {
        answered({ kind: 'error', reason: 'this probe has too many pings under way' });
        return NOTHING;
      }
      writeEchoRequest(packet, family, id, echo.sequence, echo.token);
      echo.sentMs = clock.monotonic();
      echo.sentWallMs = calls.wallMs();
      const refusal = send(target.bytes);
      if (refusal !== null) pending.settle(echo, { kind: 'error', reason: refusal });
      return { cancel: () => pending.forget(echo) };
    },
    close() {
      pending.clear();
      socket.close();
    },
  };
}

/** The kernel's stamp carries no delay of this process; where the wall clock was set meanwhile, ours is taken. */
function roundTripMs(echo: PendingEcho, nowMs: number, stampMs: number | null): number {
  const measuredMs = nowMs - echo.sentMs;
  const stampedMs = (stampMs ?? Number.NaN) - echo.sentWallMs;
  return stampedMs > 0 && stampedMs <= measuredMs + 1 ? stampedMs : measuredMs;
}
