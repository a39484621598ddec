/** What an operator hands to a new node: `pjt_` and base64url of `{v: 1, s: secret, f: fingerprint, a: addresses}`. */
export interface JoinToken {
  secret: string;
  /** SHA-256 of the certificate authority's certificate (DER), lower-case hex. */
  fingerprint: string;
  /** `host:port` of the control planes, tried in turn. */
  addresses: string[];
}

const PREFIX = 'pjt_';
const TOKEN_CHARACTERS_MAX = 4096;
const FINGERPRINT = /^[0-9a-f]{64}$/;
const ADDRESS = /^(\[[0-9a-fA-F:.]+\]|[^\s:[\]/]+):(\d{1,5})$/;

/** Throws an Error that says what is wrong with the text, without repeating it: it is a secret. */
export function parseJoinToken(text: string): JoinToken {
  const token = text.trim();
  if (!token.startsWith(PREFIX)) throw new Error(`a join token begins with ${PREFIX}`);
  if (token.length > TOKEN_CHARACTERS_MAX) throw new Error('the join token is too long');
  const fields = parseFields(token.slice(PREFIX.length));
  if (fields['v'] !== 1) throw new Error('the join token is of another version of Picket');
  const { s: secret, f: fingerprint, a: addresses } = fields;
  if (typeof secret !== 'string' || secret === '') throw new Error('the join token holds no secret');
  if (typeof fingerprint !== 'string' || !FINGERPRINT.test(fingerprint.toLowerCase())) {
    throw new Error('the join token holds no fingerprint of a certificate authority');
  }
  if (typeof addresses !== 'string') throw new Error('the join token holds no address of a control plane');
  return { secret, fingerprint: fingerprint.toLowerCase(), addresses: parseAddresses(addresses) };
}

function parseFields(encoded: string): Record<string, unknown> {
  try {
    const fields: unknown = JSON.parse(Buffer.from(encoded, 'base64url').toString('utf8'));
    if (typeof fields === 'object' && fields !== null) return { ...fields };
  } catch {
    // Cut off or mistyped: told below in words that help.
  }
  throw new Error('the join token is damaged: copy it again, whole');
}

/** A comma-separated list of `host:port`. */
function parseAddresses(list: string): string[] {
  const addresses = list.split(',').map((address) => address.trim());
  for (const address of addresses) {
    const port = Number(ADDRESS.exec(address)?.[2] ?? 0);
    if (port < 1 || port > 65535) throw new Error(`the join token holds an address that is not host:port: ${address}`);
  }
  return addresses;
}

/** Host (without brackets) and port of a `host:port` that `parseJoinToken` let pass. */
export function splitAddress(address: string): { host: string; port: number } {
  const colon = address.lastIndexOf(':');
  return { host: address.slice(0, colon).replace(/^\[|\]$/g, ''), port: Number(address.slice(colon + 1)) };
}
