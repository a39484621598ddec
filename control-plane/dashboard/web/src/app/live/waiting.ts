/** A read that has no answer for this long is worth a word. */
const WAIT_MS = 3_000;
/** Once it was said, it stays for this long, so that nothing flickers. */
const SAID_MS_MIN = 1_500;

/** Knows whether the page waits for an answer. Times are in milliseconds, of one clock. */
interface Waiting {
  /** `begunMs` are the reads that are under way. Returns whether to say that they wait, and when to ask again at the latest. */
  look(begunMs: readonly number[], nowMs: number): { isWaiting: boolean; againMs: number | null };
}

export function createWaiting(): Waiting {
  let saidMs: number | null = null;
  return {
    look(begunMs, nowMs) {
      const dueMs = begunMs.length === 0 ? null : Math.min(...begunMs) + WAIT_MS;
      if (dueMs !== null && dueMs <= nowMs) {
        saidMs ??= nowMs;
        return { isWaiting: true, againMs: null };
      }
      if (saidMs !== null && nowMs - saidMs < SAID_MS_MIN) return { isWaiting: true, againMs: saidMs + SAID_MS_MIN };
      saidMs = null;
      return { isWaiting: false, againMs: dueMs };
    },
  };
}
