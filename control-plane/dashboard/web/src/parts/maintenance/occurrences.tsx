import type { MaintenanceWindow } from '../../api/types.ts';
import { Said } from '../../components/said.tsx';
import { between } from '../../texts/format.ts';
import { texts } from './texts/texts.ts';

/** Occurrences in words, one a line, in the time zone of the browser. */
export function Occurrences({ rows }: { rows: MaintenanceWindow['next_occurrences'] }) {
  return (
    <ol className="bullets">
      {rows.map(({ starts_at, ends_at }) => (
        <li key={starts_at}>
          <Said words={(time) => texts.occurrence(time(starts_at, 'long'), between(starts_at, ends_at))} />
        </li>
      ))}
    </ol>
  );
}
