import { status } from '@grpc/grpc-js';
import type { Clock } from '../../../kernel/clock.js';
import type { Logger } from '../../../kernel/logger.js';
import type { Random } from '../../../kernel/random.js';
import type { Hello__Output } from '../../../proto/generated/picket/link/v1/Hello.js';
import { PROTOCOL_VERSION } from '../../../proto/handshake.js';
import { printable } from '../../printable.js';
import type { NodeDocument } from '../documents.js';
import type { NodeIdentity } from '../nodes.js';
import type { StreamClaim } from '../presence/store.js';
import type { NodeStore } from '../store.js';
import { createAdmissionQueue } from './connections/admission-queue.js';
import type { StreamHost } from './host.js';
import { createKeyedQueue } from './keyed-queue.js';
import type { Session } from './session.js';

const VERSION_CHARS_MAX = 64;
/**
 * Nodes send pings more often. After this much silence, another process with the same credential may replace the node.
 */
export const SILENT_MS = 15_000;
/** A node that finds the queue full comes back after about this time, or later when many nodes return. */
const BUSY_MS_MIN = 2_000;

export interface AdmissionNeeds {
  /** The id of this process among all control planes. */
  controlPlane: string;
  store: NodeStore;
  clock: Clock;
  random: Random;
  logger: Logger;
}

/** Decides which of the streams of a node is its current one. */
export interface Admission<N extends NodeIdentity> {
  /** Ends the state `claiming` of the session. Never rejects. */
  admit(session: Session<N>, node: NodeDocument, hello: Hello__Output): Promise<void>;
  /** Handles the end of the stream. Never rejects. */
  release(session: Session<N>): Promise<void>;
}

export function createAdmission<N extends NodeIdentity>(needs: AdmissionNeeds, host: StreamHost<N>): Admission<N> {
  const { logger } = needs;
  const { presenceStore } = host;
  // One stream of a node at a time, so that this process and the database agree on the current stream.
  const inOrder = createKeyedQueue();
  const queue = createAdmissionQueue(needs.clock);

  async function decideInTurn(session: Session<N>, node: NodeDocument, hello: Hello__Output): Promise<void> {
    const endTurn = await queue.enter();
    if (endTurn === null) {
      const aboutMs = Math.max(BUSY_MS_MIN, host.reconnectSpreadMs());
      const retryAfterMs = Math.floor(aboutMs * (0.5 + needs.random.fraction()));
      session.refuse('busy', 'too many nodes connect at the same time', status.UNAVAILABLE, retryAfterMs);
      return;
    }
    try {
      // The node may have left while it waited.
      if (session.state() === 'claiming') await decide(session, node, hello);
    } finally {
      endTurn();
    }
  }

  async function decide(session: Session<N>, node: NodeDocument, hello: Hello__Output): Promise<void> {
    if (await isRefused(needs, host, session, hello)) return;
    const previous = host.current(node._id);
    if (previous !== null && (previous.state() !== 'live' || !previous.heardWithin(SILENT_MS))) {
      await presenceStore.release(node._id, previous.streamId);
    }
    const version = printable(hello.version, VERSION_CHARS_MAX);
    const claim = claimOf(needs, session, node, version);
    if (!(await presenceStore.claim(claim, SILENT_MS))) {
      logger.warn(
        { node: session.node, instance: session.instance },
        'refusing a second process with the credential of a connected node',
      );
      session.refuse('duplicate', 'another process with this credential is connected', status.ALREADY_EXISTS);
      return;
    }
    previous?.finish({ code: status.ABORTED, details: 'a newer stream of this node has replaced this one' });
    const { drained } = claim;
    // If the stream has ended since, the next item in the queue releases the claim.
    if (!session.welcome(host.welcome(session, drained), previous?.idle() ?? Promise.resolve())) return;
    host.opened(session, hello, drained);
    logger.info({ node: session.node, version }, 'node connected');
    if (node.version !== version) await needs.store.setVersion(node._id, version);
  }

  return {
    admit: (session, node, hello) =>
      inOrder(node._id, () => decideInTurn(session, node, hello)).catch((error: unknown) => {
        logger.warn({ err: error, node: session.node }, 'admitting a node failed; the node retries');
        session.finish({ code: status.UNAVAILABLE, details: 'admitting this node failed, retry' });
      }),
    release: (session) =>
      inOrder(session.node.nodeId, async () => {
        if (host.closed(session)) logger.info({ node: session.node }, 'node disconnected');
        await presenceStore.release(session.node.nodeId, session.streamId);
      }).catch((error: unknown) => {
        // The presence expires by itself.
        logger.warn({ err: error, node: session.node }, 'storing the end of a stream failed; its presence expires');
      }),
  };
}

/** Refuses a stream that this control plane cannot admit, or not now. */
async function isRefused<N extends NodeIdentity>(
  { random }: Pick<AdmissionNeeds, 'random'>,
  host: StreamHost<N>,
  session: Session<N>,
  hello: Hello__Output,
): Promise<boolean> {
  if (hello.protocol > PROTOCOL_VERSION) {
    session.refuse(
      'version',
      `this control plane supports protocol ${PROTOCOL_VERSION} at most`,
      status.FAILED_PRECONDITION,
    );
    return true;
  }
  await host.ready();
  const refusal = await host.refusal(session.node);
  if (refusal !== null) {
    const { code, detail, retryAfterMs } = refusal;
    session.refuse(code, detail, status.UNAVAILABLE, Math.floor(retryAfterMs * (0.5 + random.fraction())));
    return true;
  }
  return false;
}

function claimOf(
  { controlPlane, clock }: AdmissionNeeds,
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
