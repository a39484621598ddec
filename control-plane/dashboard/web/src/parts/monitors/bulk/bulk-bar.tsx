import { Button } from '@mantine/core';
import { lazy, memo, Suspense, useCallback, useState } from 'react';
import { whenServed } from '../../../app/when-served.ts';
import type { Selection } from '../list/selection.ts';
import { BULK_ACTIONS, type BulkAction } from './bulk-action.ts';
import { texts } from './texts/texts.ts';
import './bulk.css';

const BulkDialog = lazy(async () => ({ default: (await whenServed(() => import('./bulk-dialog.tsx'))).BulkDialog }));

interface BulkBarProps {
  selection: Selection;
  /** How many monitors are selected. */
  count: number;
}

/** What can be done with all selected monitors at once. */
export const BulkBar = memo(function BulkBar({ selection, count }: BulkBarProps) {
  const [action, setAction] = useState<BulkAction | null>(null);
  const close = useCallback(() => setAction(null), []);
  if (count === 0 && action === null) return null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for the fields of a form.
    <div className="bulk-bar" role="group" aria-label={texts.actions}>
      {BULK_ACTIONS.map((one) => (
        <Button key={one} variant="default" size="xs" onClick={() => setAction(one)}>
          {texts[one]}
        </Button>
      ))}
      {action === null ? null : (
        <Suspense fallback={null}>
          <BulkDialog {...{ action, selection, count, close }} />
        </Suspense>
      )}
    </div>
  );
});
