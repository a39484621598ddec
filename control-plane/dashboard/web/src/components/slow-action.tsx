import { useMutationState } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { logInAgain } from '../api/session-end.ts';
import { texts } from '../texts/app/texts.ts';
import { confirmation } from './confirm-identity/confirmed-call.ts';

/** A button that only turns for longer than this looks broken. */
const SLOW_MS = 5_000;

declare module '@tanstack/react-query' {
  interface Register {
    mutationMeta: {
      /** The action usually takes long, and its page says so. */
      saysItself?: boolean;
    };
  }
}

/** Says that an action is still under way, among the messages at the edge of the window. */
export function SlowAction() {
  const begun = useMutationState({
    filters: { status: 'pending', predicate: ({ meta }) => meta?.saysItself !== true },
    select: ({ state }) => state.submittedAt,
  });
  const oldestMs = begun.length === 0 ? null : Math.min(...begun);
  const [slowSinceMs, setSlow] = useState<number | null>(null);
  useEffect(() => {
    if (oldestMs === null) return;
    const timer = setTimeout(() => setSlow(oldestMs), oldestMs + SLOW_MS - Date.now());
    return () => clearTimeout(timer);
  }, [oldestMs]);
  // It waits for the person then.
  const question = useSyncExternalStore(logInAgain.subscribe, logInAgain.current);
  const confirms = useSyncExternalStore(confirmation.subscribe, confirmation.current);
  if (question !== null || confirms !== null) return null;
  if (oldestMs === null || slowSinceMs !== oldestMs) return null;
  return (
    <div className="toast">
      <span className="wrap">{texts.toasts.slow}</span>
    </div>
  );
}
