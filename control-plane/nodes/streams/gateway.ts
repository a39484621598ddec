import { status } from '@grpc/grpc-js';
import type { Random } from '../../../kernel/random.js';
import type { NodeLinkHandlers } from '../../../proto/generated/picket/link/v1/NodeLink.js';
import type { NodeDocument } from '../documents.js';
import { credentialIn, hashSecret } from '../enrolment/credentials.js';
import type { Authentication, Enrolment } from '../enrolment/enrolment.js';
import { createUnaryCalls } from '../enrolment/unary-calls.js';
import type { AgentIdentity, NodeIdentity, ProbeIdentity } from '../nodes.js';
import { type AdmissionDependencies, createAdmission } from './admission.js';
import type { StreamHost } from './host.js';
import { createSession, type NodeStream, type Session } from './session.js';

interface Dependencies extends AdmissionDependencies {
  enrolment: Enrolment;
  probes: StreamHost<ProbeIdentity>;
  agents: StreamHost<AgentIdentity>;
  random: Random;
}

/** The gRPC service: who may call, and which stream is whose. */
export interface Gateway {
  handlers: NodeLinkHandlers;
  /** Every stream that has not ended, also those that are not yet or no longer their node's. */
  sessions(): Session[];
  /** From now on calls are turned away, for the node to try another control plane. */
  stopAdmitting(): void;
  /** Resolves when all streams have ended and this is noted in the database. */
  allEnded(): Promise<void>;
}

const STREAM_ID_BYTES = 12;
const INSTANCE_CHARS_MAX = 64;
/** The metadata entry in which a node's process names itself. */
const INSTANCE = 'picket-instance';

export function createGateway(dependencies: Dependencies): Gateway {
  const { enrolment, clock, random, logger } = dependencies;
  const open = new Map<Session, Promise<void>>();
  const accept = {
    probe: acceptor(dependencies.probes),
    agent: acceptor(dependencies.agents),
  };
  let admitting = true;

  async function connect(stream: NodeStream): Promise<void> {
    if (!admitting) return turnAway(stream, status.UNAVAILABLE, 'this control plane is going away');
    const credential = credentialIn(stringIn(stream, 'authorization'));
    if (credential === null) return turnAway(stream, status.UNAUTHENTICATED, 'no node credential');
    let caller: Authentication;
    try {
      caller = await enrolment.authenticate(credential);
    } catch (error) {
      logger.warn({ err: error }, 'a node cannot be authenticated now');
      return turnAway(stream, status.UNAVAILABLE, 'the credential cannot be checked now');
    }
    if (caller.kind === 'unknown') return turnAway(stream, status.UNAUTHENTICATED, 'unknown node credential');
    if (caller.kind === 'revoked') {
      stream.write({ refused: { code: 'revoked', detail: removedWords(caller.node.kind) } });
      return turnAway(stream, status.PERMISSION_DENIED, 'revoked');
    }
    if (!admitting) return turnAway(stream, status.UNAVAILABLE, 'this control plane is going away');
    if (stream.cancelled) return;
    const { node } = caller;
    const nodeId = node._id;
    if (node.kind === 'probe')
      accept.probe(stream, node, { nodeId, kind: 'probe', location: node.location }, credential);
    else accept.agent(stream, node, { nodeId, kind: 'agent', workspaceId: node.workspace_id }, credential);
  }

  function acceptor<N extends NodeIdentity>(host: StreamHost<N>) {
    const admission = createAdmission(dependencies, host);
    return (stream: NodeStream, node: NodeDocument, identity: N, credential: string): void => {
      const streamId = random.bytes(STREAM_ID_BYTES).toString('hex');
      const session = createSession({
        stream,
        node: identity,
        streamId,
        // A node that names no instance is a new process each time: it waits until its forerunner is silent.
        instance: stringIn(stream, INSTANCE)?.slice(0, INSTANCE_CHARS_MAX) || streamId,
        credentialHash: hashSecret(credential),
        handler: host.handler,
        clock,
        onHello: (session, hello) => void admission.admit(session, node, hello),
        onMessage: host.message,
        onStorageError: (_session, error) => logger.error({ err: error, node: identity }, 'records cannot be stored'),
      });
      const over = session.closed
        .then(() => Promise.all([admission.release(session), session.idle()]))
        .then(() => void open.delete(session));
      open.set(session, over);
    };
  }

  return {
    handlers: {
      Connect: (stream) => void connect(stream),
      ...createUnaryCalls({ enrolment, logger, isAdmitting: () => admitting }),
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

/** Why a credential is void. */
export function removedWords(kind: NodeDocument['kind']): string {
  return kind === 'probe' ? 'an operator has removed this node' : 'the server was removed from its workspace';
}

function turnAway(stream: NodeStream, code: status, details: string): void {
  stream.emit('error', { code, details });
}

function stringIn(stream: NodeStream, name: string): string | undefined {
  const [value] = stream.metadata.get(name);
  return typeof value === 'string' ? value : undefined;
}
