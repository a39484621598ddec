// Original file: proto/link.proto

import type { Process as _picket_link_v1_Process, Process__Output as _picket_link_v1_Process__Output } from '../../../picket/link/v1/Process.js';
import type { Long } from '@grpc/proto-loader';

export interface ProcessSample {
  'nonce'?: (number | string | Long);
  'atMs'?: (number | string | Long);
  'total'?: (number);
  /**
   * At most ten each, the largest first.
   */
  'byCpu'?: (_picket_link_v1_Process)[];
  'byMemory'?: (_picket_link_v1_Process)[];
}

export interface ProcessSample__Output {
  'nonce': (number);
  'atMs': (number);
  'total': (number);
  /**
   * At most ten each, the largest first.
   */
  'byCpu': (_picket_link_v1_Process__Output)[];
  'byMemory': (_picket_link_v1_Process__Output)[];
}
