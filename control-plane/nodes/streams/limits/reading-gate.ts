/** Why a stream is not read at the moment. */
export type ReadingHold = 'batches' | 'pace' | 'memory';

/** Decides whether a stream is read: only while nobody holds it. */
export interface ReadingGate {
  hold(reason: ReadingHold): void;
  release(reason: ReadingHold): void;
  isOpen(): boolean;
}

/** `onChange` is called when the first hold begins and when the last one ends. */
export function createReadingGate(onChange: (open: boolean) => void): ReadingGate {
  const holds = new Set<ReadingHold>();
  return {
    hold(reason) {
      const wasOpen = holds.size === 0;
      holds.add(reason);
      if (wasOpen) onChange(false);
    },
    release(reason) {
      if (holds.delete(reason) && holds.size === 0) onChange(true);
    },
    isOpen: () => holds.size === 0,
  };
}
