import { lazy, Suspense, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { whenServed } from '../../app/when-served.ts';
import { focusAgain } from '../focus-again.ts';
import { confirmation } from './confirmed-call.ts';

const ConfirmDialog = lazy(async () => ({
  default: (await whenServed(() => import('./confirm-dialog.tsx'))).ConfirmDialog,
}));

/**
 * The place of the question who the person is; it loads when the first request needs it. Then the focus goes back to where it
 * was: the browser cannot do that, because buttons cannot be pressed while their request waits for the answer.
 */
export function ConfirmIdentity() {
  const question = useSyncExternalStore(confirmation.subscribe, confirmation.current);
  const [isNeeded, setNeeded] = useState(false);
  if (question !== null && !isNeeded) setNeeded(true);
  const isAsking = question !== null;
  const last = useLastFocused(!isAsking);
  useEffect(() => {
    return isNeeded && !isAsking ? focusAgain(last.current) : undefined;
  }, [isNeeded, isAsking, last]);
  if (!isNeeded) return null;
  return (
    <Suspense fallback={null}>
      <ConfirmDialog isOpen={isAsking} settle={(isConfirmed) => confirmation.current()?.settle(isConfirmed)} />
    </Suspense>
  );
}

/** The element that last had the focus while `isFollowing`. */
function useLastFocused(isFollowing: boolean): { readonly current: Element | null } {
  const last = useRef<Element | null>(null);
  useEffect(() => {
    if (!isFollowing) return;
    const note = ({ target }: FocusEvent) => {
      if (target instanceof Element) last.current = target;
    };
    document.addEventListener('focusin', note);
    return () => document.removeEventListener('focusin', note);
  }, [isFollowing]);
  return last;
}
