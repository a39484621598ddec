import type { Collection, Db } from 'mongodb';
import type { PageRequest } from '../../http/paging.js';
import { newestFirst } from '../../storage/cursor.js';
import type { Transaction } from '../../storage/transaction.js';
import type { ForwardCursor, ForwarderDocument } from './documents.js';

/** What a change by people may set. */
export type ForwarderChange = Partial<
  Pick<
    ForwarderDocument,
    'name' | 'target' | 'format' | 'severities' | 'ca' | 'sealed' | 'auth_set' | 'paused_at_ms' | 'cursor'
  >
>;

/** Which driver writes: at which version of the settings, under which lease. */
export interface DriverMark {
  id: string;
  version: number;
  fence: number;
}

export interface ForwarderStore {
  ensureIndexes(): Promise<void>;
  list(workspaceId: string, page: PageRequest): Promise<ForwarderDocument[]>;
  find(workspaceId: string, id: string): Promise<ForwarderDocument | null>;
  findIn(tx: Transaction, workspaceId: string, id: string): Promise<ForwarderDocument | null>;
  count(tx: Transaction, workspaceId: string): Promise<number>;
  insert(tx: Transaction, forwarder: ForwarderDocument): Promise<void>;
  /** Sets the members, forgets failures and raises the version; null when it is not there at `version`. */
  update(
    tx: Transaction,
    workspaceId: string,
    id: string,
    version: number,
    change: ForwarderChange,
    nowMs: number,
  ): Promise<ForwarderDocument | null>;
  remove(tx: Transaction, workspaceId: string, id: string): Promise<void>;
  /** Those that are not paused. Over all workspaces: it is the driver that asks. */
  active(): Promise<{ id: string; workspaceId: string; version: number }[]>;
  /**
   * Moves the cursor; `successMs` when the receiver took something. false when the forwarder was changed meanwhile or
   * another control plane drives it: then nothing moves.
   */
  advance(mark: DriverMark, to: Omit<ForwardCursor, 'fence'>, successMs: number | null): Promise<boolean>;
  /** Notes a failed try. false as in `advance`. */
  fail(mark: DriverMark, failure: { error: string; atMs: number; nextAttemptMs: number }): Promise<boolean>;
}

export function createForwarderStore(db: Db): ForwarderStore {
  const forwarders: Collection<ForwarderDocument> = db.collection('audit_forwarders');
  const driven = ({ id, version, fence }: DriverMark) => ({
    _id: id,
    version,
    paused_at_ms: null,
    'cursor.fence': { $lte: fence },
  });
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
    count: (tx, workspaceId) => forwarders.countDocuments({ workspace_id: workspaceId }, { session: tx.session }),
    async insert(tx, forwarder) {
      await forwarders.insertOne(forwarder, { session: tx.session });
    },
    update(tx, workspaceId, id, version, change, nowMs) {
      const well = { failures: 0, failing_since_ms: null, next_attempt_ms: 0 };
      return forwarders.findOneAndUpdate(
        { _id: id, workspace_id: workspaceId, version },
        { $set: { ...change, ...well, updated_at_ms: nowMs }, $inc: { version: 1 } },
        { session: tx.session, returnDocument: 'after' },
      );
    },
    async remove(tx, workspaceId, id) {
      await forwarders.deleteOne({ _id: id, workspace_id: workspaceId }, { session: tx.session });
    },
    async active() {
      const found = await forwarders
        .find({ paused_at_ms: null }, { projection: { workspace_id: 1, version: 1 } })
        .toArray();
      return found.map(({ _id, workspace_id, version }) => ({ id: _id, workspaceId: workspace_id, version }));
    },
    async advance(mark, to, successMs) {
      const well =
        successMs === null
          ? {}
          : { last_success_at_ms: successMs, failures: 0, failing_since_ms: null, next_attempt_ms: 0 };
      const done = await forwarders.updateOne(driven(mark), {
        $set: { cursor: { ...to, fence: mark.fence }, ...well },
      });
      return done.matchedCount === 1;
    },
    async fail(mark, { error, atMs, nextAttemptMs }) {
      const done = await forwarders.updateOne(driven(mark), [
        {
          $set: {
            'cursor.fence': mark.fence,
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
