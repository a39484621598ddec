// Original file: proto/link.proto

import type { Long } from '@grpc/proto-loader';

export interface Welcome {
  'nodeId'?: (string);
  'location'?: (string);
  /**
   * Wall time of the control plane, epoch milliseconds; slots are computed on it.
   */
  'serverTimeMs'?: (number | string | Long);
  'canaryTargets'?: (string)[];
  /**
   * The operator has drained this probe: hold no assignments, deliver what is spooled.
   */
  'drained'?: (boolean);
}

export interface Welcome__Output {
  'nodeId': (string);
  'location': (string);
  /**
   * Wall time of the control plane, epoch milliseconds; slots are computed on it.
   */
  'serverTimeMs': (number);
  'canaryTargets': (string)[];
  /**
   * The operator has drained this probe: hold no assignments, deliver what is spooled.
   */
  'drained': (boolean);
}
