/** A client that has answers waiting for less time is not slow: its network only has a round trip. */
const SLOW_MS = 2_000;

/** An answer that waits in the memory of this process. */
export interface Waiting {
  bytes: number;
  ms: number;
}

/** Returns those that must go so that the others fit `bytesMax`: the longest waiting first, and no fast one. Pure. */
export function tooSlow<Client>(waiting: ReadonlyMap<Client, Waiting>, bytesMax: number): Client[] {
  let bytes = 0;
  for (const one of waiting.values()) bytes += one.bytes;
  if (bytes <= bytesMax) return [];
  const cut: Client[] = [];
  for (const [client, one] of [...waiting].sort(([, a], [, b]) => b.ms - a.ms)) {
    if (bytes <= bytesMax || one.ms < SLOW_MS) break;
    cut.push(client);
    bytes -= one.bytes;
  }
  return cut;
}
