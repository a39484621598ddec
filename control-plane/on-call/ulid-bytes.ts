const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const BITS_PER_CHAR = 5n;
const ULID_CHARS = 26;

export const ULID_BYTES = 16;

/** Returns the 128 bits of the ULID in an id: of `inc_…` what follows the `_`. Throws RangeError for any other text. */
export function ulidBytes(id: string): Buffer {
  const ulid = id.slice(id.indexOf('_') + 1);
  let number = 0n;
  for (const char of ulid) {
    const value = ALPHABET.indexOf(char);
    if (value === -1) throw new RangeError(`not an id with a ULID: ${id}`);
    number = (number << BITS_PER_CHAR) | BigInt(value);
  }
  const hex = number.toString(16).padStart(2 * ULID_BYTES, '0');
  if (ulid.length !== ULID_CHARS || hex.length !== 2 * ULID_BYTES) {
    throw new RangeError(`not an id with a ULID: ${id}`);
  }
  return Buffer.from(hex, 'hex');
}

/** Returns the id with this prefix and these 128 bits. */
export function idOfUlidBytes(prefix: string, bytes: Buffer): string {
  let number = BigInt(`0x${bytes.toString('hex')}`);
  let ulid = '';
  while (ulid.length < ULID_CHARS) {
    ulid = ALPHABET.charAt(Number(number & 31n)) + ulid;
    number >>= BITS_PER_CHAR;
  }
  return `${prefix}_${ulid}`;
}
