import type { ServerDuplexStream, status } from '@grpc/grpc-js';
import type { FromNode__Output } from '../../../proto/generated/picket/link/v1/FromNode.js';
import type { ToNode } from '../../../proto/generated/picket/link/v1/ToNode.js';

export type NodeStream = ServerDuplexStream<FromNode__Output, ToNode>;

/** The gRPC status that a stream ends with, and a message for the log of the node. */
export interface StreamEnd {
  code: status;
  details: string;
}
