import type { LocalMs } from './zone.js';

/** The begins of a recurrence, on a clock that is never set forward or back. */
export interface Times {
  /** Returns the times later than `afterMs` up to `untilMs`, in order. */
  after(afterMs: LocalMs, untilMs: LocalMs): Iterable<LocalMs>;
}
