const CAPACITY_BYTES = 1_024;

/** Writes integers that a double can represent exactly. Small ones take one byte. */
export interface ByteWriter {
  /** Writes seven bits per byte, the lowest first; the high bit means that more bytes follow. `value` must not be negative. */
  unsigned(value: number): void;
  /** Like `unsigned`, with the sign in the lowest bit of the first byte. */
  signed(value: number): void;
  text(value: string): void;
  bytes(): Uint8Array;
}

export function byteWriter(): ByteWriter {
  let buffer = new Uint8Array(CAPACITY_BYTES);
  let length = 0;
  const push = (byte: number) => {
    if (length === buffer.length) {
      const larger = new Uint8Array(buffer.length * 2);
      larger.set(buffer);
      buffer = larger;
    }
    buffer[length++] = byte;
  };
  const unsigned = (value: number) => {
    // Without bit shifts, which would truncate to 32 bits.
    let rest = value;
    while (rest >= 0x80) {
      push((rest % 0x80) + 0x80);
      rest = Math.floor(rest / 0x80);
    }
    push(rest);
  };
  return {
    unsigned,
    signed(value) {
      const size = Math.abs(value);
      const low = (size % 0x40) * 2 + (value < 0 ? 1 : 0);
      if (size < 0x40) return push(low);
      push(low + 0x80);
      unsigned(Math.floor(size / 0x40));
    },
    text(value) {
      const encoded = new TextEncoder().encode(value);
      unsigned(encoded.length);
      for (const byte of encoded) push(byte);
    },
    bytes: () => buffer.slice(0, length),
  };
}

/** A position in packed bytes. The functions below read what a ByteWriter wrote, in the same order, and advance `at`. */
export interface ByteCursor {
  readonly bytes: Uint8Array;
  at: number;
}

export function atEnd({ bytes, at }: ByteCursor): boolean {
  return at >= bytes.length;
}

/** Throws a RangeError at the end of the bytes, like all functions here. */
export function readUnsigned(cursor: ByteCursor): number {
  const byte = nextByte(cursor);
  return byte < 0x80 ? byte : readRest(cursor, byte - 0x80, 0x80);
}

export function readSigned(cursor: ByteCursor): number {
  const byte = nextByte(cursor);
  const low = (byte & 0x7f) >> 1;
  const size = byte < 0x80 ? low : readRest(cursor, low, 0x40);
  return byte & 1 ? -size : size;
}

export function readText(cursor: ByteCursor): string {
  const length = readUnsigned(cursor);
  if (length === 0) return '';
  const end = cursor.at + length;
  if (end > cursor.bytes.length) throw new RangeError('packed bytes end too early');
  const text = new TextDecoder().decode(cursor.bytes.subarray(cursor.at, end));
  cursor.at = end;
  return text;
}

function nextByte(cursor: ByteCursor): number {
  const byte = cursor.bytes[cursor.at++];
  if (byte === undefined) throw new RangeError('packed bytes end too early');
  return byte;
}

/** Reads the bytes after the first one: `value` is the value so far, `unit` the weight of the next byte. */
function readRest(cursor: ByteCursor, value: number, unit: number): number {
  let sum = value;
  let scale = unit;
  for (;;) {
    const byte = nextByte(cursor);
    if (byte < 0x80) return sum + byte * scale;
    sum += (byte - 0x80) * scale;
    scale *= 0x80;
  }
}
