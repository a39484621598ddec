/** ICMP echo messages as bytes (RFC 792, RFC 4443). Pure: the socket stands in `icmp-socket.ts`. */

/** Random bytes in the payload that only the target of a request can know. A token is kept as one integer. */
export const TOKEN_BYTES = 6;
const HEADER_BYTES = 8;
/** The usual size of ping: what fits everywhere and is not taken for something else. */
const PAYLOAD_BYTES = 56;
export const PACKET_BYTES = HEADER_BYTES + PAYLOAD_BYTES;
const IPV4_HEADER_BYTES_MIN = 20;
const IPV6_HEADER_BYTES = 40;

export type IpFamily = 4 | 6;

interface MessageTypes {
  request: number;
  reply: number;
  /** Messages that quote the packet that could not be delivered. */
  errors: ReadonlySet<number>;
}

export const MESSAGE_TYPES: Readonly<Record<IpFamily, MessageTypes>> = {
  4: { request: 8, reply: 0, errors: new Set([3, 11, 12]) },
  6: { request: 128, reply: 129, errors: new Set([1, 2, 3, 4]) },
};

/**
 * Writes an echo request over `packet`, of PACKET_BYTES. `id` is ours only on a raw socket; the kernel puts its own on
 * a datagram socket.
 */
export function writeEchoRequest(packet: Buffer, family: IpFamily, id: number, sequence: number, token: number): void {
  packet[0] = MESSAGE_TYPES[family].request;
  packet.writeUInt16BE(0, 2);
  packet.writeUInt16BE(id, 4);
  packet.writeUInt16BE(sequence, 6);
  packet.writeUIntBE(token, HEADER_BYTES, TOKEN_BYTES);
  // ICMPv6's checksum covers addresses that only the kernel knows, so the kernel writes it.
  if (family === 4) packet.writeUInt16BE(checksum(packet), 2);
}

/** The Internet checksum (RFC 1071) of bytes of even length whose checksum field is 0. */
export function checksum(bytes: Buffer): number {
  let sum = 0;
  for (let at = 0; at < bytes.length; at += 2) sum += bytes.readUInt16BE(at);
  sum = (sum >>> 16) + (sum & 0xffff);
  sum += sum >>> 16;
  return ~sum & 0xffff;
}

export type IcmpMessage =
  | { kind: 'reply'; id: number; sequence: number; token: number }
  | { kind: 'error'; type: number; code: number; id: number; sequence: number; destination: string };

/** The message in what a socket received; null when it is none of ours. `withIpHeader` for IPv4 raw sockets. */
export function parseIcmp(family: IpFamily, bytes: Buffer, withIpHeader: boolean): IcmpMessage | null {
  const at = withIpHeader ? afterIpv4Header(bytes, 0) : 0;
  if (bytes.length < at + HEADER_BYTES) return null;
  const types = MESSAGE_TYPES[family];
  const type = bytes.readUInt8(at);
  if (type === types.reply) {
    if (bytes.length < at + HEADER_BYTES + TOKEN_BYTES) return null;
    const token = bytes.readUIntBE(at + HEADER_BYTES, TOKEN_BYTES);
    return { kind: 'reply', id: bytes.readUInt16BE(at + 4), sequence: bytes.readUInt16BE(at + 6), token };
  }
  if (!types.errors.has(type)) return null;
  const quoted = parseQuoted(family, bytes, at + HEADER_BYTES);
  return quoted === null ? null : { kind: 'error', type, code: bytes.readUInt8(at + 1), ...quoted };
}

/** The sequence of an echo request of ours, as the kernel returns it with an error; -1 when it is cut short. */
export function quotedSequence(request: Buffer): number {
  return request.length >= HEADER_BYTES ? request.readUInt16BE(6) : -1;
}

/** Where the header that begins at `at` ends; past the end of the bytes when it is none. */
function afterIpv4Header(bytes: Buffer, at: number): number {
  const headerBytes = ((bytes[at] ?? 0) & 0x0f) * 4;
  return headerBytes >= IPV4_HEADER_BYTES_MIN ? at + headerBytes : bytes.length;
}

/** The echo request that an error message quotes: its IP header (the destination as hex) and at least 8 bytes after it. */
function parseQuoted(
  family: IpFamily,
  bytes: Buffer,
  from: number,
): { id: number; sequence: number; destination: string } | null {
  const at = family === 4 ? afterIpv4Header(bytes, from) : from + IPV6_HEADER_BYTES;
  if (bytes.length < at + HEADER_BYTES || bytes[at] !== MESSAGE_TYPES[family].request) return null;
  const destination =
    family === 4 ? bytes.toString('hex', from + 16, from + 20) : bytes.toString('hex', from + 24, from + 40);
  return { id: bytes.readUInt16BE(at + 4), sequence: bytes.readUInt16BE(at + 6), destination };
}

const UNREACHABLE_V4: Readonly<Record<number, string>> = {
  0: 'a router knows no way to its network',
  1: 'no such host answers on its network',
  2: 'it does not speak ICMP',
  9: 'a router refuses its network',
  10: 'a router refuses this host',
  13: 'a firewall refuses it',
};

const UNREACHABLE_V6: Readonly<Record<number, string>> = {
  0: 'a router knows no way to it',
  1: 'a firewall refuses it',
  3: 'no such host answers on its network',
  5: 'a firewall refuses this source',
  6: 'a router rejects the way to it',
};

/** An ICMP error in plain words. */
export function errorInWords(family: IpFamily, type: number, code: number): string {
  if (type === (family === 4 ? 11 : 3)) return 'the packets go round in circles (time exceeded)';
  if (type === (family === 4 ? 3 : 1)) {
    return (family === 4 ? UNREACHABLE_V4 : UNREACHABLE_V6)[code] ?? `a router reports it unreachable (code ${code})`;
  }
  return `a router rejects the packets (ICMP type ${type}, code ${code})`;
}
