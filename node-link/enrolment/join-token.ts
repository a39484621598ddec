import { JOIN_TOKEN_PREFIX, JOIN_TOKEN_VERSION } from '../../proto/handshake.js';

/** The token with which a new node joins: `pjt_` and base64url of `{v: 1, s: secret, f: fingerprint, a: addresses}`. */
export interface JoinToken {
  secret: string;
  /** SHA-256 of the certificate authority's certificate (DER), lower-case hex. */
  fingerprint: string;
  /** `host:port` of the control planes, which are tried in turn. */
  addresses: string[];
}

const TOKEN_CHARACTERS_MAX = 4096;
const FINGERPRINT = /^[0-9a-f]{64}$/;
const ADDRESS = /^(\[[0-9a-fA-F:.]+\]|[^\s:[\]/]+):(\d{1,5})$/;

/** Returns the contents of a join token. Throws an Error whose message names the problem but not the token. */
export function parseJoinToken(text: string): JoinToken {
  const token = text.trim();
  if (!token.startsWith(JOIN_TOKEN_PREFIX)) throw new Error(`a join token starts with ${JOIN_TOKEN_PREFIX}`);
  if (token.length > TOKEN_CHARACTERS_MAX) throw new Error('the join token is too long');
  const fields = parseFields(token.slice(JOIN_TOKEN_PREFIX.length));
  if (fields['v'] !== JOIN_TOKEN_VERSION) throw new Error('the join token is for another version of Picket');
  const { s: secret, f: fingerprint, a: addresses } = fields;
  if (typeof secret !== 'string' || secret === '') throw new Error('the join token has no secret');
  if (typeof fingerprint !== 'string' || !FINGERPRINT.test(fingerprint.toLowerCase())) {
    throw new Error('the join token has no fingerprint of a certificate authority');
  }
  if (typeof addresses !== 'string') throw new Error('the join token has no address of a control plane');
  return { secret, fingerprint: fingerprint.toLowerCase(), addresses: parseAddresses(addresses) };
}

function parseFields(encoded: string): Record<string, unknown> {
  try {
    const fields: unknown = JSON.parse(Buffer.from(encoded, 'base64url').toString('utf8'));
    if (typeof fields === 'object' && fields !== null) return { ...fields };
  } catch {
    // Truncated or mistyped: the error below says so.
  }
  throw new Error('the join token is damaged: copy all of it again');
}

/** Parses a comma-separated list of `host:port`. */
function parseAddresses(list: string): string[] {
  const addresses = list.split(',').map((address) => address.trim());
  for (const address of addresses) {
    const port = Number(ADDRESS.exec(address)?.[2] ?? 0);
    if (port < 1 || port > 65535) throw new Error(`the join token has an address that is not host:port: ${address}`);
  }
  return addresses;
}

/** Returns host (without brackets) and port of an address that `parseJoinToken` has accepted. */
export function splitAddress(address: string): { host: string; port: number } {
  const colon = address.lastIndexOf(':');
  return { host: address.slice(0, colon).replace(/^\[|\]$/g, ''), port: Number(address.slice(colon + 1)) };
}
