import type { ServerDuplexStream, status } from '@grpc/grpc-js';
import type { FromNode__Output } from '../../../proto/generated/picket/link/v1/FromNode.js';
import type { ToNode } from '../../../proto/generated/picket/link/v1/ToNode.js';

/** A message of a node, as `bounded-service.ts` decodes it. */
export type ReceivedMessage = FromNode__Output & {
  /** Its size on the wire. */
  wireBytes?: number;
  /** Why the message was not decoded. All its other fields are missing then. */
  violation?: string;
};

export type NodeStream = ServerDuplexStream<ReceivedMessage, ToNode>;

/** The gRPC status that a stream ends with, and a message for the log of the node. */
export interface StreamEnd {
  code: status;
  details: string;
}
