import { createRequire } from 'node:module';
import type { IpFamily } from './packet.js';

/** The system calls that Node has no API for. Those that return a number return -1 on failure and set `errno`. */
export interface IcmpSyscalls {
  socket(domain: number, type: number, protocol: number): number;
  dup2(from: number, to: number): number;
  close(fd: number): number;
  setsockopt(fd: number, level: number, name: number, value: Uint8Array): number;
  sendto(fd: number, packet: Uint8Array, address: Uint8Array): number;
  /** Takes an entry from the error queue of the socket; null if the queue is empty. */
  nextError(fd: number): QueuedError | null;
  /** Returns the wall time in milliseconds, from the clock of the kernel's timestamps. */
  wallMs(): number;
  /** Returns when the kernel received the packet that was read last; null if it has no timestamp. */
  stampMs(fd: number): number | null;
  errno(): number;
}

/** An ICMP error in the queue of a datagram socket. `packet` is the echo request that caused it. */
export interface QueuedError {
  packet: Buffer;
  type: number;
  code: number;
}

export const AF: Readonly<Record<IpFamily, number>> = { 4: 2, 6: 10 };
export const IPPROTO_ICMP: Readonly<Record<IpFamily, number>> = { 4: 1, 6: 58 };
export const SOCK = { DGRAM: 2, RAW: 3, NONBLOCK: 0o4000, CLOEXEC: 0o2000000 } as const;

const CLOCK_REALTIME = 0;
const SIOCGSTAMPNS = 0x8907;
const MSG_DONTWAIT = 0x40;
const MSG_ERRQUEUE = 0x2000;
const NS_PER_MS = 1e6;
const MS_PER_S = 1000;
const POINTER_BYTES = 8;
const QUEUED_BYTES_MAX = 512;
/** The origins of a queued error (`SO_EE_ORIGIN_…`) that mean an ICMP message. */
const ORIGIN_ICMP: ReadonlySet<number> = new Set([2, 3]);

/** Loads koffi and the C library. Throws if koffi does not support this system or it is not a 64-bit Linux. */
export function loadIcmpSyscalls(): IcmpSyscalls {
  // Not an import: a probe on a system without koffi must still run its other checks.
  const koffi: typeof import('koffi') = createRequire(import.meta.url)('koffi');
  if (process.platform !== 'linux' || koffi.sizeof('void *') !== POINTER_BYTES) throw new Error('not a 64-bit Linux');
  const libc = koffi.load(null);
  const socket = libc.func('int socket(int, int, int)');
  const dup2 = libc.func('int dup2(int, int)');
  const close = libc.func('int close(int)');
  const setsockopt = libc.func('int setsockopt(int, int, int, const void *, uint32_t)');
  const sendto = libc.func('int64_t sendto(int, const void *, size_t, int, const void *, uint32_t)');
  const recvmsg = libc.func('int64_t recvmsg(int, void *, int)');
  const ioctl = libc.func('int ioctl(int, unsigned long, void *)');
  const clockGettime = libc.func('int clock_gettime(int, void *)');

  const time = new BigInt64Array(2);
  const timeMs = () => Number(time[0]) * MS_PER_S + Number(time[1]) / NS_PER_MS;
  const queue = errorQueueMessage((block) => koffi.address(block));
  return {
    socket: (domain, type, protocol) => socket(domain, type, protocol),
    dup2: (from, to) => dup2(from, to),
    close: (fd) => close(fd),
    setsockopt: (fd, level, name, value) => setsockopt(fd, level, name, value, value.length),
    sendto: (fd, packet, address) => sendto(fd, packet, packet.length, MSG_DONTWAIT, address, address.length),
    nextError(fd) {
      // Local errors, for example a packet that is too long, are skipped.
      for (;;) {
        const bytes: number = recvmsg(fd, queue.reset(), MSG_ERRQUEUE | MSG_DONTWAIT);
        if (bytes < 0) return null;
        const error = queue.read(bytes);
        if (error !== null) return error;
      }
    },
    wallMs() {
      clockGettime(CLOCK_REALTIME, time);
      return timeMs();
    },
    stampMs: (fd) => (ioctl(fd, SIOCGSTAMPNS, time) === 0 ? timeMs() : null),
    errno: () => koffi.errno(),
  };
}

/**
 * Creates a `struct msghdr` with space for one queued error. Its pointers are set once. The layouts are those of 64-bit
 * Linux: msghdr is name, namelen, iov, iovlen, control, controllen, flags; cmsghdr is len, level, type.
 */
function errorQueueMessage(addressOf: (block: ArrayBuffer) => bigint) {
  const header = new BigUint64Array(7);
  const vector = new BigUint64Array(2);
  const packet = new ArrayBuffer(QUEUED_BYTES_MAX);
  const control = new ArrayBuffer(QUEUED_BYTES_MAX);
  const controlBytes = Buffer.from(control);
  vector[0] = addressOf(packet);
  vector[1] = BigInt(QUEUED_BYTES_MAX);
  header[2] = addressOf(vector.buffer);
  header[3] = 1n;
  header[4] = addressOf(control);
  const CMSG_HEADER_BYTES = 16;
  return {
    /** Returns the header after resetting its lengths, which the kernel changes in each call. */
    reset(): BigUint64Array {
      header[5] = BigInt(QUEUED_BYTES_MAX);
      header[6] = 0n;
      controlBytes.fill(0);
      return header;
    },
    /** Reads the `struct sock_extended_err` at the start of the control data: errno (4 bytes), origin, type, code. */
    read(bytes: number): QueuedError | null {
      const origin = controlBytes.readUInt8(CMSG_HEADER_BYTES + 4);
      if (!ORIGIN_ICMP.has(origin)) return null;
      return {
        packet: Buffer.from(Buffer.from(packet, 0, bytes)),
        type: controlBytes.readUInt8(CMSG_HEADER_BYTES + 5),
        code: controlBytes.readUInt8(CMSG_HEADER_BYTES + 6),
      };
    },
  };
}
