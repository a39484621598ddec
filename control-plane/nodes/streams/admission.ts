import { status } from '@grpc/grpc-js';
import type { Clock } from '../../../kernel/clock.js';
import type { Logger } from '../../../kernel/logger.js';
import type { Hello__Output } from '../../../proto/generated/picket/link/v1/Hello.js';
import { printable } from '../../printable.js';
import type { NodeDocument } from '../documents.js';
import type { NodeIdentity } from '../nodes.js';
import type { StreamClaim } from '../presence/store.js';
import type { NodeStore } from '../store.js';
import type { StreamHost } from './host.js';
import type { Session } from './session.js';
import { createTurns } from './turns.js';

/** What this control plane speaks; a node that speaks something newer must not guess. */
const PROTOCOL_MAX = 1;
const VERSION_CHARS_MAX = 64;
/** A node sends pings more often; another process with its credential may take over after this much silence. */
export const SILENT_MS = 15_000;

export interface AdmissionDependencies {
  /** Names this process among all control planes. */
  controlPlane: string;
  store: NodeStore;
  clock: Clock;
  logger: Logger;
}

/** Decides which of a node's streams is the node's. */
export interface Admission<N extends NodeIdentity> {
  /** Ends the session's `claiming`. Never rejects. */
  admit(session: Session<N>, node: NodeDocument, hello: Hello__Output): Promise<void>;
  /** The stream has ended. Never rejects. */
  release(session: Session<N>): Promise<void>;
}

export function createAdmission<N extends NodeIdentity>(
  dependencies: AdmissionDependencies,
  host: StreamHost<N>,
): Admission<N> {
  const { logger } = dependencies;
  const { presenceStore } = host;
  // One stream of a node at a time, so that what is noted here and in the database stays in step.
  const inTurn = createTurns();

  async function decide(session: Session<N>, node: NodeDocument, hello: Hello__Output): Promise<void> {
    if (hello.protocol > PROTOCOL_MAX) {
      session.refuse('version', `protocol ${PROTOCOL_MAX} is the newest spoken here`, status.FAILED_PRECONDITION);
      return;
    }
    await host.ready();
    const previous = host.current(node._id);
    if (previous !== null && (previous.state() !== 'live' || !previous.heardWithin(SILENT_MS))) {
      await presenceStore.release(node._id, previous.streamId);
    }
    const version = printable(hello.version, VERSION_CHARS_MAX);
    const claim = claimOf(dependencies, session, node, version);
    if (!(await presenceStore.claim(claim, SILENT_MS))) {
      logger.warn({ node: session.node, instance: session.instance }, 'a second process uses the credential of a node');
      session.refuse('duplicate', 'another process with this credential is connected', status.ALREADY_EXISTS);
      return;
    }
    previous?.finish({ code: status.ABORTED, details: 'a newer stream of this node has taken over' });
    const { drained } = claim;
    // A stream that ended meanwhile is released in the next turn, which finds the claim.
    if (!session.welcome(host.welcome(session, drained), previous?.idle() ?? Promise.resolve())) return;
    host.opened(session, hello, drained);
    logger.info({ node: session.node, version }, 'node connected');
    if (node.version !== version) await dependencies.store.setVersion(node._id, version);
  }

  return {
    admit: (session, node, hello) =>
      inTurn(node._id, () => decide(session, node, hello)).catch((error: unknown) => {
        logger.warn({ err: error, node: session.node }, 'a node cannot be admitted now');
        session.finish({ code: status.UNAVAILABLE, details: 'this control plane cannot take the node now' });
      }),
    release: (session) =>
      inTurn(session.node.nodeId, async () => {
        if (host.closed(session)) logger.info({ node: session.node }, 'node disconnected');
        await presenceStore.release(session.node.nodeId, session.streamId);
      }).catch((error: unknown) => {
        // The row grows old by itself.
        logger.warn({ err: error, node: session.node }, 'the end of a stream could not be noted');
      }),
  };
}

function claimOf(
  { controlPlane, clock }: AdmissionDependencies,
  { streamId, instance, credentialHash }: Session,
  node: NodeDocument,
  version: string,
): StreamClaim {
  return {
    nodeId: node._id,
    location: node.kind === 'probe' ? node.location : node.workspace_id,
    controlPlane,
    streamId,
    instance,
    credentialHash,
    drained: node.drained_at_ms !== null,
    version,
    connectedAtMs: clock.now(),
  };
}
