import type { Hello__Output } from '../../../proto/generated/picket/link/v1/Hello.js';
import type { ToNode } from '../../../proto/generated/picket/link/v1/ToNode.js';
import type { NodeIdentity, RecordHandler } from '../nodes.js';
import type { PresenceStore } from '../presence/store.js';
import type { StreamCredit } from './memory/credit.js';
import type { Session } from './session.js';
import type { ReceivedMessage } from './stream.js';

/** How streams of one kind of node are handled after authentication. */
export interface StreamHost<N extends NodeIdentity> {
  /** Stores which control plane holds the stream of a node. */
  presenceStore: PresenceStore;
  /** Stores the records of batches. */
  handler: RecordHandler<N>;
  /** Returns the time over which nodes of this kind are to return after the loss of their connections. */
  reconnectSpreadMs(): number;
  /** Returns what a new stream may send at a time. */
  openCredit(): StreamCredit;
  /** Resolves when streams can be admitted. */
  ready(): Promise<void>;
  /** Resolves to why the node may not connect at the moment; null when it may. It tries again after `retryAfterMs`. */
  refusal(node: N): Promise<{ code: string; detail: string; retryAfterMs: number } | null>;
  /** Returns the current stream of the node in this process. */
  current(nodeId: string): Session<N> | null;
  /** Returns the first message on the stream. */
  welcome(session: Session<N>, drained: boolean): ToNode;
  /** Makes the stream the current one of its node, which `current` must return from now on. */
  opened(session: Session<N>, hello: Hello__Output, drained: boolean): void;
  /** Handles the end of the stream. Returns whether it was the current one. */
  closed(session: Session<N>): boolean;
  /** Handles a message that only this kind of node sends. */
  message(session: Session<N>, message: ReceivedMessage): void;
}
