import type { Db } from 'mongodb';
import { newestFirst, type PageRequest } from '../storage/page.js';
import type { Transaction } from '../storage/transaction.js';
import type { ReportDocument } from './documents.js';

/** What ends the generation of a report. */
export type ReportEnd =
  | (Pick<ReportDocument, 'pages' | 'size_bytes' | 'data_bytes' | 'content_bytes' | 'sha256' | 'completed_at_ms'> & {
      status: 'completed';
    })
  | { status: 'failed'; error: string };

/** A report that waits for its generation. */
export type WaitingReport = Pick<ReportDocument, '_id' | 'workspace_id'>;

export interface ReportStore {
  ensureIndexes(): Promise<void>;
  insert(tx: Transaction, report: ReportDocument): Promise<void>;
  find(workspaceId: string, id: string, tx?: Transaction): Promise<ReportDocument | null>;
  /** Returns the report of any workspace with this verification code, which is known only to whoever has seen the report. */
  findByCode(code: string): Promise<ReportDocument | null>;
  list(workspaceId: string, page: PageRequest): Promise<ReportDocument[]>;
  remove(tx: Transaction, workspaceId: string, id: string): Promise<boolean>;
  /** Returns the oldest report of each workspace that waits for its generation, the oldest first. */
  due(nowMs: number, workspacesMax: number): Promise<WaitingReport[]>;
  /** Counts an attempt. Returns null if the report is finished or deleted. */
  begin(report: WaitingReport): Promise<ReportDocument | null>;
  postpone(report: WaitingReport, untilMs: number): Promise<void>;
  /** Resolves to false if the report is finished or deleted: whoever is second must change nothing. */
  end(tx: Transaction, report: WaitingReport, end: ReportEnd): Promise<boolean>;
  /** Of all workspaces. Counts at most `countMax`. */
  waiting(countMax: number): Promise<{ waiting: number; oldestMs: number | null }>;
}

export function createReportStore(db: Db): ReportStore {
  const reports = db.collection<ReportDocument>('client_reports');
  return {
    async ensureIndexes() {
      await reports.createIndexes([
        { key: { workspace_id: 1, _id: -1 } },
        { key: { verification_code: 1 }, unique: true, sparse: true },
        { key: { open: 1, _id: 1 }, name: 'open', partialFilterExpression: { open: true } },
      ]);
    },
    async insert(tx, report) {
      await reports.insertOne(report, { session: tx.session });
    },
    find: (workspaceId, id, tx) =>
      reports.findOne({ _id: id, workspace_id: workspaceId }, tx === undefined ? {} : { session: tx.session }),
    findByCode: (code) => reports.findOne({ verification_code: code }),
    list(workspaceId, { after, rowsMax }) {
      const { filter, sort } = newestFirst(after);
      return reports
        .find({ workspace_id: workspaceId, ...filter })
        .sort(sort)
        .limit(rowsMax)
        .toArray();
    },
    async remove(tx, workspaceId, id) {
      const removed = await reports.deleteOne({ _id: id, workspace_id: workspaceId }, { session: tx.session });
      return removed.deletedCount === 1;
    },
    async due(nowMs, workspacesMax) {
      const oldest = await reports
        .aggregate<{ _id: string; report: string }>([
          { $match: { open: true, retry_at_ms: { $lte: nowMs } } },
          { $group: { _id: '$workspace_id', report: { $min: '$_id' } } },
          { $sort: { report: 1 } },
          { $limit: workspacesMax },
        ])
        .toArray();
      return oldest.map(({ _id, report }) => ({ _id: report, workspace_id: _id }));
    },
    begin: ({ _id, workspace_id }) =>
      reports.findOneAndUpdate(
        { _id, workspace_id, open: true },
        { $inc: { attempts: 1 } },
        { returnDocument: 'after' },
      ),
    async postpone({ _id, workspace_id }, untilMs) {
      await reports.updateOne({ _id, workspace_id, open: true }, { $set: { retry_at_ms: untilMs } });
    },
    async end(tx, { _id, workspace_id }, end) {
      const { modifiedCount } = await reports.updateOne(
        { _id, workspace_id, open: true },
        { $set: end, $unset: { open: '' }, $inc: { version: 1 } },
        { session: tx.session },
      );
      return modifiedCount === 1;
    },
    async waiting(countMax) {
      const [found] = await reports
        .aggregate<{ waiting: number; oldestMs: number }>([
          { $match: { open: true } },
          { $limit: countMax },
          { $group: { _id: null, waiting: { $sum: 1 }, oldestMs: { $min: '$created_at_ms' } } },
        ])
        .toArray();
      return { waiting: found?.waiting ?? 0, oldestMs: found?.oldestMs ?? null };
    },
  };
}
