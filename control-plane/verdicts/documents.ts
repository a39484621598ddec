import type { QuarantineSpan } from '../results/results.js';
import type { Quarantine } from './locations/quarantine.js';

/** One document of `location_quarantines`. It exists while the location looks broken. */
export interface QuarantineDocument extends Quarantine {
  /** The code of the location. */
  _id: string;
  /** How many of its monitors failed at the beginning, and how many it had. */
  failing: number;
  monitors: number;
  /**
   * Since when its votes are void; null while they count, because a majority of the locations looks broken. Absent in
   * documents of an earlier version, which are void since `since_ms`.
   */
  applied_at_ms?: number | null;
}

/** One document of `location_quarantine_spans`: a time during which the votes of a location were void, for history. */
export interface QuarantineSpanDocument extends QuarantineSpan {
  /** Location and `applied_at_ms` of the quarantine. */
  _id: string;
  location: string;
  /** Absent while the quarantine lasts. */
  expires_at?: Date;
}
