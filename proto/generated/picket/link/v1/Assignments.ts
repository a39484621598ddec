// Original file: proto/link.proto

import type { MonitorAssignment as _picket_link_v1_MonitorAssignment, MonitorAssignment__Output as _picket_link_v1_MonitorAssignment__Output } from './MonitorAssignment.js';
import type { Long } from '@grpc/proto-loader';

export interface Assignments {
  /**
   * Monotonic; what the node reports back as held.
   */
  'revision'?: (number | string | Long);
  /**
   * true: the complete set, drop what is missing. May be split: only the message with `last` completes it.
   */
  'snapshot'?: (boolean);
  'last'?: (boolean);
  'put'?: (_picket_link_v1_MonitorAssignment)[];
  'remove'?: (string)[];
}

export interface Assignments__Output {
  /**
   * Monotonic; what the node reports back as held.
   */
  'revision': (number);
  /**
   * true: the complete set, drop what is missing. May be split: only the message with `last` completes it.
   */
  'snapshot': (boolean);
  'last': (boolean);
  'put': (_picket_link_v1_MonitorAssignment__Output)[];
  'remove': (string)[];
}
