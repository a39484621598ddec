/** Types for snappyjs, which has none: the block format of Snappy. */
declare module 'snappyjs' {
  export function compress(uncompressed: Uint8Array): Uint8Array;
  export function uncompress(compressed: Uint8Array): Uint8Array;
}
