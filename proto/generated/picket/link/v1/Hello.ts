// Original file: proto/link.proto

import type { Long } from '@grpc/proto-loader';

/**
 * The first message of a stream.
 */
export interface Hello {
  'version'?: (string);
  /**
   * Revision of the assignments that the probe already has, so that only changes are sent. 0 requests a snapshot.
   */
  'assignmentsRevision'?: (number | string | Long);
  'protocol'?: (number);
}

/**
 * The first message of a stream.
 */
export interface Hello__Output {
  'version': (string);
  /**
   * Revision of the assignments that the probe already has, so that only changes are sent. 0 requests a snapshot.
   */
  'assignmentsRevision': (number);
  'protocol': (number);
}
