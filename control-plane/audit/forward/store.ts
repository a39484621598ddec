import type { Collection, Db } from 'mongodb';
import { createNamedCounts, type NamedCounts } from '../../storage/named-counts.js';
import { newestFirst, type PageRequest } from '../../storage/page.js';
import { createLockAndCount, type LockAndCount } from '../../storage/quota-lock.js';
import type { Transaction } from '../../storage/transaction.js';
import type { ForwardCursor, ForwarderDocument } from './documents.js';

/** The fields that a user can change. */
export type ForwarderChange = Partial<
  Pick<
    ForwarderDocument,
    'name' | 'target' | 'format' | 'severities' | 'ca' | 'sealed' | 'auth_set' | 'paused_at_ms' | 'cursor'
  >
>;

/** Identifies the writer: the forwarder, the version of its settings, and the fence of the lease. */
export interface WorkerClaim {
  id: string;
  version: number;
  fence: number;
}

export interface ForwarderStore {
  ensureIndexes(): Promise<void>;
  list(workspaceId: string, page: PageRequest): Promise<ForwarderDocument[]>;
  find(workspaceId: string, id: string): Promise<ForwarderDocument | null>;
  findIn(tx: Transaction, workspaceId: string, id: string): Promise<ForwarderDocument | null>;
  lockAndCount: LockAndCount;
  named: NamedCounts;
  insert(tx: Transaction, forwarder: ForwarderDocument): Promise<void>;
  /** Sets the fields, resets the failures and increments the version. Resolves to null without a match at `version`. */
  update(
    tx: Transaction,
    workspaceId: string,
    id: string,
    version: number,
    change: ForwarderChange,
    nowMs: number,
  ): Promise<ForwarderDocument | null>;
  remove(tx: Transaction, workspaceId: string, id: string): Promise<void>;
  /** Returns the forwarders that are not paused, across all workspaces, because only the driver calls it. */
  active(): Promise<{ id: string; workspaceId: string; version: number }[]>;
  /** Returns forwarders that are not paused, across all workspaces: those that fail come first. */
  behind(forwardersMax: number): Promise<Pick<ForwarderDocument, '_id' | 'workspace_id' | 'cursor' | 'severities'>[]>;
  /**
   * Moves the cursor; `successMs` is set if the receiver accepted something. Resolves to false, and changes nothing, if
   * the forwarder was changed or another control plane took over.
   */
  advance(claim: WorkerClaim, to: Omit<ForwardCursor, 'fence'>, successMs: number | null): Promise<boolean>;
  /** Records a failed attempt. Resolves to false as `advance` does. */
  fail(claim: WorkerClaim, failure: { error: string; atMs: number; nextAttemptMs: number }): Promise<boolean>;
}

export function createForwarderStore(db: Db): ForwarderStore {
  const forwarders: Collection<ForwarderDocument> = db.collection('audit_forwarders');
  return {
    async ensureIndexes() {
      await forwarders.createIndex({ workspace_id: 1, _id: -1 });
    },
    list(workspaceId, page) {
      const { filter, sort } = newestFirst(page.after);
      return forwarders
        .find({ workspace_id: workspaceId, ...filter })
        .sort(sort)
        .limit(page.rowsMax)
        .toArray();
    },
    find: (workspaceId, id) => forwarders.findOne({ _id: id, workspace_id: workspaceId }),
    findIn: (tx, workspaceId, id) =>
      forwarders.findOne({ _id: id, workspace_id: workspaceId }, { session: tx.session }),
    named: createNamedCounts(forwarders, ({ name }) => name),
    lockAndCount: createLockAndCount(db, 'forwarder', (tx, workspaceId, max) =>
      forwarders.countDocuments({ workspace_id: workspaceId }, { session: tx.session, limit: max }),
    ),
    async insert(tx, forwarder) {
      await forwarders.insertOne(forwarder, { session: tx.session });
    },
    update(tx, workspaceId, id, version, change, nowMs) {
      return forwarders.findOneAndUpdate(
        { _id: id, workspace_id: workspaceId, version },
        { $set: { ...change, ...NO_FAILURES, updated_at_ms: nowMs }, $inc: { version: 1 } },
        { session: tx.session, returnDocument: 'after' },
      );
    },
    async remove(tx, workspaceId, id) {
      await forwarders.deleteOne({ _id: id, workspace_id: workspaceId }, { session: tx.session });
    },
    ...workerWrites(forwarders),
  };
}

function workerWrites(
  forwarders: Collection<ForwarderDocument>,
): Pick<ForwarderStore, 'active' | 'behind' | 'advance' | 'fail'> {
  return {
    behind: (forwardersMax) =>
      forwarders
        .find({ paused_at_ms: null }, { projection: { workspace_id: 1, cursor: 1, severities: 1 } })
        // Those whose receiver fails first.
        .sort({ failures: -1, 'cursor.at_ms': 1 })
        .limit(forwardersMax)
        .toArray(),
    async active() {
      const found = await forwarders
        .find({ paused_at_ms: null }, { projection: { workspace_id: 1, version: 1 } })
        .toArray();
      return found.map(({ _id, workspace_id, version }) => ({ id: _id, workspaceId: workspace_id, version }));
    },
    async advance(claim, to, successMs) {
      const success = successMs === null ? {} : { last_success_at_ms: successMs, ...NO_FAILURES };
      const done = await forwarders.updateOne(claimed(claim), {
        $set: { cursor: { ...to, fence: claim.fence }, ...success },
      });
      return done.matchedCount === 1;
    },
    async fail(claim, { error, atMs, nextAttemptMs }) {
      const done = await forwarders.updateOne(claimed(claim), [
        {
          $set: {
            'cursor.fence': claim.fence,
            failures: { $add: ['$failures', 1] },
            failing_since_ms: { $ifNull: ['$failing_since_ms', atMs] },
            next_attempt_ms: nextAttemptMs,
            last_error: { $literal: error },
            last_error_at_ms: atMs,
          },
        },
      ]);
      return done.matchedCount === 1;
    },
  };
}

const NO_FAILURES = { failures: 0, failing_since_ms: null, next_attempt_ms: 0 } as const;

/** Matches the forwarder while the claim is valid: unchanged, not paused, and under no newer lease. */
function claimed({ id, version, fence }: WorkerClaim) {
  return { _id: id, version, paused_at_ms: null, 'cursor.fence': { $lte: fence } };
}
