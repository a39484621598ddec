// Original file: proto/link.proto

import type { Long } from '@grpc/proto-loader';

/**
 * Asks an agent for its busiest processes; the answer carries the same nonce.
 */
export interface SampleProcesses {
  'nonce'?: (number | string | Long);
}

/**
 * Asks an agent for its busiest processes; the answer carries the same nonce.
 */
export interface SampleProcesses__Output {
  'nonce': (number);
}
