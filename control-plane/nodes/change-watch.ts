import type { Clock, Timer } from '../../kernel/clock.js';

interface Watchable {
  watch(onChange: () => void, onEnd: (error: unknown) => void): { close(): Promise<void> };
}

const REOPEN_MS = 5_000;

/**
 * Keeps a change stream open that only wakes: when it ends, for whatever reason (286 after the oplog rolled over,
 * an election, a database that is away), another one is opened from now on. Whoever uses it polls besides.
 */
export function keepWatching(source: Watchable, clock: Clock, wake: () => void): { stop(): Promise<void> } {
  let stream: { close(): Promise<void> } | null = null;
  let reopening: Timer | null = null;
  let stopped = false;
  function open(): void {
    reopening = null;
    if (stopped) return;
    let ended = false;
    const opened = source.watch(wake, () => {
      if (ended || stopped) return;
      ended = true;
      // It may have ended by an error, after which closing it can fail once more; there is nothing left to lose.
      opened.close().catch(() => {});
      reopening = clock.after(REOPEN_MS, open);
    });
    stream = opened;
  }
  open();
  return {
    async stop() {
      stopped = true;
      reopening?.cancel();
      // As above: one that ended by an error may fail to close.
      await stream?.close().catch(() => {});
    },
  };
}
