import { type ServerUnaryCall, type sendUnaryData, status } from '@grpc/grpc-js';
import type { Logger } from '../../../kernel/logger.js';
import type { NodeLinkHandlers } from '../../../proto/generated/picket/link/v1/NodeLink.js';
import { AppError } from '../../errors.js';
import type { GuessLimit } from '../../http/limits/guess-limit.js';
import { addressOfPeer, type Connections } from '../streams/connections/connections.js';
import { credentialIn } from './credentials.js';
import type { Enrolment } from './enrolment.js';

const TOKEN_CHARS_MAX = 200;

class CallError extends Error {
  readonly code: status;
  constructor(code: status, message: string) {
    super(message);
    this.code = code;
  }
}

/** Returns the handlers of `Enrol` and `Rotate`. */
export function createUnaryCalls(needs: {
  enrolment: Enrolment;
  joinGuesses: GuessLimit;
  connections: Pick<Connections, 'mayCall'>;
  logger: Logger;
  isAdmitting(): boolean;
}): Pick<NodeLinkHandlers, 'Enrol' | 'Rotate'> {
  const { enrolment, joinGuesses, connections, logger, isAdmitting } = needs;
  async function admitted<T>(peer: string, work: (peer: string) => Promise<T>): Promise<T> {
    if (!isAdmitting()) throw new CallError(status.UNAVAILABLE, 'this control plane is shutting down');
    if (connections.mayCall(peer)) return work(peer);
    throw new CallError(status.RESOURCE_EXHAUSTED, 'too many calls without a valid credential');
  }
  function answer<Q, T>(
    call: ServerUnaryCall<Q, T>,
    callback: sendUnaryData<T>,
    work: (peer: string) => Promise<T>,
  ): void {
    admitted(call.getPeer(), work).then(
      (response) => callback(null, response),
      (error: unknown) => {
        if (error instanceof CallError) return callback({ code: error.code, details: error.message });
        if (error instanceof AppError && error.code === 'forbidden') {
          return callback({ code: status.FAILED_PRECONDITION, details: error.message });
        }
        // The person who installs an agent can resolve these; a node that rotates too often retries later.
        if (error instanceof AppError && (error.code === 'plan_limit' || error.code === 'rate_limited')) {
          return callback({ code: status.RESOURCE_EXHAUSTED, details: error.message });
        }
        logger.warn({ err: error }, 'a call of a node failed; the node retries');
        callback({ code: status.UNAVAILABLE, details: 'the call failed, retry' });
      },
    );
  }
  return {
    Enrol: (call, callback) =>
      answer(call, callback, async (peer) => {
        const { token, version, hostname } = call.request;
        const enrolled = await joinGuesses.check(addressOfPeer(peer), async () =>
          token.length > TOKEN_CHARS_MAX ? null : enrolment.enrol({ secret: token, version, hostname }),
        );
        if (enrolled === null) throw new CallError(status.UNAUTHENTICATED, 'unknown, used or expired');
        const { node, credential } = enrolled;
        const location = node.kind === 'probe' ? node.location : '';
        logger.info({ node: node._id, kind: node.kind, location }, 'node enrolled');
        return { nodeId: node._id, credential, location };
      }),
    Rotate: (call, callback) =>
      answer(call, callback, async () => {
        const [value] = call.metadata.get('authorization');
        const credential = credentialIn(typeof value === 'string' ? value : undefined);
        const fresh = credential === null ? null : await enrolment.rotate(credential);
        if (fresh === null) throw new CallError(status.UNAUTHENTICATED, 'unknown or revoked node credential');
        return { credential: fresh };
      }),
  };
}
