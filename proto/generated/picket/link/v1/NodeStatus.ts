// Original file: proto/link.proto

import type { Long } from '@grpc/proto-loader';

/**
 * Sent each 10 s and when something in it changes.
 */
export interface NodeStatus {
  'spoolRecords'?: (number | string | Long);
  'spoolBytes'?: (number | string | Long);
  'spoolDroppedTotal'?: (number | string | Long);
  /**
   * Age of the oldest record that is not acknowledged, milliseconds.
   */
  'lagMs'?: (number | string | Long);
  /**
   * Whether the location's canary targets answer; `canaries` is 0 where none are set.
   */
  'canaryOk'?: (boolean);
  'canaries'?: (number);
  'assignments'?: (number);
  'assignmentsRevision'?: (number | string | Long);
  /**
   * Schedule lateness of the last minute: start of a check against its slot, milliseconds.
   */
  'latenessP50Ms'?: (number);
  'latenessP99Ms'?: (number);
  /**
   * Slots that were due in the last minute, and those that were run.
   */
  'slotsDue'?: (number);
  'slotsRun'?: (number);
  'draining'?: (boolean);
}

/**
 * Sent each 10 s and when something in it changes.
 */
export interface NodeStatus__Output {
  'spoolRecords': (number);
  'spoolBytes': (number);
  'spoolDroppedTotal': (number);
  /**
   * Age of the oldest record that is not acknowledged, milliseconds.
   */
  'lagMs': (number);
  /**
   * Whether the location's canary targets answer; `canaries` is 0 where none are set.
   */
  'canaryOk': (boolean);
  'canaries': (number);
  'assignments': (number);
  'assignmentsRevision': (number);
  /**
   * Schedule lateness of the last minute: start of a check against its slot, milliseconds.
   */
  'latenessP50Ms': (number);
  'latenessP99Ms': (number);
  /**
   * Slots that were due in the last minute, and those that were run.
   */
  'slotsDue': (number);
  'slotsRun': (number);
  'draining': (boolean);
}
