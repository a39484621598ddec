// Original file: proto/link.proto

import type { Long } from '@grpc/proto-loader';

/**
 * Sent every 10 s, and when a field in it changes.
 */
export interface NodeStatus {
  'spoolRecords'?: (number | string | Long);
  'spoolBytes'?: (number | string | Long);
  'spoolDroppedTotal'?: (number | string | Long);
  /**
   * Age of the oldest unacknowledged record, milliseconds.
   */
  'lagMs'?: (number | string | Long);
  /**
   * Whether the canary targets of the location respond; `canaries` is 0 when none are configured.
   */
  'canaryOk'?: (boolean);
  'canaries'?: (number);
  'assignments'?: (number);
  'assignmentsRevision'?: (number | string | Long);
  /**
   * Lateness of the schedule over the last minute: start of a check minus its slot, milliseconds.
   */
  'latenessP50Ms'?: (number);
  'latenessP99Ms'?: (number);
  /**
   * Slots that were due in the last minute, and slots for which a check was started.
   */
  'slotsDue'?: (number);
  'slotsRun'?: (number);
  'draining'?: (boolean);
  /**
   * Times since the start of the probe that it could not run for a second or more. Checks under way were repeated.
   */
  'stallsTotal'?: (number | string | Long);
}

/**
 * Sent every 10 s, and when a field in it changes.
 */
export interface NodeStatus__Output {
  'spoolRecords': (number);
  'spoolBytes': (number);
  'spoolDroppedTotal': (number);
  /**
   * Age of the oldest unacknowledged record, milliseconds.
   */
  'lagMs': (number);
  /**
   * Whether the canary targets of the location respond; `canaries` is 0 when none are configured.
   */
  'canaryOk': (boolean);
  'canaries': (number);
  'assignments': (number);
  'assignmentsRevision': (number);
  /**
   * Lateness of the schedule over the last minute: start of a check minus its slot, milliseconds.
   */
  'latenessP50Ms': (number);
  'latenessP99Ms': (number);
  /**
   * Slots that were due in the last minute, and slots for which a check was started.
   */
  'slotsDue': (number);
  'slotsRun': (number);
  'draining': (boolean);
  /**
   * Times since the start of the probe that it could not run for a second or more. Checks under way were repeated.
   */
  'stallsTotal': (number);
}
