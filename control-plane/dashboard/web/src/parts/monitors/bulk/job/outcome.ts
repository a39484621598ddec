import type { BulkChange } from '../../../../api/types.ts';
import { texts } from '../texts/texts.ts';

/** Returns what has become of a change, in a sentence: `60 monitors changed.`, `Undone: Shop is as it was.` Pure. */
export function outcomeOf(change: BulkChange): string {
  const { state, done, total, skipped, kept } = change;
  const words = texts.progress;
  const applied = total - skipped;
  if (state === 'applying') return words.working(done, total);
  if (state === 'undoing') return words.undoing(done, total);
  if (state === 'undone') {
    if (applied === kept) return words.nothingUndone;
    const asBefore = asBeforeOf(change);
    if (asBefore === 0) return words.withoutChannels(change.without_channels, nameOf(change));
    return words.undone(asBefore, nameOf(change));
  }
  return applied === 0 ? words.nothingChanged : doneOf(change);
}

function asBeforeOf({ total, skipped, kept, without_channels }: BulkChange): number {
  return total - skipped - kept - without_channels;
}

/** Returns what the change did, whatever has become of it since. Pure. */
export function doneOf(change: BulkChange): string {
  return texts.progress.done[change.operation](change.total - change.skipped, nameOf(change));
}

/** A person knows a change of one monitor by its name. */
const nameOf = ({ total, names }: BulkChange): string | undefined => (total === 1 ? names[0] : undefined);

/**
 * Returns sentences on the monitors that the change, or its undo, cannot write yet, left as they were or restored only in
 * part. Pure.
 */
export function leftOutOf(change: BulkChange): string[] {
  const { state, skipped, kept, without_channels: without, retry_at } = change;
  return [
    ...(retry_at === null ? [] : [texts.progress.retried]),
    ...(skipped === 0 ? [] : [texts.progress.skipped(skipped)]),
    ...(state === 'undone' && kept > 0 ? [texts.progress.kept(kept)] : []),
    // Otherwise that is the outcome.
    ...(state === 'undone' && without > 0 && asBeforeOf(change) > 0 ? [texts.progress.withoutChannels(without)] : []),
  ];
}
