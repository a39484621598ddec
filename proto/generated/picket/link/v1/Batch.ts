// Original file: proto/link.proto

import type { Long } from '@grpc/proto-loader';

/**
 * Spooled records in order. `first_seq` is the sequence number of the first one; the numbers are consecutive.
 */
export interface Batch {
  'firstSeq'?: (number | string | Long);
  /**
   * Each is an encoded CheckResult (probe) or MetricSample (agent), so that spool and wire use the same bytes.
   */
  'records'?: (Buffer | Uint8Array | string)[];
  /**
   * Records that the spool has dropped since the node was installed, because its disk was full or damaged.
   */
  'droppedTotal'?: (number | string | Long);
}

/**
 * Spooled records in order. `first_seq` is the sequence number of the first one; the numbers are consecutive.
 */
export interface Batch__Output {
  'firstSeq': (number);
  /**
   * Each is an encoded CheckResult (probe) or MetricSample (agent), so that spool and wire use the same bytes.
   */
  'records': (Buffer)[];
  /**
   * Records that the spool has dropped since the node was installed, because its disk was full or damaged.
   */
  'droppedTotal': (number);
}
