import { lazy, Suspense, useSyncExternalStore } from 'react';
import { confirmation } from './confirmed-call.ts';

const ConfirmDialog = lazy(async () => ({ default: (await import('./confirm-dialog.tsx')).ConfirmDialog }));

/** The place of the question who the person is; it loads when the first request needs it. */
export function ConfirmIdentity() {
  const question = useSyncExternalStore(confirmation.subscribe, confirmation.current);
  if (question === null) return null;
  return (
    <Suspense fallback={null}>
      <ConfirmDialog settle={question.settle} />
    </Suspense>
  );
}
