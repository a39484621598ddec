import type { Db } from 'mongodb';
import { newestFirst, type PageRequest } from '../storage/page.js';
import type { Transaction } from '../storage/transaction.js';
import type { JoinTokenDocument, ListedToken, NodeDocument, ProbeDocument } from './documents.js';

/** The fields that decide whether a stream may stay open, and whether its node is drained. */
export type NodeState = Pick<
  NodeDocument,
  '_id' | 'credential_hash' | 'previous_credential_hash' | 'drained_at_ms' | 'revoked_at_ms'
>;

/** Whose join tokens: those for probes belong to the installation, those for servers to a workspace. */
export type TokenOwner = { kind: 'probe' } | { kind: 'agent'; workspaceId: string };

/** Probes belong to the installation and only operators see them; an agent belongs to the workspace of its server. */
export interface NodeStore {
  ensureIndexes(): Promise<void>;
  insertToken(tx: Transaction, token: JoinTokenDocument): Promise<void>;
  /** Resolves to a token, also one that is used or expired; null when it is unknown. */
  findToken(tx: Transaction, hash: string): Promise<JoinTokenDocument | null>;
  /**
   * Marks the token as used. Resolves to null when it is unknown, used or expired. Of concurrent callers, one gets it.
   */
  consumeToken(tx: Transaction, hash: string, nodeId: string, nowMs: number): Promise<JoinTokenDocument | null>;
  insertNode(tx: Transaction, node: NodeDocument): Promise<void>;
  findProbe(id: string, tx?: Transaction): Promise<ProbeDocument | null>;
  /** Resolves to the node with this current or previous credential. */
  findByCredential(hash: string): Promise<NodeDocument | null>;
  /** Revokes the previous credential, after the first use of the new one. */
  revokePrevious(id: string, hash: string): Promise<void>;
  /**
   * Sets a new credential and keeps the caller's as the previous one. Resolves to false when the caller's is no longer
   * valid.
   */
  rotate(tx: Transaction, id: string, usedHash: string, newHash: string, nowMs: number): Promise<boolean>;
  setVersion(id: string, version: string): Promise<void>;
  states(ids: readonly string[]): Promise<NodeState[]>;
  /** Resolves to probes, newest first, including revoked ones. */
  pageOfProbes(request: PageRequest): Promise<ProbeDocument[]>;
  setDrained(tx: Transaction, id: string, drainedAtMs: number | null): Promise<ProbeDocument | null>;
  /** Whether the location has a probe that is not revoked. */
  hasProbe(tx: Transaction, location: string): Promise<boolean>;
  /** Resolves to join tokens, newest first, including used and expired ones. */
  pageOfTokens(owner: TokenOwner, request: PageRequest): Promise<ListedToken[]>;
  /** Removes a join token that is not used. Resolves to null when there is none. */
  removeToken(tx: Transaction, owner: TokenOwner, id: string): Promise<JoinTokenDocument | null>;
  isUsedToken(tx: Transaction, owner: TokenOwner, id: string): Promise<boolean>;
  /** Removes the unused join tokens of these kinds that a person created in a workspace. Resolves to their number. */
  removeTokensOf(
    tx: Transaction,
    maker: { workspaceId: string; userId: string },
    kinds: readonly JoinTokenDocument['kind'][],
  ): Promise<number>;
  /** Removes the unused join tokens of the location. */
  removeTokens(tx: Transaction, location: string): Promise<void>;
  /** Resolves to null when there is no such node, or it is already revoked. */
  revoke(tx: Transaction, id: string, nowMs: number): Promise<NodeDocument | null>;
}

/** Expired tokens stay for a day, so that an operator can find out why a late attempt failed. */
const TOKEN_KEPT_AFTER_EXPIRY_S = 86_400;

type TokenMethod =
  | ('insertToken' | 'findToken' | 'consumeToken')
  | ('pageOfTokens' | 'removeToken' | 'isUsedToken' | 'removeTokensOf' | 'removeTokens');

export function createNodeStore(db: Db): NodeStore {
  const nodes = nodeMethods(db);
  const tokens = tokenMethods(db);
  return {
    ...nodes,
    ...tokens,
    async ensureIndexes() {
      await Promise.all([nodes.ensureIndexes(), tokens.ensureIndexes()]);
    },
  };
}

function tokenMethods(db: Db): Pick<NodeStore, TokenMethod | 'ensureIndexes'> {
  const tokens = db.collection<JoinTokenDocument>('join_tokens');
  return {
    async ensureIndexes() {
      await tokens.createIndexes([
        { key: { expires_at: 1 }, expireAfterSeconds: TOKEN_KEPT_AFTER_EXPIRY_S },
        { key: { kind: 1, token_id: -1 } },
        { key: { 'workspace.id': 1, kind: 1, token_id: -1 } },
      ]);
    },
    async insertToken(tx, token) {
      await tokens.insertOne(token, { session: tx.session });
    },
    findToken: (tx, hash) => tokens.findOne({ _id: hash }, { session: tx.session }),
    pageOfTokens(owner, { after, rowsMax }) {
      // Those of earlier versions have no id. They expire within a day.
      const listed = { token_id: after === null ? { $exists: true } : { $lt: after } };
      return tokens
        .find<ListedToken>({ ...ofOwner(owner), ...listed })
        .sort({ token_id: -1 })
        .limit(rowsMax)
        .toArray();
    },
    removeToken(tx, owner, token_id) {
      return tokens.findOneAndDelete({ ...ofOwner(owner), token_id, used_at_ms: null }, { session: tx.session });
    },
    async isUsedToken(tx, owner, token_id) {
      const used = { ...ofOwner(owner), token_id, used_at_ms: { $ne: null } };
      return (await tokens.findOne(used, { session: tx.session, projection: { _id: 1 } })) !== null;
    },
    async removeTokensOf(tx, { workspaceId, userId }, kinds) {
      if (kinds.length === 0) return 0;
      const made = { 'workspace.id': workspaceId, kind: { $in: [...kinds] }, maker_id: userId, used_at_ms: null };
      return (await tokens.deleteMany(made, { session: tx.session })).deletedCount;
    },
    async removeTokens(tx, location) {
      await tokens.deleteMany({ kind: 'probe', location, used_at_ms: null }, { session: tx.session });
    },
    consumeToken(tx, hash, nodeId, nowMs) {
      return tokens.findOneAndUpdate(
        { _id: hash, used_at_ms: null, expires_at: { $gt: new Date(nowMs) } },
        { $set: { used_at_ms: nowMs, node_id: nodeId } },
        { session: tx.session },
      );
    },
  };
}

function ofOwner(owner: TokenOwner) {
  return owner.kind === 'probe' ? { kind: owner.kind } : { kind: owner.kind, 'workspace.id': owner.workspaceId };
}

function nodeMethods(db: Db): Omit<NodeStore, TokenMethod> {
  const nodes = db.collection<NodeDocument>('nodes');
  /** The same collection, queried for probes only. */
  const probes = db.collection<ProbeDocument>('nodes');
  return {
    async ensureIndexes() {
      await nodes.createIndexes([
        { key: { credential_hash: 1 }, unique: true },
        { key: { previous_credential_hash: 1 } },
        { key: { kind: 1, _id: -1 } },
      ]);
    },
    async insertNode(tx, node) {
      await nodes.insertOne(node, { session: tx.session });
    },
    findProbe: (id, tx) => probes.findOne({ _id: id, kind: 'probe' }, tx === undefined ? {} : { session: tx.session }),
    findByCredential: (hash) => nodes.findOne({ $or: [{ credential_hash: hash }, { previous_credential_hash: hash }] }),
    async revokePrevious(id, hash) {
      await nodes.updateOne({ _id: id, credential_hash: hash }, { $set: { previous_credential_hash: null } });
    },
    async rotate(tx, id, usedHash, newHash, nowMs) {
      const valid = { $or: [{ credential_hash: usedHash }, { previous_credential_hash: usedHash }] };
      const written = await nodes.updateOne(
        { _id: id, revoked_at_ms: null, ...valid },
        {
          $set: { credential_hash: newHash, previous_credential_hash: usedHash, credential_issued_at_ms: nowMs },
        },
        { session: tx.session },
      );
      return written.matchedCount === 1;
    },
    async setVersion(id, version) {
      await nodes.updateOne({ _id: id, version: { $ne: version } }, { $set: { version } });
    },
    states: (ids) =>
      nodes
        .find({ _id: { $in: [...ids] } })
        .project<NodeState>({ credential_hash: 1, previous_credential_hash: 1, drained_at_ms: 1, revoked_at_ms: 1 })
        .toArray(),
    async hasProbe(tx, location) {
      const probe = { kind: 'probe', location, revoked_at_ms: null } as const;
      return (await probes.findOne(probe, { session: tx.session, projection: { _id: 1 } })) !== null;
    },
    pageOfProbes({ after, rowsMax }) {
      const { filter, sort } = newestFirst(after);
      return probes
        .find({ ...filter, kind: 'probe' })
        .sort(sort)
        .limit(rowsMax)
        .toArray();
    },
    setDrained(tx, id, drainedAtMs) {
      return probes.findOneAndUpdate(
        { _id: id, kind: 'probe', revoked_at_ms: null },
        { $set: { drained_at_ms: drainedAtMs }, $inc: { document_version: 1 } },
        { session: tx.session, returnDocument: 'after' },
      );
    },
    revoke(tx, id, nowMs) {
      return nodes.findOneAndUpdate(
        { _id: id, revoked_at_ms: null },
        { $set: { revoked_at_ms: nowMs }, $inc: { document_version: 1 } },
        { session: tx.session, returnDocument: 'after' },
      );
    },
  };
}
