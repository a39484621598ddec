import type { BulkChange } from '../../../../api/types.ts';
import { texts } from '../texts/texts.ts';

/** Returns what has become of a change, in a sentence: `60 monitors changed.`, `Undone: Shop is as it was.` Pure. */
export function outcomeOf(change: BulkChange): string {
  const { state, done, total, skipped, kept } = change;
  const words = texts.progress;
  const applied = total - skipped;
  if (state === 'applying') return words.working(done, total);
  if (state === 'undoing') return words.undoing(done, total);
  if (state === 'undone') return applied === kept ? words.nothingUndone : words.undone(applied - kept, nameOf(change));
  return applied === 0 ? words.nothingChanged : doneOf(change);
}

/** Returns what the change did, whatever has become of it since. Pure. */
export function doneOf(change: BulkChange): string {
  return texts.progress.done[change.operation](change.total - change.skipped, nameOf(change));
}

/** A person knows a change of one monitor by its name. */
const nameOf = ({ total, names }: BulkChange): string | undefined => (total === 1 ? names[0] : undefined);

/** Returns sentences on the monitors that the change, or its undo, cannot write yet or left as they were. Pure. */
export function leftOutOf({ state, skipped, kept, retry_at }: BulkChange): string[] {
  return [
    ...(retry_at === null ? [] : [texts.progress.retried]),
    ...(skipped === 0 ? [] : [texts.progress.skipped(skipped)]),
    ...(state === 'undone' && kept > 0 ? [texts.progress.kept(kept)] : []),
  ];
}
