import type { BulkChange } from '../../../api/types.ts';

/** Monitors that were created together, in one job. */
export interface CreatedList {
  job: BulkChange;
  /** In the order of the list. No two are the same, and no other monitor had one of them. */
  names: readonly string[];
}
