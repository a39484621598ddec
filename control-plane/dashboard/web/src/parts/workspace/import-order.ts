import type { ImportReport } from '../../api/types.ts';

type Imported = ImportReport['monitors'][number];

/** Returns the monitors of a report, worst first: refused ones, then those with notes, then those that change. */
export function worstFirst(monitors: readonly Imported[]): Imported[] {
  const rank = ({ action, notes }: Imported) => {
    if (action === 'refused') return 0;
    if (notes.length > 0) return 1;
    return action === 'unchanged' ? 3 : 2;
  };
  return monitors.toSorted((a, b) => rank(a) - rank(b));
}
