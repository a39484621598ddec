// Original file: proto/link.proto

import type { Long } from '@grpc/proto-loader';

export interface Welcome {
  'nodeId'?: (string);
  'location'?: (string);
  /**
   * Wall time of the control plane, epoch milliseconds. Slots are computed from it.
   */
  'serverTimeMs'?: (number | string | Long);
  'canaryTargets'?: (string)[];
  /**
   * The operator has drained this probe: it gets no assignments and only delivers spooled records.
   */
  'drained'?: (boolean);
  /**
   * See Ack.window_bytes; this one is for the first batch.
   */
  'windowBytes'?: (number);
}

export interface Welcome__Output {
  'nodeId': (string);
  'location': (string);
  /**
   * Wall time of the control plane, epoch milliseconds. Slots are computed from it.
   */
  'serverTimeMs': (number);
  'canaryTargets': (string)[];
  /**
   * The operator has drained this probe: it gets no assignments and only delivers spooled records.
   */
  'drained': (boolean);
  /**
   * See Ack.window_bytes; this one is for the first batch.
   */
  'windowBytes': (number);
}
