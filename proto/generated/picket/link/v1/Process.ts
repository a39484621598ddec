// Original file: proto/link.proto

import type { Long } from '@grpc/proto-loader';

/**
 * Only the name of a process is sent, because its command line may contain secrets.
 */
export interface Process {
  'pid'?: (number);
  'name'?: (string);
  'user'?: (string);
  /**
   * Share of one core during the sample: 200 means two cores.
   */
  'cpuPercent'?: (number | string);
  'memoryBytes'?: (number | string | Long);
  'memoryPercent'?: (number | string);
  'startedAtMs'?: (number | string | Long);
}

/**
 * Only the name of a process is sent, because its command line may contain secrets.
 */
export interface Process__Output {
  'pid': (number);
  'name': (string);
  'user': (string);
  /**
   * Share of one core during the sample: 200 means two cores.
   */
  'cpuPercent': (number);
  'memoryBytes': (number);
  'memoryPercent': (number);
  'startedAtMs': (number);
}
