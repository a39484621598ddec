import { useSyncExternalStore } from 'react';

/** Whether what is shown is fresh. `since` is when the last answer came; null before the first one. */
export interface Liveness {
  isLive: boolean;
  since: string | null;
}

let current: Liveness = { isLive: true, since: null };
const listeners = new Set<() => void>();

/** Called for every answer and every failure of a request that reads. */
export function noteAnswer(isLive: boolean): void {
  if (current.isLive === isLive && !isLive) return;
  current = { isLive, since: isLive ? new Date().toISOString() : current.since };
  for (const listener of listeners) listener();
}

export function useLiveness(): Liveness {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current,
  );
}
