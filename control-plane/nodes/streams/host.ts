import type { FromNode__Output } from '../../../proto/generated/picket/link/v1/FromNode.js';
import type { Hello__Output } from '../../../proto/generated/picket/link/v1/Hello.js';
import type { ToNode } from '../../../proto/generated/picket/link/v1/ToNode.js';
import type { NodeIdentity, RecordHandler } from '../nodes.js';
import type { PresenceStore } from '../presence/store.js';
import type { Session } from './session.js';

/** How the streams of one kind of node are treated, once it is known whose they are. */
export interface StreamHost<N extends NodeIdentity> {
  /** Where it stands which control plane holds a node's stream. */
  presenceStore: PresenceStore;
  /** Takes the records of its batches. */
  handler: RecordHandler<N>;
  /** Resolves when streams can be admitted. */
  ready(): Promise<void>;
  /** The stream of the node that is held here. */
  current(nodeId: string): Session<N> | null;
  /** First word on the stream. */
  welcome(session: Session<N>, drained: boolean): ToNode;
  /** The stream is the node's from now on, and `current` is to say so. */
  opened(session: Session<N>, hello: Hello__Output, drained: boolean): void;
  /** The stream has ended; true when it was the node's. */
  closed(session: Session<N>): boolean;
  /** A message that only this kind of node sends. */
  message(session: Session<N>, message: FromNode__Output): void;
}
