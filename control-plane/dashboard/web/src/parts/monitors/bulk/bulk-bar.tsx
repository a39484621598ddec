import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import type { MonitorFilter } from '../../../api/queries.ts';
import type { Selection } from '../list/selection.ts';
import { BULK_ACTIONS, type BulkAction } from './bulk-action.ts';
import { texts } from './texts/texts.ts';
import './bulk.css';

interface BulkBarProps {
  selection: Selection;
  /** What the list shows. */
  filter: MonitorFilter;
}

const BulkDialog = lazy(async () => ({ default: (await import('./bulk-dialog.tsx')).BulkDialog }));

/** What can be done with all selected monitors at once. It stands below the filters while any is selected. */
export function BulkBar({ selection }: BulkBarProps) {
  const [action, setAction] = useState<BulkAction | null>(null);
  if (selection.kind === 'ids' && selection.ids.size === 0 && action === null) return null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for the fields of a form.
    <div className="bulk-bar" role="group" aria-label={texts.actions}>
      {BULK_ACTIONS.map((one) => (
        <Button key={one} variant="default" size="xs" onClick={() => setAction(one)}>
          {texts[one]}
        </Button>
      ))}
      <Link to="/monitors/changes">{texts.history}</Link>
      {action === null ? null : (
        <Suspense fallback={null}>
          <BulkDialog action={action} selection={selection} close={() => setAction(null)} />
        </Suspense>
      )}
    </div>
  );
}
