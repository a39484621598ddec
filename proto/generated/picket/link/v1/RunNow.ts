// Original file: proto/link.proto

import type { MonitorAssignment as _picket_link_v1_MonitorAssignment, MonitorAssignment__Output as _picket_link_v1_MonitorAssignment__Output } from '../../../picket/link/v1/MonitorAssignment.js';
import type { Long } from '@grpc/proto-loader';

/**
 * Requests a check outside the schedule. The result has `slot_ms` as its slot.
 */
export interface RunNow {
  'monitorId'?: (string);
  'slotMs'?: (number | string | Long);
  /**
   * confirm: another location saw a failure. manual: a user requested it. resume: the monitor was resumed.
   * recovery: a second check after the first successful one.
   */
  'reason'?: (string);
  /**
   * Set when the probe may not have the assignment yet.
   */
  'assignment'?: (_picket_link_v1_MonitorAssignment | null);
}

/**
 * Requests a check outside the schedule. The result has `slot_ms` as its slot.
 */
export interface RunNow__Output {
  'monitorId': (string);
  'slotMs': (number);
  /**
   * confirm: another location saw a failure. manual: a user requested it. resume: the monitor was resumed.
   * recovery: a second check after the first successful one.
   */
  'reason': (string);
  /**
   * Set when the probe may not have the assignment yet.
   */
  'assignment': (_picket_link_v1_MonitorAssignment__Output | null);
}
