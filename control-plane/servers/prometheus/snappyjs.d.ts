/** Snappy's block format in JavaScript; the package has no types of its own. */
declare module 'snappyjs' {
  export function compress(uncompressed: Uint8Array): Uint8Array;
  export function uncompress(compressed: Uint8Array): Uint8Array;
}
