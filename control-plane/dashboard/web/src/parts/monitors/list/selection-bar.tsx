import type { MonitorFilter } from '../../../api/queries.ts';
import { allMatching, NOTHING, type Selection, selectedCount } from './selection.ts';
import { texts } from './texts/texts.ts';

interface SelectionBarProps {
  selection: Selection;
  filter: MonitorFilter;
  /** How many monitors the list shows. */
  matching: number;
  mayWrite: boolean;
  select(selection: Selection): void;
}

/** How many monitors are shown and selected. */
export function SelectionBar({ selection, filter, matching, mayWrite, select }: SelectionBarProps) {
  const count = selectedCount(selection, matching);
  const hasAll = selection.kind === 'matching' && selection.except.size === 0;
  return (
    <div className="selection-bar">
      <p className="soft" role="status">
        {count > 0 ? texts.selected(count) : texts.count(matching)}
      </p>
      {mayWrite && !hasAll && matching > 0 ? (
        <button type="button" className="link" onClick={() => select(allMatching(filter))}>
          {texts.selectAll(matching)}
        </button>
      ) : null}
      {count > 0 ? (
        <button type="button" className="link" onClick={() => select(NOTHING)}>
          {texts.unselect}
        </button>
      ) : null}
      <p className="list-keys soft">{texts.keys}</p>
    </div>
  );
}
