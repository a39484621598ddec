import type { Clock } from '../../kernel/clock.js';
import type { Random } from '../../kernel/random.js';
import { createLruCache } from '../lru-cache.js';
import { icmpErrorReason } from './error-reason.js';
import { type OpenedSocket, type SocketAddress, socketAddress } from './open-socket.js';
import { type IpFamily, PACKET_BYTES, parseIcmp, quotedSequence, writeEchoRequest } from './packet.js';
import { createPendingEchoes, type Echo, type EchoAnswer, NO_ECHO, type PendingEcho } from './pending.js';
import type { IcmpSyscalls } from './syscalls.js';

/** Sends the pings of one IP family. */
export interface FamilySocket {
  echo(address: string, answered: (answer: EchoAnswer) => void): Echo;
  close(): void;
}

export interface FamilySocketNeeds {
  family: IpFamily;
  opened: OpenedSocket;
  calls: IcmpSyscalls;
  clock: Clock;
  random: Random;
}

const ADDRESSES_CACHED_MAX = 16_384;

/** The meaning of `errno` after a failed send. */
const SEND_ERRORS: ReadonlyMap<number, string> = new Map([
  [1, 'a firewall of this probe forbids it'],
  [13, 'a firewall of this probe forbids it'],
  [22, 'this probe cannot send to that address'],
  [99, 'this probe has no address of that family'],
  [101, 'this probe has no route to its network'],
  [113, 'no such host answers on its network'],
]);

export function createFamilySocket(needs: FamilySocketNeeds): FamilySocket {
  const { family, calls, clock, random } = needs;
  const { fd, mode, socket } = needs.opened;
  const id = random.bytes(2).readUInt16BE(0);
  const pending = createPendingEchoes(random);
  const addresses = createLruCache<SocketAddress>(ADDRESSES_CACHED_MAX);
  // Sending is one synchronous call, so all requests can share one buffer.
  const packet = Buffer.alloc(PACKET_BYTES);

  function received(bytes: Buffer): void {
    const message = parseIcmp(family, bytes, mode === 'raw' && family === 4);
    const echo = message === null ? undefined : pending.find(message.sequence);
    // The kernel delivers only our own messages to a datagram socket, whose id it chose itself.
    if (message === null || echo === undefined || (mode === 'raw' && message.id !== id)) return;
    if (message.kind === 'reply') {
      if (message.token === echo.token)
        pending.settle(echo, { kind: 'reply', rttMs: roundTripMs(echo, clock.monotonic(), calls.stampMs(fd)) });
    } else if (message.destination === echo.destination) {
      pending.settle(echo, { kind: 'error', reason: icmpErrorReason(family, message.type, message.code) });
    }
  }

  function drainErrors(): void {
    for (let queued = calls.nextError(fd); queued !== null; queued = calls.nextError(fd)) {
      const echo = pending.find(quotedSequence(queued.packet));
      const reason = icmpErrorReason(family, queued.type, queued.code);
      if (echo !== undefined) pending.settle(echo, { kind: 'error', reason });
    }
  }

  /** Sends the packet. Returns why the system refuses to send it; null if it does not. */
  function send(address: Buffer): string | null {
    if (calls.sendto(fd, packet, address) >= 0) return null;
    // A queued error of another request makes any next call fail, so the queue is drained and the call is repeated.
    drainErrors();
    if (calls.sendto(fd, packet, address) >= 0) return null;
    // A full send buffer is treated like a lost packet: the check sends another one.
    return SEND_ERRORS.get(calls.errno()) ?? null;
  }

  socket.on('message', received);
  // A datagram socket signals a queued ICMP error with this event.
  socket.on('error', drainErrors);
  return {
    echo(address, answered) {
      const target = addresses.get(address) ?? socketAddress(family, address);
      addresses.set(address, target);
      const echo = pending.add(target.destination, answered);
      if (echo === null) {
        answered({ kind: 'error', reason: 'this probe has too many unanswered pings' });
        return NO_ECHO;
      }
      writeEchoRequest(packet, family, id, echo.sequence, echo.token);
      echo.sentMs = clock.monotonic();
      echo.sentWallMs = calls.wallMs();
      const refusal = send(target.bytes);
      if (refusal !== null) pending.settle(echo, { kind: 'error', reason: refusal });
      return { cancel: () => pending.remove(echo) };
    },
    close() {
      pending.clear();
      socket.close();
    },
  };
}

/**
 * Returns the time between sending and the timestamp of the kernel, which excludes delays in this process. If the wall
 * clock was set in between, returns the time that this process measured.
 */
function roundTripMs(echo: PendingEcho, nowMs: number, stampMs: number | null): number {
  const measuredMs = nowMs - echo.sentMs;
  const stampedMs = (stampMs ?? Number.NaN) - echo.sentWallMs;
  return stampedMs > 0 && stampedMs <= measuredMs + 1 ? stampedMs : measuredMs;
}
