import { checksum } from './checksum.js';

/** ICMP echo messages as bytes (RFC 792, RFC 4443). */

/** Random bytes in the payload, which only the target of a request knows. They are kept as one integer. */
export const TOKEN_BYTES = 6;
const HEADER_BYTES = 8;
/** The size that `ping` uses, which networks and firewalls accept. */
const PAYLOAD_BYTES = 56;
export const PACKET_BYTES = HEADER_BYTES + PAYLOAD_BYTES;
const IPV4_HEADER_BYTES_MIN = 20;
const IPV6_HEADER_BYTES = 40;

export type IpFamily = 4 | 6;

interface MessageTypes {
  request: number;
  reply: number;
  /** Error messages, which quote the undeliverable packet. */
  errors: ReadonlySet<number>;
}

const MESSAGE_TYPES: Readonly<Record<IpFamily, MessageTypes>> = {
  4: { request: 8, reply: 0, errors: new Set([3, 11, 12]) },
  6: { request: 128, reply: 129, errors: new Set([1, 2, 3, 4]) },
};

/** Writes an echo request to `packet`, a buffer of PACKET_BYTES. On a datagram socket the kernel replaces `id`. */
export function writeEchoRequest(packet: Buffer, family: IpFamily, id: number, sequence: number, token: number): void {
  packet[0] = MESSAGE_TYPES[family].request;
  packet.writeUInt16BE(0, 2);
  packet.writeUInt16BE(id, 4);
  packet.writeUInt16BE(sequence, 6);
  packet.writeUIntBE(token, HEADER_BYTES, TOKEN_BYTES);
  // The kernel writes the checksum of ICMPv6, because it includes addresses that only the kernel knows.
  if (family === 4) packet.writeUInt16BE(checksum(packet), 2);
}

export type IcmpMessage =
  | { kind: 'reply'; id: number; sequence: number; token: number }
  | { kind: 'error'; type: number; code: number; id: number; sequence: number; destination: string };

/** Returns a received message; null if it is neither a reply nor an error. IPv4 raw sockets need `withIpHeader`. */
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

/** Returns the sequence number of an echo request that the kernel returned with an error; -1 if it is truncated. */
export function quotedSequence(request: Buffer): number {
  return request.length >= HEADER_BYTES ? request.readUInt16BE(6) : -1;
}

/** Returns the position after the header that starts at `at`; the end of the bytes if the header is invalid. */
function afterIpv4Header(bytes: Buffer, at: number): number {
  const headerBytes = ((bytes[at] ?? 0) & 0x0f) * 4;
  return headerBytes >= IPV4_HEADER_BYTES_MIN ? at + headerBytes : bytes.length;
}

/** Returns the echo request that an error message quotes, with the destination in hex; null if it quotes none. */
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
