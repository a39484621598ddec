// Original file: proto/link.proto

import type { Metric as _picket_link_v1_Metric, Metric__Output as _picket_link_v1_Metric__Output } from '../../../picket/link/v1/Metric.js';

export interface MetricValue {
  'metric'?: (_picket_link_v1_Metric);
  /**
   * Mount point, block device, interface or core number; empty for a value of the whole server.
   */
  'device'?: (string);
  'value'?: (number | string);
}

export interface MetricValue__Output {
  'metric': (_picket_link_v1_Metric__Output);
  /**
   * Mount point, block device, interface or core number; empty for a value of the whole server.
   */
  'device': (string);
  'value': (number);
}
