/**
 * Node's search (Boyer-Moore) knows the last 255 bytes of what it searches for. For a longer one, the time can be that of
 * the body times that of the text: 300 ms for `aaa…b…aaa` of 1,000 characters in 2 MiB of `a`.
 */
const NATIVE_BYTES_MAX = 250;

/** Returns whether `bytes` contains `searched`, in time proportional to the sum of their lengths. */
export function containsBytes(bytes: Buffer, searched: Buffer): boolean {
  if (searched.length <= NATIVE_BYTES_MAX) return bytes.includes(searched);
  // Most bodies do not contain the start of the text, and this search is ten times as fast as the other one.
  const start = bytes.indexOf(searched.subarray(0, NATIVE_BYTES_MAX));
  return start !== -1 && containsFrom(bytes, start, searched);
}

/** The algorithm of Knuth, Morris and Pratt: it never goes back in `bytes`. */
function containsFrom(bytes: Buffer, start: number, searched: Buffer): boolean {
  const borders = bordersOf(searched);
  let matched = 0;
  for (let at = start; at < bytes.length; at++) {
    while (matched > 0 && bytes[at] !== searched[matched]) matched = borders[matched - 1] ?? 0;
    if (bytes[at] === searched[matched]) matched++;
    if (matched === searched.length) return true;
  }
  return false;
}

/** Returns for each prefix the length of its longest proper prefix that is also its suffix. */
function bordersOf(searched: Buffer): Uint32Array {
  const borders = new Uint32Array(searched.length);
  let length = 0;
  for (let at = 1; at < searched.length; at++) {
    while (length > 0 && searched[at] !== searched[length]) length = borders[length - 1] ?? 0;
    if (searched[at] === searched[length]) length++;
    borders[at] = length;
  }
  return borders;
}
