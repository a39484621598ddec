// Original file: proto/link.proto

import type { Long } from '@grpc/proto-loader';

/**
 * First message of a stream.
 */
export interface Hello {
  'version'?: (string);
  /**
   * Monitors the probe already holds, so that an unchanged set is not sent again. Empty: send a snapshot.
   */
  'assignmentsRevision'?: (number | string | Long);
  'protocol'?: (number);
}

/**
 * First message of a stream.
 */
export interface Hello__Output {
  'version': (string);
  /**
   * Monitors the probe already holds, so that an unchanged set is not sent again. Empty: send a snapshot.
   */
  'assignmentsRevision': (number);
  'protocol': (number);
}
