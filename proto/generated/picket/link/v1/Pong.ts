// Original file: proto/link.proto

import type { Long } from '@grpc/proto-loader';

export interface Pong {
  'nonce'?: (number | string | Long);
  'serverTimeMs'?: (number | string | Long);
}

export interface Pong__Output {
  'nonce': (number);
  'serverTimeMs': (number);
}
