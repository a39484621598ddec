// Original file: proto/link.proto

import type { MonitorAssignment as _picket_link_v1_MonitorAssignment, MonitorAssignment__Output as _picket_link_v1_MonitorAssignment__Output } from './MonitorAssignment.js';
import type { Long } from '@grpc/proto-loader';

/**
 * Check at once, outside the schedule. The result carries `slot_ms` as its slot.
 */
export interface RunNow {
  'monitorId'?: (string);
  'slotMs'?: (number | string | Long);
  /**
   * confirm: another location saw a failure. manual: a user asked. resume: the monitor was resumed. recovery: second good round.
   */
  'reason'?: (string);
  /**
   * Set when the probe may not hold the assignment yet.
   */
  'assignment'?: (_picket_link_v1_MonitorAssignment | null);
}

/**
 * Check at once, outside the schedule. The result carries `slot_ms` as its slot.
 */
export interface RunNow__Output {
  'monitorId': (string);
  'slotMs': (number);
  /**
   * confirm: another location saw a failure. manual: a user asked. resume: the monitor was resumed. recovery: second good round.
   */
  'reason': (string);
  /**
   * Set when the probe may not hold the assignment yet.
   */
  'assignment': (_picket_link_v1_MonitorAssignment__Output | null);
}
