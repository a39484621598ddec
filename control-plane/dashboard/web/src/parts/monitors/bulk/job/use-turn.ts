import { useCallback, useState } from 'react';
import { inTurn } from './in-turn.ts';

interface TurnState {
  /** Whether a request waits until another bulk change of the workspace has ended. */
  isWaiting: boolean;
  take<Answer>(request: () => Promise<Answer>): Promise<Answer>;
}

/** Makes requests that start bulk changes, each in its turn. */
export function useTurn(): TurnState {
  const [isWaiting, setWaiting] = useState(false);
  const take = useCallback(async <Answer>(request: () => Promise<Answer>) => {
    try {
      return await inTurn(request, {
        waits: () => setWaiting(true),
        nowMs: Date.now,
        sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
      });
    } finally {
      setWaiting(false);
    }
  }, []);
  return { isWaiting, take };
}
