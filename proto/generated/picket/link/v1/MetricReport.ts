// Original file: proto/link.proto

import type { MetricValue as _picket_link_v1_MetricValue, MetricValue__Output as _picket_link_v1_MetricValue__Output } from './MetricValue.js';
import type { Long } from '@grpc/proto-loader';

/**
 * Everything that an agent read at one moment. A metric that could not be read is left out, never zero.
 */
export interface MetricReport {
  /**
   * On the control plane's clock as well as the agent knows it, epoch milliseconds.
   */
  'atMs'?: (number | string | Long);
  'values'?: (_picket_link_v1_MetricValue)[];
}

/**
 * Everything that an agent read at one moment. A metric that could not be read is left out, never zero.
 */
export interface MetricReport__Output {
  /**
   * On the control plane's clock as well as the agent knows it, epoch milliseconds.
   */
  'atMs': (number);
  'values': (_picket_link_v1_MetricValue__Output)[];
}
