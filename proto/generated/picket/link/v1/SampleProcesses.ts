// Original file: proto/link.proto

import type { Long } from '@grpc/proto-loader';

/**
 * Requests the busiest processes from an agent. The response has the same nonce.
 */
export interface SampleProcesses {
  'nonce'?: (number | string | Long);
}

/**
 * Requests the busiest processes from an agent. The response has the same nonce.
 */
export interface SampleProcesses__Output {
  'nonce': (number);
}
