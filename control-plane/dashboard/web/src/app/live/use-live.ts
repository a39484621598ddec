import { createContext, useContext, useEffect, useSyncExternalStore } from 'react';
import type { Liveness } from './freshness.ts';
import type { Live } from './live.ts';

const NONE: Live = {
  start: () => () => {},
  liveness: () => ({ state: 'connecting', since: null }),
  subscribe: () => () => {},
};

export const LiveContext = createContext<Live>(NONE);

/** Follows the events of the workspace while the component is shown. */
export function useFollowing(): void {
  const live = useContext(LiveContext);
  useEffect(() => live.start(), [live]);
}

/** Returns whether what is shown is fresh. */
export function useLiveness(): Liveness {
  const live = useContext(LiveContext);
  return useSyncExternalStore(live.subscribe, live.liveness);
}
