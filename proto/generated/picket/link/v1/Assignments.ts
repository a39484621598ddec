// Original file: proto/link.proto

import type { MonitorAssignment as _picket_link_v1_MonitorAssignment, MonitorAssignment__Output as _picket_link_v1_MonitorAssignment__Output } from '../../../picket/link/v1/MonitorAssignment.js';
import type { Long } from '@grpc/proto-loader';

export interface Assignments {
  /**
   * Never decreases. The node sends the revision that it has in Hello and NodeStatus.
   */
  'revision'?: (number | string | Long);
  /**
   * true: part of the complete set. The message with `last` completes it; the node then removes all other monitors.
   */
  'snapshot'?: (boolean);
  'last'?: (boolean);
  'put'?: (_picket_link_v1_MonitorAssignment)[];
  'remove'?: (string)[];
}

export interface Assignments__Output {
  /**
   * Never decreases. The node sends the revision that it has in Hello and NodeStatus.
   */
  'revision': (number);
  /**
   * true: part of the complete set. The message with `last` completes it; the node then removes all other monitors.
   */
  'snapshot': (boolean);
  'last': (boolean);
  'put': (_picket_link_v1_MonitorAssignment__Output)[];
  'remove': (string)[];
}
