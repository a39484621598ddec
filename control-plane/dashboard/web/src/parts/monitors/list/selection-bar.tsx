import type { MonitorFilter } from '../../../api/queries.ts';
import type { Listed } from './listed.ts';
import { allMatching, isSelected, NOTHING, type Selection, selectedCount } from './selection.ts';
import { texts } from './texts/texts.ts';

interface SelectionBarProps {
  selection: Selection;
  filter: MonitorFilter;
  /** The monitors that the list shows. */
  rows: readonly Listed[];
  mayWrite: boolean;
  select(selection: Selection): void;
}

/** How many monitors are shown and selected. */
export function SelectionBar({ selection, filter, rows, mayWrite, select }: SelectionBarProps) {
  const matching = rows.length;
  const count = selectedCount(selection, matching);
  const hasAll = rows.every(({ monitor }) => isSelected(selection, monitor.id)) && count >= matching;
  return (
    <div className="selection-bar">
      <p className="soft" role="status">
        {count > 0 ? texts.selected(count) : texts.count(matching)}
      </p>
      {mayWrite && !hasAll && matching > 0 ? (
        <button
          type="button"
          className="link"
          onClick={() => select(allMatching(filter, () => rows.map(({ monitor }) => monitor.id)))}
        >
          {texts.selectAll(matching)}
        </button>
      ) : null}
      {count > 0 ? (
        <button type="button" className="link" onClick={() => select(NOTHING)}>
          {texts.unselect}
        </button>
      ) : null}
      {count > 0 ? null : <p className="list-keys soft">{mayWrite ? texts.keys : texts.keysOfViewer}</p>}
    </div>
  );
}
