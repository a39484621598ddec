// Original file: proto/link.proto

import type { Long } from '@grpc/proto-loader';

export interface Pong {
  'nonce'?: (number | string | Long);
  'serverTimeMs'?: (number | string | Long);
  /**
   * After the loss of its connection, the node reconnects at a random time within this, so that many nodes that lost
   * it together do not return together. 0: no spread beyond the node's own backoff.
   */
  'reconnectSpreadMs'?: (number);
}

export interface Pong__Output {
  'nonce': (number);
  'serverTimeMs': (number);
  /**
   * After the loss of its connection, the node reconnects at a random time within this, so that many nodes that lost
   * it together do not return together. 0: no spread beyond the node's own backoff.
   */
  'reconnectSpreadMs': (number);
}
