import { idTime } from '../storage/ids.js';

/** The ids of entries that the log has, or that mean nothing, as far back as entries may still be committed. */
export interface KnownKeys {
  has(key: string): boolean;
  add(key: string): void;
  clear(): void;
  /** Forgets ids that were made before this time. Keeps some of them for a while, because they are not in order. */
  forgetBefore(timeMs: number): void;
}

export function createKnownKeys(): KnownKeys {
  const keys = new Set<string>();
  return {
    has: (key) => keys.has(key),
    add: (key) => void keys.add(key),
    clear: () => keys.clear(),
    forgetBefore(timeMs) {
      for (const key of keys) {
        if (idTime(key) >= timeMs) return;
        keys.delete(key);
      }
    },
  };
}
