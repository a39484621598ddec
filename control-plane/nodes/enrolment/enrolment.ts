import type { Clock } from '../../../kernel/clock.js';
import type { Random } from '../../../kernel/random.js';
import { systemActor } from '../../actor.js';
import type { AuditLog } from '../../audit/audit.js';
import { printable } from '../../printable.js';
import type { Ids } from '../../storage/ids.js';
import type { RunTransaction, Transaction } from '../../storage/transaction.js';
import type { JoinTokenDocument, NodeDocument } from '../documents.js';
import type { AgentOwner } from '../nodes.js';
import type { NodeStore } from '../store.js';
import { hashSecret, newCredential } from './credentials.js';

const VERSION_CHARS_MAX = 64;
const HOSTNAME_CHARS_MAX = 255;

export type Authentication =
  | { kind: 'accepted'; node: NodeDocument }
  | { kind: 'revoked'; node: NodeDocument }
  | { kind: 'unknown' };

export interface Enrolment {
  /**
   * null when the token is unknown, used or too old: the three are not told apart. Throws AppError `plan_limit` when
   * the workspace has no place for another server; the token stays good.
   */
  enrol(request: {
    secret: string;
    version: string;
    hostname: string;
  }): Promise<{ node: NodeDocument; credential: string } | null>;
  /** Whose credential it is. The first use of a rotated one voids the one before it. */
  authenticate(credential: string): Promise<Authentication>;
  /** A new credential in place of the caller's; null when that one is no longer valid. */
  rotate(credential: string): Promise<string | null>;
}

interface EnrolmentDependencies {
  store: NodeStore;
  audit: AuditLog;
  agents: Pick<AgentOwner, 'enrolled'>;
  runTransaction: RunTransaction;
  ids: Ids;
  clock: Clock;
  random: Random;
}

export function createEnrolment(dependencies: EnrolmentDependencies): Enrolment {
  const { store, clock, random } = dependencies;
  async function authenticate(credential: string): Promise<Authentication> {
    const hash = hashSecret(credential);
    const node = await store.findByCredential(hash);
    if (node === null) return { kind: 'unknown' };
    if (node.revoked_at_ms !== null) return { kind: 'revoked', node };
    if (node.credential_hash === hash && node.previous_credential_hash !== null)
      await store.forgetPrevious(node._id, hash);
    return { kind: 'accepted', node };
  }
  return {
    enrol: (request) => enrol(dependencies, request),
    authenticate,
    async rotate(credential) {
      const caller = await authenticate(credential);
      if (caller.kind !== 'accepted') return null;
      const fresh = newCredential(random);
      const written = await store.rotate(caller.node._id, hashSecret(credential), hashSecret(fresh), clock.now());
      return written ? fresh : null;
    },
  };
}

/** The token is used up, the node made and the audit entry written in one transaction: all or nothing. */
function enrol(
  dependencies: EnrolmentDependencies,
  request: { secret: string; version: string; hostname: string },
): Promise<{ node: NodeDocument; credential: string } | null> {
  const { store, runTransaction, ids, clock, random } = dependencies;
  const credential = newCredential(random);
  // One of the two is used, by what the token is for; both are made here, so that a repeated try makes no other.
  const nodeIds = { probe: ids.next('prb'), agent: ids.next('srv') };
  return runTransaction(async (tx) => {
    const hash = hashSecret(request.secret);
    const kind = await store.tokenKind(tx, hash);
    const token = kind === null ? null : await store.consumeToken(tx, hash, nodeIds[kind], clock.now());
    if (kind === null || token === null) return null;
    const joined = {
      _id: nodeIds[kind],
      version: printable(request.version, VERSION_CHARS_MAX),
      hostname: printable(request.hostname, HOSTNAME_CHARS_MAX),
      credential_hash: hashSecret(credential),
      previous_credential_hash: null,
      credential_issued_at_ms: clock.now(),
      enrolled_at_ms: clock.now(),
      document_version: 1,
      drained_at_ms: null,
      revoked_at_ms: null,
    };
    const node: NodeDocument =
      token.kind === 'probe'
        ? { ...joined, kind: 'probe', location: token.location }
        : { ...joined, kind: 'agent', workspace_id: token.workspace.id };
    await store.insertNode(tx, node);
    await tellOwner(dependencies, tx, node, token);
    return { node, credential };
  });
}

/** A probe is noted in the operators' audit log; an agent becomes a server, by whoever owns those. */
async function tellOwner(
  { audit, agents }: EnrolmentDependencies,
  tx: Transaction,
  node: NodeDocument,
  token: JoinTokenDocument,
): Promise<void> {
  const { _id: id, hostname, version } = node;
  if (node.kind === 'agent') {
    await agents.enrolled(tx, { id, workspace: token.workspace, hostname, version, tokenMadeBy: token.created_by });
    return;
  }
  await audit.record(tx, systemActor(token.workspace, id), {
    action: 'probe.enrolled',
    resource: { type: 'probe', id, name: hostname },
    metadata: { location: node.location, version, token_made_by: token.created_by },
  });
}
