import type { Clock } from '../../../kernel/clock.js';
import type { Random } from '../../../kernel/random.js';
import type { MembershipsStore } from '../../accounts/memberships-store.js';
import { platformActor, systemActor } from '../../actor.js';
import type { AuditLog } from '../../audit/audit.js';
import { AppError } from '../../errors.js';
import { printable } from '../../printable.js';
import { ROLE_RIGHTS, rightOfScope } from '../../roles.js';
import type { Ids } from '../../storage/ids.js';
import type { RunTransaction, Transaction } from '../../storage/transaction.js';
import type { JoinTokenDocument, NodeDocument } from '../documents.js';
import type { AgentOwner } from '../nodes.js';
import type { NodeStore } from '../store.js';
import { hashSecret, newCredential } from './credentials.js';
import { createRotationLimit } from './rotation-limit.js';

const VERSION_CHARS_MAX = 64;
const HOSTNAME_CHARS_MAX = 255;

export type Authentication =
  | { kind: 'accepted'; node: NodeDocument }
  | { kind: 'revoked'; node: NodeDocument }
  | { kind: 'unknown' };

export interface Enrolment {
  /**
   * Enrols a node with a join token. Resolves to null when the token is unknown, used or expired. Throws AppError
   * `plan_limit` when the plan allows no more servers, `forbidden` when whoever created the token may not create it any more; the
   * token stays valid.
   */
  enrol(request: {
    secret: string;
    version: string;
    hostname: string;
  }): Promise<{ node: NodeDocument; credential: string } | null>;
  /** Resolves to the node of a credential. The first use of a rotated credential revokes the previous one. */
  authenticate(credential: string): Promise<Authentication>;
  /**
   * Replaces the caller's credential and resolves to the new one; null when the caller's is no longer valid. Throws
   * AppError `rate_limited` when the node rotates too often.
   */
  rotate(credential: string): Promise<string | null>;
}

interface EnrolmentNeeds {
  store: NodeStore;
  audit: AuditLog;
  agents: Pick<AgentOwner, 'enrolled'>;
  /** Resolves to the id of the operators' workspace; null in an empty database. */
  operatorsWorkspace(): Promise<string | null>;
  /** Resolves to whether the person is an operator, as the transaction sees it. */
  isOperator(tx: Transaction, userId: string): Promise<boolean>;
  memberships: Pick<MembershipsStore, 'find'>;
  runTransaction: RunTransaction;
  ids: Ids;
  clock: Clock;
  random: Random;
}

export function createEnrolment(needs: EnrolmentNeeds): Enrolment {
  const { store, random } = needs;
  const mayRotate = createRotationLimit(needs.clock);
  async function authenticate(credential: string): Promise<Authentication> {
    const hash = hashSecret(credential);
    const node = await store.findByCredential(hash);
    if (node === null) return { kind: 'unknown' };
    if (node.revoked_at_ms !== null) return { kind: 'revoked', node };
    if (node.credential_hash === hash && node.previous_credential_hash !== null)
      await store.revokePrevious(node._id, hash);
    return { kind: 'accepted', node };
  }
  return {
    enrol: (request) => enrol(needs, request),
    authenticate,
    async rotate(credential) {
      const caller = await authenticate(credential);
      if (caller.kind !== 'accepted') return null;
      if (!mayRotate(caller.node._id)) throw new AppError('rate_limited', 'The node rotates its credential too often.');
      const fresh = newCredential(random);
      return (await rotate(needs, caller.node, { used: credential, fresh })) ? fresh : null;
    },
  };
}

/**
 * Replaces the credential of a node and writes the audit entry: of a probe to the log of the operators, of an agent to
 * that of its server's workspace. Resolves to false when the used credential is no longer valid.
 */
async function rotate(
  { store, audit, operatorsWorkspace, runTransaction, clock }: EnrolmentNeeds,
  node: NodeDocument,
  { used, fresh }: { used: string; fresh: string },
): Promise<boolean> {
  const workspaceId = node.kind === 'agent' ? node.workspace_id : await operatorsWorkspace();
  return runTransaction(async (tx) => {
    if (!(await store.rotate(tx, node._id, hashSecret(used), hashSecret(fresh), clock.now()))) return false;
    if (workspaceId === null) return true;
    await audit.record(tx, platformActor(workspaceId), {
      action: 'integration.credential_rotated',
      resource: { type: node.kind === 'agent' ? 'server' : 'probe', id: node._id, name: node.hostname },
      metadata: node.kind === 'agent' ? {} : { location: node.location },
    });
    return true;
  });
}

/** Uses the token, inserts the node and writes the audit entry in one transaction. */
function enrol(
  needs: EnrolmentNeeds,
  request: { secret: string; version: string; hostname: string },
): Promise<{ node: NodeDocument; credential: string } | null> {
  const { store, runTransaction, ids, clock, random } = needs;
  const credential = newCredential(random);
  // The kind of the token decides which id is used. Both are created here, so that a retried transaction has the same
  // id.
  const nodeIds = { probe: ids.next('prb'), agent: ids.next('srv') };
  return runTransaction(async (tx) => {
    const hash = hashSecret(request.secret);
    const known = await store.findToken(tx, hash);
    const token = known === null ? null : await store.consumeToken(tx, hash, nodeIds[known.kind], clock.now());
    if (token === null) return null;
    await requireMaker(needs, tx, token);
    const joined = {
      _id: nodeIds[token.kind],
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
    await notifyOwner(needs, tx, node, token);
    return { node, credential };
  });
}

/**
 * Throws `forbidden` when the person who created the token has lost the right to. A probe gets the URLs and headers of all
 * tenants, and a server writes to its workspace. Who created a token of an earlier version is not known, so it ends.
 */
async function requireMaker(needs: EnrolmentNeeds, tx: Transaction, token: JoinTokenDocument): Promise<void> {
  const { maker_id: maker } = token;
  if (maker === null || (maker !== undefined && (await mayLetJoin(needs, tx, token, maker)))) return;
  throw new AppError(
    'forbidden',
    token.kind === 'probe'
      ? 'Whoever created this join token is not an operator. An operator must create a new one.'
      : 'Whoever created this join token may not add servers to the workspace. Somebody who may must create a new one.',
  );
}

async function mayLetJoin(
  { isOperator, memberships }: EnrolmentNeeds,
  tx: Transaction,
  { kind, workspace }: JoinTokenDocument,
  maker: string,
): Promise<boolean> {
  if (kind === 'probe') return isOperator(tx, maker);
  const membership = await memberships.find(tx, workspace.id, maker);
  return membership !== null && ROLE_RIGHTS[membership.role][rightOfScope('servers:write')];
}

/** Writes a probe to the audit log of the operators. For an agent, notifies the slice that owns servers. */
async function notifyOwner(
  { audit, agents }: EnrolmentNeeds,
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
