/** A TLS version as it is on the wire. */
export type WireVersion = 0x0301 | 0x0302 | 0x0303;

const HANDSHAKE = 22;
const CLIENT_HELLO = 1;
const SERVER_HELLO = 2;
const RECORD_HEADER_BYTES = 5;
const RANDOM_BYTES = 32;

/** Elliptic curves x25519, P-256 and P-384. */
const GROUPS = [0x001d, 0x0017, 0x0018];
/** RSA, RSA-PSS and ECDSA with SHA-256, and RSA and ECDSA with SHA-1 for old servers. */
const SIGNATURES = [0x0401, 0x0804, 0x0403, 0x0201, 0x0203];

/**
 * Returns the first message of a TLS handshake that offers one version and these cipher suites (RFC 5246, section 7.4.1.2).
 * Picket writes it by itself, because OpenSSL no longer offers what it is to be refused for. `servername` is null for an
 * address. `random` has 32 bytes.
 */
export function clientHello(offer: {
  version: WireVersion;
  suites: readonly number[];
  servername: string | null;
  random: Buffer;
}): Buffer {
  const { version, suites, servername, random } = offer;
  const extensions = Buffer.concat([
    ...(servername === null ? [] : [extension(0x0000, serverName(servername))]),
    extension(0x000a, sized(2, words(GROUPS))),
    // Points are uncompressed.
    extension(0x000b, Buffer.from([1, 0])),
    extension(0x000d, sized(2, words(SIGNATURES))),
    // Without it, some servers refuse every handshake (RFC 5746).
    extension(0xff01, Buffer.from([0])),
  ]);
  const body = Buffer.concat([
    words([version]),
    random.subarray(0, RANDOM_BYTES),
    // No session is resumed, and nothing is compressed.
    Buffer.from([0]),
    sized(2, words(suites)),
    Buffer.from([1, 0]),
    sized(2, extensions),
  ]);
  const message = Buffer.concat([Buffer.from([CLIENT_HELLO]), sized(3, body)]);
  return Buffer.concat([Buffer.from([HANDSHAKE, 0x03, 0x01]), sized(2, message)]);
}

/**
 * Returns what a server chose, from the first bytes that it sent; `refused` if it sent anything else than a ServerHello, and
 * null if more bytes are needed.
 */
export function readServerHello(bytes: Buffer): { version: number; suite: number } | 'refused' | null {
  if (bytes.length === 0) return null;
  if (bytes[0] !== HANDSHAKE) return 'refused';
  // Type and length of the message, its version and random, and the length of the session.
  const sessionAt = RECORD_HEADER_BYTES + 4 + 2 + RANDOM_BYTES;
  if (bytes.length <= sessionAt) return null;
  if (bytes[RECORD_HEADER_BYTES] !== SERVER_HELLO) return 'refused';
  const suiteAt = sessionAt + 1 + (bytes[sessionAt] ?? 0);
  if (bytes.length < suiteAt + 2) return null;
  return { version: bytes.readUInt16BE(RECORD_HEADER_BYTES + 4), suite: bytes.readUInt16BE(suiteAt) };
}

function serverName(name: string): Buffer {
  return sized(2, Buffer.concat([Buffer.from([0]), sized(2, Buffer.from(name, 'latin1'))]));
}

function extension(type: number, content: Buffer): Buffer {
  return Buffer.concat([words([type]), sized(2, content)]);
}

function words(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(2 * values.length);
  for (const [index, value] of values.entries()) bytes.writeUInt16BE(value, 2 * index);
  return bytes;
}

/** Puts the length of the content, in so many bytes, before it. */
function sized(lengthBytes: 2 | 3, content: Buffer): Buffer {
  const length = Buffer.alloc(lengthBytes);
  length.writeUIntBE(content.length, 0, lengthBytes);
  return Buffer.concat([length, content]);
}
