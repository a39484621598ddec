import type { Db } from 'mongodb';
import { newestFirst, type PageRequest } from '../../storage/page.js';
import type { Transaction } from '../../storage/transaction.js';
import type { RunDocument } from './documents.js';

/** What ends the generation of a run, or the delivery of its mails. */
type RunChange = Pick<RunDocument, 'status' | 'reason' | 'recipients' | 'finished_at_ms' | 'link_expires_ms'> & {
  isSettling: boolean;
  linkHash: string | null;
};

export interface RunStore {
  ensureIndexes(): Promise<void>;
  /** Throws E11000 if the occurrence has a run. */
  insert(tx: Transaction, run: RunDocument): Promise<void>;
  /** Newest occurrence first. */
  list(workspaceId: string, scheduleId: string, page: PageRequest): Promise<RunDocument[]>;
  /** Returns runs of all workspaces that wait for their report, oldest first. */
  open(rowsMax: number): Promise<RunDocument[]>;
  /** Returns runs of all workspaces of which a mail waits for its delivery. */
  settling(rowsMax: number): Promise<RunDocument[]>;
  /** Resolves to false if the generation of the run has ended, or the run was deleted: whoever is second must send nothing. */
  end(tx: Transaction, run: RunDocument, change: RunChange): Promise<boolean>;
  /** Stores what became of its mails. */
  settle(run: RunDocument, recipients: RunDocument['recipients'], isSettling: boolean): Promise<void>;
  /** Of any workspace, because the token says which. null once the link has expired. */
  findByLink(linkHash: string, nowMs: number): Promise<RunDocument | null>;
  removeOf(tx: Transaction, workspaceId: string, scheduleId: string): Promise<void>;
}

export function createRunStore(db: Db): RunStore {
  const runs = db.collection<RunDocument>('client_report_runs');
  return {
    async ensureIndexes() {
      await runs.createIndexes([
        { key: { workspace_id: 1, schedule_id: 1, _id: -1 } },
        { key: { open: 1, occurrence_ms: 1 }, name: 'open', partialFilterExpression: { open: true } },
        { key: { settling: 1 }, name: 'settling', partialFilterExpression: { settling: true } },
        { key: { link_hash: 1 }, unique: true, sparse: true },
        { key: { expires_at: 1 }, expireAfterSeconds: 0 },
      ]);
    },
    async insert(tx, run) {
      await runs.insertOne(run, { session: tx.session });
    },
    list(workspaceId, scheduleId, { after, rowsMax }) {
      const { filter, sort } = newestFirst(after);
      return runs
        .find({ workspace_id: workspaceId, schedule_id: scheduleId, ...filter })
        .sort(sort)
        .limit(rowsMax)
        .toArray();
    },
    open: (rowsMax) => runs.find({ open: true }).hint('open').sort({ occurrence_ms: 1 }).limit(rowsMax).toArray(),
    settling: (rowsMax) => runs.find({ settling: true }).hint('settling').limit(rowsMax).toArray(),
    async end(tx, { _id, workspace_id }, { isSettling, linkHash, ...change }) {
      const { modifiedCount } = await runs.updateOne(
        { _id, workspace_id, status: 'generating' },
        {
          $set: {
            ...change,
            ...(linkHash === null ? {} : { link_hash: linkHash }),
            ...(isSettling ? { settling: true } : {}),
          },
          $unset: { open: '' },
        },
        { session: tx.session },
      );
      return modifiedCount === 1;
    },
    async settle({ _id, workspace_id }, recipients, isSettling) {
      await runs.updateOne(
        { _id, workspace_id, status: 'sent' },
        { $set: { recipients }, ...(isSettling ? {} : { $unset: { settling: '' } }) },
      );
    },
    findByLink: (link_hash, nowMs) => runs.findOne({ link_hash, link_expires_ms: { $gt: nowMs } }),
    async removeOf(tx, workspaceId, scheduleId) {
      await runs.deleteMany({ workspace_id: workspaceId, schedule_id: scheduleId }, { session: tx.session });
    },
  };
}
