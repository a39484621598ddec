import { status } from '@grpc/grpc-js';
import type { NodeLinkHandlers } from '../../../proto/generated/picket/link/v1/NodeLink.js';
import { INSTANCE_METADATA } from '../../../proto/handshake.js';
import type { GuessLimit } from '../../http/limits/guess-limit.js';
import type { NodeDocument } from '../documents.js';
import { credentialIn, hashSecret } from '../enrolment/credentials.js';
import type { Authentication, Enrolment } from '../enrolment/enrolment.js';
import { createUnaryCalls } from '../enrolment/unary-calls.js';
import type { AgentIdentity, NodeIdentity, ProbeIdentity } from '../nodes.js';
import { type AdmissionNeeds, createAdmission } from './admission.js';
import type { Connections } from './connections/connections.js';
import { createHeldBatches, type HoldBatch } from './hold/held-batches.js';
import type { StreamHost } from './host.js';
import { createStreamPace } from './limits/stream-pace.js';
import type { IngestMemory } from './memory/ingest-memory.js';
import type { StreamMetrics } from './metrics.js';
import { removalReason } from './removal-reason.js';
import { createSession, type Session } from './session.js';
import type { NodeStream } from './stream.js';

interface GatewayNeeds extends AdmissionNeeds {
  enrolment: Enrolment;
  joinGuesses: GuessLimit;
  connections: Pick<Connections, 'mayCall' | 'proven'>;
  probes: StreamHost<ProbeIdentity>;
  agents: StreamHost<AgentIdentity>;
  metrics: StreamMetrics;
  memory: IngestMemory;
}

/** The gRPC service. It authenticates calls and creates sessions. */
export interface Gateway {
  handlers: NodeLinkHandlers;
  /** Returns every open stream, also streams that are not admitted yet or already replaced. */
  sessions(): Session[];
  /** Refuses all further calls, so that nodes try another control plane. */
  stopAdmitting(): void;
  /** Resolves when all streams have ended and their presence is updated. */
  allEnded(): Promise<void>;
}

const STREAM_ID_BYTES = 12;
const INSTANCE_CHARS_MAX = 64;

export function createGateway(needs: GatewayNeeds): Gateway {
  const { enrolment, joinGuesses, connections, metrics, clock, logger } = needs;
  const pace = createStreamPace(clock);
  const open = new Map<Session, Promise<void>>();
  const shared = { ...needs, holdBatch: createHeldBatches(needs) };
  const accept = {
    probe: createAcceptor(shared, needs.probes, open),
    agent: createAcceptor(shared, needs.agents, open),
  };
  let admitting = true;

  async function connect(stream: NodeStream): Promise<void> {
    if (!admitting) return rejectStream(stream, status.UNAVAILABLE, 'this control plane is shutting down');
    const peer = stream.getPeer();
    if (!connections.mayCall(peer)) {
      return rejectStream(stream, status.RESOURCE_EXHAUSTED, 'too many calls without a valid credential');
    }
    const credential = credentialIn(stringIn(stream, 'authorization'));
    if (credential === null) return rejectStream(stream, status.UNAUTHENTICATED, 'the node credential is missing');
    const waitMs = pace.waitMs(hashSecret(credential));
    if (waitMs > 0) {
      const waitS = Math.ceil(waitMs / 1_000);
      metrics.streamRefused();
      return rejectStream(stream, status.RESOURCE_EXHAUSTED, `this node opens too many streams, retry in ${waitS} s`);
    }
    let caller: Authentication;
    try {
      caller = await enrolment.authenticate(credential);
    } catch (error) {
      logger.warn({ err: error }, 'authenticating a node failed; the node retries');
      return rejectStream(stream, status.UNAVAILABLE, 'checking the credential failed, retry');
    }
    if (caller.kind === 'unknown') return rejectStream(stream, status.UNAUTHENTICATED, 'unknown node credential');
    if (caller.kind === 'revoked') {
      stream.write({ refused: { code: 'revoked', detail: removalReason(caller.node.kind) } });
      return rejectStream(stream, status.PERMISSION_DENIED, 'revoked');
    }
    if (!admitting) return rejectStream(stream, status.UNAVAILABLE, 'this control plane is shutting down');
    if (stream.cancelled) return;
    const { node } = caller;
    const nodeId = node._id;
    if (node.kind === 'probe')
      accept.probe({ stream, peer, node, credential }, { nodeId, kind: 'probe', location: node.location });
    else accept.agent({ stream, peer, node, credential }, { nodeId, kind: 'agent', workspaceId: node.workspace_id });
  }

  return {
    handlers: {
      Connect: (stream) => void connect(stream),
      ...createUnaryCalls({ enrolment, joinGuesses, connections, logger, isAdmitting: () => admitting }),
    },
    sessions: () => [...open.keys()],
    stopAdmitting() {
      admitting = false;
    },
    async allEnded() {
      while (open.size > 0) await Promise.all(open.values());
    },
  };
}

interface AuthenticatedStream {
  stream: NodeStream;
  peer: string;
  node: NodeDocument;
  credential: string;
}

/** Returns a function that creates the session of an authenticated stream. It is in `open` until it has ended. */
function createAcceptor<N extends NodeIdentity>(
  needs: GatewayNeeds & { holdBatch: HoldBatch },
  host: StreamHost<N>,
  open: Map<Session, Promise<void>>,
) {
  const { connections, metrics, clock, random, logger, holdBatch } = needs;
  const admission = createAdmission(needs, host);
  return ({ stream, peer, node, credential }: AuthenticatedStream, identity: N): void => {
    const streamId = random.bytes(STREAM_ID_BYTES).toString('hex');
    let leaveConnection = () => {};
    const session = createSession({
      stream,
      node: identity,
      streamId,
      // A node without an instance counts as a new process each time, and waits until its previous stream is silent.
      instance: stringIn(stream, INSTANCE_METADATA)?.slice(0, INSTANCE_CHARS_MAX) || streamId,
      credentialHash: hashSecret(credential),
      handler: host.handler,
      ...{ clock, random, holdBatch, memory: needs.memory, credit: host.openCredit() },
      reconnectSpreadMs: host.reconnectSpreadMs,
      onHello(session, hello) {
        leaveConnection = connections.proven(peer);
        void admission.admit(session, node, hello);
      },
      onMessage: host.message,
      onStorageError: (_session, error) =>
        logger.error({ err: error, node: identity }, 'storing records failed; the node sends them again'),
      onRecordRefused: (reason) => metrics.messageRefused(identity.kind, reason),
      onRefused(_session, code) {
        metrics.messageRefused(identity.kind, code);
        logger.warn({ node: identity, code }, 'refused a message of a node and ended its stream');
      },
    });
    const ended = session.closed
      .then(() => leaveConnection())
      .then(() => Promise.all([admission.release(session), session.idle()]))
      .then(() => void open.delete(session));
    open.set(session, ended);
  };
}

function rejectStream(stream: NodeStream, code: status, details: string): void {
  stream.emit('error', { code, details });
}

function stringIn(stream: NodeStream, name: string): string | undefined {
  const [value] = stream.metadata.get(name);
  return typeof value === 'string' ? value : undefined;
}
