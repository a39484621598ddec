import type { QuarantineSpan } from '../results/results.js';
import type { Quarantine } from './locations/quarantine.js';

/** One document of `location_quarantines`. It exists while the location is quarantined. */
export interface QuarantineDocument extends Quarantine {
  /** The code of the location. */
  _id: string;
  /** How many of its monitors failed at the beginning, and how many it had. */
  failing: number;
  monitors: number;
}

/** One document of `location_quarantine_spans`: the time of one quarantine, for history. */
export interface QuarantineSpanDocument extends QuarantineSpan {
  /** Location and beginning of the quarantine. */
  _id: string;
  location: string;
  /** Absent while the quarantine lasts. */
  expires_at?: Date;
}
