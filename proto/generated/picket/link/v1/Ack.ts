// Original file: proto/link.proto

import type { Rejection as _picket_link_v1_Rejection, Rejection__Output as _picket_link_v1_Rejection__Output } from './Rejection.js';
import type { Long } from '@grpc/proto-loader';

/**
 * Everything up to and including `up_to_seq` of this stream's batches is stored by a majority write or refused for good.
 */
export interface Ack {
  'upToSeq'?: (number | string | Long);
  'rejections'?: (_picket_link_v1_Rejection)[];
}

/**
 * Everything up to and including `up_to_seq` of this stream's batches is stored by a majority write or refused for good.
 */
export interface Ack__Output {
  'upToSeq': (number);
  'rejections': (_picket_link_v1_Rejection__Output)[];
}
