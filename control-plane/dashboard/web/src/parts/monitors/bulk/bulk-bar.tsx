import type { MonitorFilter } from '../../../api/queries.ts';
import type { Selection } from '../list/selection.ts';

interface BulkBarProps {
  selection: Selection;
  /** What the list shows. */
  filter: MonitorFilter;
}

/** What can be done with all selected monitors at once. It stands below the filters while any is selected. */
export function BulkBar(_props: BulkBarProps) {
  return null;
}
