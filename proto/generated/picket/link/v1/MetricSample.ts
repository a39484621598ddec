// Original file: proto/link.proto

import type { MetricValue as _picket_link_v1_MetricValue, MetricValue__Output as _picket_link_v1_MetricValue__Output } from '../../../picket/link/v1/MetricValue.js';
import type { Long } from '@grpc/proto-loader';

/**
 * The values of all metrics that an agent read at one time. A metric that could not be read is missing, never zero.
 */
export interface MetricSample {
  /**
   * The agent's estimate of the control plane's clock, epoch milliseconds.
   */
  'atMs'?: (number | string | Long);
  'values'?: (_picket_link_v1_MetricValue)[];
}

/**
 * The values of all metrics that an agent read at one time. A metric that could not be read is missing, never zero.
 */
export interface MetricSample__Output {
  /**
   * The agent's estimate of the control plane's clock, epoch milliseconds.
   */
  'atMs': (number);
  'values': (_picket_link_v1_MetricValue__Output)[];
}
