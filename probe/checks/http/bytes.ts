const FIRST_BYTES = 4096;

/**
 * Collects bytes up to a limit by copying them into one growing block. If the chunks were kept, a target that sends
 * single bytes would take a hundred times the memory of what it sends.
 */
export interface ByteCollector {
  length(): number;
  /** Adds the bytes that fit. Returns false if some did not fit. */
  add(chunk: Uint8Array): boolean;
  /** Returns the bytes so far. They are valid until the next `add`. */
  view(): Buffer;
  clear(): void;
}

export function createByteCollector(bytesMax: number): ByteCollector {
  let block = Buffer.alloc(0);
  let length = 0;
  return {
    length: () => length,
    add(chunk) {
      const taken = Math.min(chunk.length, bytesMax - length);
      if (length + taken > block.length) {
        const size = Math.min(bytesMax, Math.max(FIRST_BYTES, block.length * 2, length + taken));
        const larger = Buffer.allocUnsafeSlow(size);
        block.copy(larger, 0, 0, length);
        block = larger;
      }
      block.set(taken === chunk.length ? chunk : chunk.subarray(0, taken), length);
      length += taken;
      return taken === chunk.length;
    },
    view: () => block.subarray(0, length),
    clear() {
      length = 0;
    },
  };
}
