import { createSocket, type Socket } from 'node:dgram';
import ipaddr from 'ipaddr.js';
import type { IpFamily } from './packet.js';
import { AF, type IcmpSyscalls, IPPROTO_ICMP, SOCK } from './syscalls.js';

/** A datagram socket needs no privileges; a raw socket needs CAP_NET_RAW. */
type Mode = 'datagram' | 'raw';

export interface OpenedSocket {
  mode: Mode;
  fd: number;
  socket: Socket;
}

const FLAGS = SOCK.NONBLOCK | SOCK.CLOEXEC;
/** `IP_RECVERR` and `IPV6_RECVERR`: the kernel queues ICMP errors on the socket. */
const RECVERR: Readonly<Record<IpFamily, readonly [level: number, name: number]>> = { 4: [0, 11], 6: [41, 25] };
/** `ICMP_FILTER` and `ICMPV6_FILTER`: the kernel drops other message types, mainly our own requests on loopback. */
const FILTER: Readonly<Record<IpFamily, readonly [level: number, name: number]>> = { 4: [255, 1], 6: [58, 1] };
const ACCEPTED_TYPES: Readonly<Record<IpFamily, readonly number[]>> = { 4: [0, 3, 11, 12], 6: [1, 2, 3, 4, 129] };

/** Opens the ping socket of the kernel, which users of the groups in `ping_group_range` may open. */
function openDatagram(family: IpFamily, calls: IcmpSyscalls): OpenedSocket | null {
  const fd = calls.socket(AF[family], SOCK.DGRAM | FLAGS, IPPROTO_ICMP[family]);
  if (fd < 0) return null;
  calls.setsockopt(fd, ...RECVERR[family], nativeWord(1));
  return { mode: 'datagram', fd, socket: adopt(family, fd) };
}

/**
 * Opens a raw socket. Node accepts only the descriptor of a datagram socket, so it gets one, which is then replaced by
 * the raw socket before the event loop waits on it.
 */
function openRaw(family: IpFamily, calls: IcmpSyscalls): OpenedSocket | null {
  const raw = calls.socket(AF[family], SOCK.RAW | FLAGS, IPPROTO_ICMP[family]);
  if (raw < 0) return null;
  calls.setsockopt(raw, ...FILTER[family], filterOf(family));
  const fd = calls.socket(AF[family], SOCK.DGRAM | FLAGS, 0);
  const socket = adopt(family, fd);
  calls.dup2(raw, fd);
  calls.close(raw);
  return { mode: 'raw', fd, socket };
}

function adopt(family: IpFamily, fd: number): Socket {
  const socket = createSocket(family === 4 ? 'udp4' : 'udp6');
  socket.bind({ fd });
  return socket;
}

function nativeWord(value: number): Uint8Array {
  return new Uint8Array(new Uint32Array([value]).buffer);
}

/** Returns a filter with one bit for each dropped message type: one word for IPv4, eight for IPv6. */
function filterOf(family: IpFamily): Uint8Array {
  const words = new Uint32Array(family === 4 ? 1 : 8).fill(0xffffffff);
  for (const type of ACCEPTED_TYPES[family]) words[type >>> 5] = ((words[type >>> 5] ?? 0) & ~(1 << (type & 31))) >>> 0;
  return new Uint8Array(words.buffer);
}

/** `bytes` is a `struct sockaddr_in` or `sockaddr_in6` without a port, `destination` the address in hex. */
export interface SocketAddress {
  bytes: Buffer;
  destination: string;
}

export function socketAddress(family: IpFamily, address: string): SocketAddress {
  const parsed = Buffer.from(ipaddr.parse(address).toByteArray());
  const bytes = Buffer.alloc(family === 4 ? 16 : 28);
  bytes.set(new Uint8Array(new Uint16Array([AF[family]]).buffer));
  bytes.set(parsed, family === 4 ? 4 : 8);
  return { bytes, destination: parsed.toString('hex') };
}

/** Opens a datagram socket, or else a raw socket. Returns null if the system permits neither. */
export function openIcmpSocket(family: IpFamily, calls: IcmpSyscalls): OpenedSocket | null {
  return openDatagram(family, calls) ?? openRaw(family, calls);
}
