import type { BulkChange } from '../../../../api/types.ts';
import { texts } from '../texts/texts.ts';

/** How many monitors of a running change, or of its undo, are done. */
export function ProgressBar({ change: { done, total, operation } }: { change: BulkChange }) {
  return (
    <progress className="bulk-progress" value={done} max={Math.max(1, total)} aria-label={texts.titles[operation]} />
  );
}
