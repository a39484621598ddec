/**
 * Which batches a receiver has that never says so. A batch counts once the receiver's kernel has acknowledged its
 * bytes and the connection then stayed whole for a while: until then it may lie in buffers that die with the
 * receiver. Pure: times and byte counts are told.
 */
export interface Settling {
  /** A batch went to our kernel; it ends at this byte of the connection. */
  handed(bytesEnd: number): void;
  /** Of all `handedBytes`, so many are not acknowledged yet. */
  observe(handedBytes: number, unacknowledgedBytes: number, nowMs: number): void;
  /** Batches settled by now, from the first on. */
  count(nowMs: number): number;
  /** Batches that are not. */
  open(): number;
  /** All that was handed over is there: the receiver has read to the end. */
  settleAll(): void;
}

export function createSettling(settleMs: number): Settling {
  let waiting: { bytesEnd: number; acknowledgedMs: number | null }[] = [];
  let settled = 0;
  return {
    handed(bytesEnd) {
      waiting.push({ bytesEnd, acknowledgedMs: null });
    },
    observe(handedBytes, unacknowledgedBytes, nowMs) {
      for (const batch of waiting) {
        // Counted in our bytes, while TLS puts more on the wire: what is after the batch weighs too little, never
        // too much.
        if (handedBytes - batch.bytesEnd < unacknowledgedBytes) break;
        batch.acknowledgedMs ??= nowMs;
      }
    },
    count(nowMs) {
      const open = waiting.findIndex(
        ({ acknowledgedMs }) => acknowledgedMs === null || nowMs - acknowledgedMs < settleMs,
      );
      const done = open === -1 ? waiting.length : open;
      waiting = done === 0 ? waiting : waiting.slice(done);
      settled += done;
      return settled;
    },
    open: () => waiting.length,
    settleAll() {
      settled += waiting.length;
      waiting = [];
    },
  };
}
