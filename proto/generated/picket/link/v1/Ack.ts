// Original file: proto/link.proto

import type { Rejection as _picket_link_v1_Rejection, Rejection__Output as _picket_link_v1_Rejection__Output } from '../../../picket/link/v1/Rejection.js';
import type { Long } from '@grpc/proto-loader';

/**
 * All records of this stream up to and including `up_to_seq` are stored by a majority write or permanently rejected.
 */
export interface Ack {
  'upToSeq'?: (number | string | Long);
  'rejections'?: (_picket_link_v1_Rejection)[];
}

/**
 * All records of this stream up to and including `up_to_seq` are stored by a majority write or permanently rejected.
 */
export interface Ack__Output {
  'upToSeq': (number);
  'rejections': (_picket_link_v1_Rejection__Output)[];
}
