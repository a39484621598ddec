// Original file: proto/link.proto

import type { Long } from '@grpc/proto-loader';

export interface Rejection {
  'seq'?: (number | string | Long);
  'reason'?: (string);
}

export interface Rejection__Output {
  'seq': (number);
  'reason': (string);
}
