// Original file: proto/link.proto

import type { Long } from '@grpc/proto-loader';

/**
 * Name only: a command line may hold secrets.
 */
export interface Process {
  'pid'?: (number);
  'name'?: (string);
  'user'?: (string);
  /**
   * Of one core, over the moment of the sample: 200 is two cores.
   */
  'cpuPercent'?: (number | string);
  'memoryBytes'?: (number | string | Long);
  'memoryPercent'?: (number | string);
  'startedAtMs'?: (number | string | Long);
}

/**
 * Name only: a command line may hold secrets.
 */
export interface Process__Output {
  'pid': (number);
  'name': (string);
  'user': (string);
  /**
   * Of one core, over the moment of the sample: 200 is two cores.
   */
  'cpuPercent': (number);
  'memoryBytes': (number);
  'memoryPercent': (number);
  'startedAtMs': (number);
}
