// Original file: proto/link.proto

import type { Long } from '@grpc/proto-loader';

export interface Ping {
  'nonce'?: (number | string | Long);
}

export interface Ping__Output {
  'nonce': (number);
}
