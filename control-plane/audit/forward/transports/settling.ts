/**
 * Tracks which batches a receiver has, for protocols without acknowledgements. A batch settles when the receiver's
 * kernel has acknowledged its bytes and the connection then stays up for a while: until then it may be in buffers that
 * are lost if the receiver crashes. Pure: callers pass times and byte counts.
 */
export interface Settling {
  /** Adds a batch that was written to our kernel and ends at this byte of the connection. */
  add(bytesEnd: number): void;
  /** Records how many of all written bytes are not acknowledged yet. */
  observe(writtenBytes: number, unacknowledgedBytes: number, nowMs: number): void;
  /** Returns how many batches, counted from the first, have settled. */
  settled(nowMs: number): number;
  /** Returns how many batches have not settled. */
  unsettled(): number;
  /** Settles all batches, because the receiver has read to the end. */
  settleAll(): void;
}

export function createSettling(settleMs: number): Settling {
  let waiting: { bytesEnd: number; acknowledgedMs: number | null }[] = [];
  let settled = 0;
  return {
    add(bytesEnd) {
      waiting.push({ bytesEnd, acknowledgedMs: null });
    },
    observe(writtenBytes, unacknowledgedBytes, nowMs) {
      for (const batch of waiting) {
        // These are our bytes, and TLS sends more than that, so the bytes after this batch are never overestimated.
        if (writtenBytes - batch.bytesEnd < unacknowledgedBytes) break;
        batch.acknowledgedMs ??= nowMs;
      }
    },
    settled(nowMs) {
      const open = waiting.findIndex(
        ({ acknowledgedMs }) => acknowledgedMs === null || nowMs - acknowledgedMs < settleMs,
      );
      const done = open === -1 ? waiting.length : open;
      waiting = done === 0 ? waiting : waiting.slice(done);
      settled += done;
      return settled;
    },
    unsettled: () => waiting.length,
    settleAll() {
      settled += waiting.length;
      waiting = [];
    },
  };
}
