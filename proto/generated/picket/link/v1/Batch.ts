// Original file: proto/link.proto

import type { Long } from '@grpc/proto-loader';

/**
 * Spooled records in order. `first_seq` numbers the first; they are consecutive.
 */
export interface Batch {
  'firstSeq'?: (number | string | Long);
  /**
   * Each an encoded CheckResult (probe) or MetricReport (agent). Kept encoded so that the spool, the wire and the batch share one form.
   */
  'records'?: (Buffer | Uint8Array | string)[];
  /**
   * Records that the spool had to drop (disk full) since the node was started, for the operators' page.
   */
  'droppedTotal'?: (number | string | Long);
}

/**
 * Spooled records in order. `first_seq` numbers the first; they are consecutive.
 */
export interface Batch__Output {
  'firstSeq': (number);
  /**
   * Each an encoded CheckResult (probe) or MetricReport (agent). Kept encoded so that the spool, the wire and the batch share one form.
   */
  'records': (Buffer)[];
  /**
   * Records that the spool had to drop (disk full) since the node was started, for the operators' page.
   */
  'droppedTotal': (number);
}
