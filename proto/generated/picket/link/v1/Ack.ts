// Original file: proto/link.proto

import type { Rejection as _picket_link_v1_Rejection, Rejection__Output as _picket_link_v1_Rejection__Output } from '../../../picket/link/v1/Rejection.js';
import type { Long } from '@grpc/proto-loader';

/**
 * All records of this stream up to and including `up_to_seq` are stored by a majority write or permanently rejected.
 */
export interface Ack {
  'upToSeq'?: (number | string | Long);
  'rejections'?: (_picket_link_v1_Rejection)[];
  /**
   * If set, the node sends one batch at a time, with at most this many bytes of records, or with one record. The control
   * plane gives each node a share of its memory. 0: the node may send several batches of the full size.
   */
  'windowBytes'?: (number);
}

/**
 * All records of this stream up to and including `up_to_seq` are stored by a majority write or permanently rejected.
 */
export interface Ack__Output {
  'upToSeq': (number);
  'rejections': (_picket_link_v1_Rejection__Output)[];
  /**
   * If set, the node sends one batch at a time, with at most this many bytes of records, or with one record. The control
   * plane gives each node a share of its memory. 0: the node may send several batches of the full size.
   */
  'windowBytes': (number);
}
