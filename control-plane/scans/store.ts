import type { Db } from 'mongodb';
import { isDuplicateKey, type Transaction } from '../storage/transaction.js';
import type { ProofMethod, ScanDocument, ScanFailure } from './documents.js';
import type { ScanFinding } from './judge/finding.js';

export interface ScanFilter {
  monitor_id?: string;
  status?: ScanDocument['status'];
}

/** One attempt of a scan, which only the probe that it was given to can end. */
export interface ScanAttempt {
  id: string;
  attempt: number;
  nodeId: string;
}

export interface CompletedScan {
  score: number;
  findings: ScanFinding[];
  effort: NonNullable<ScanDocument['effort']>;
}

export interface ScanStore {
  ensureIndexes(): Promise<void>;
  insert(tx: Transaction, scan: ScanDocument): Promise<void>;
  find(workspaceId: string, id: string, tx?: Transaction): Promise<ScanDocument | null>;
  /** Newest first, after `afterId`. */
  list(workspaceId: string, filter: ScanFilter, afterId: string | null, rowsMax: number): Promise<ScanDocument[]>;
  remove(tx: Transaction, workspaceId: string, id: string): Promise<boolean>;
  /** Returns the id of the scan of this host that has not ended; null without one. */
  openOf(tx: Transaction, workspaceId: string, host: string): Promise<string | null>;
  /** Returns the queued scans that a probe of these locations may run now, the oldest first. */
  queued(locations: readonly string[], nowMs: number, limit: number): Promise<ScanDocument[]>;
  /** Returns the open scans that have not ended in time, the oldest first. */
  overdue(nowMs: number, limit: number): Promise<ScanDocument[]>;
  /** Starts the next attempt. Resolves to null if another control plane did, or another scan of the host is running. */
  claim(
    scan: ScanDocument,
    by: { nodeId: string; location: string; nowMs: number; deadlineMs: number },
  ): Promise<ScanDocument | null>;
  /** Keeps how the workspace has proven that it controls the host. */
  proven(scan: ScanDocument, proof: ProofMethod): Promise<void>;
  /** Takes an attempt back, so that another one starts at that time, unless the scan was changed since it was read. */
  requeue(scan: ScanDocument, nextAtMs: number, deadlineMs: number): Promise<void>;
  /** Returns the scan of a running attempt; null if it has ended or was given to another probe. */
  findAttempt(attempt: ScanAttempt): Promise<ScanDocument | null>;
  /** Resolves to null if the attempt has ended, like `fail`. */
  complete(tx: Transaction, scan: ScanDocument, done: CompletedScan, nowMs: number): Promise<ScanDocument | null>;
  fail(tx: Transaction, scan: ScanDocument, failure: ScanFailure, nowMs: number): Promise<ScanDocument | null>;
  /** Returns the last completed scan of each website that ended in [fromMs, toMs), by website, at most `rowsMax`. */
  lastCompleted(workspaceId: string, fromMs: number, toMs: number, rowsMax: number): Promise<ScanDocument[]>;
}

const IS_RUNNING = { running_host: { $exists: true } } as const;

export function createScanStore(db: Db): ScanStore {
  const scans = db.collection<ScanDocument>('scans');
  const within = (tx?: Transaction) => (tx === undefined ? {} : { session: tx.session });
  /** Of the scan as it was read: whoever changes it first ends the attempt. */
  const asRead = ({ _id, workspace_id, status, attempts }: ScanDocument) => ({ _id, workspace_id, status, attempts });
  const end = (tx: Transaction, scan: ScanDocument, change: Partial<ScanDocument>) =>
    scans.findOneAndUpdate(
      { ...asRead(scan), open: true },
      { $set: change, $unset: { open: '', running_host: '' }, $inc: { version: 1 } },
      { session: tx.session, returnDocument: 'after' },
    );
  return {
    async ensureIndexes() {
      await scans.createIndexes([
        { key: { workspace_id: 1, _id: -1 } },
        { key: { workspace_id: 1, status: 1, ended_at_ms: -1 } },
        { key: { status: 1, _id: 1 }, partialFilterExpression: { open: true } },
        { key: { running_host: 1 }, unique: true, partialFilterExpression: IS_RUNNING },
        { key: { expires_at: 1 }, expireAfterSeconds: 0 },
      ]);
    },
    async insert(tx, scan) {
      await scans.insertOne(scan, { session: tx.session });
    },
    find: (workspaceId, id, tx) => scans.findOne({ _id: id, workspace_id: workspaceId }, within(tx)),
    list(workspaceId, filter, afterId, rowsMax) {
      const rest = afterId === null ? {} : { _id: { $lt: afterId } };
      return scans
        .find({ ...filter, workspace_id: workspaceId, ...rest })
        .sort({ _id: -1 })
        .limit(rowsMax)
        .toArray();
    },
    async remove(tx, workspaceId, id) {
      const removed = await scans.deleteOne({ _id: id, workspace_id: workspaceId }, { session: tx.session });
      return removed.deletedCount === 1;
    },
    async openOf(tx, workspaceId, host) {
      const options = { session: tx.session, projection: { _id: 1 } };
      return (await scans.findOne({ workspace_id: workspaceId, host, open: true }, options))?._id ?? null;
    },
    queued: (locations, nowMs, limit) =>
      scans
        .find({ open: true, status: 'queued', locations: { $in: [...locations] }, next_at_ms: { $lte: nowMs } })
        .sort({ _id: 1 })
        .limit(limit)
        .toArray(),
    overdue: (nowMs, limit) =>
      scans
        .find({ open: true, status: { $in: ['queued', 'running'] }, deadline_at_ms: { $lte: nowMs } })
        .sort({ _id: 1 })
        .limit(limit)
        .toArray(),
    async claim(scan, { nodeId, location, nowMs, deadlineMs }) {
      try {
        return await scans.findOneAndUpdate(
          { ...asRead(scan), open: true },
          {
            $set: {
              status: 'running',
              node_id: nodeId,
              location,
              running_host: scan.host,
              started_at_ms: nowMs,
              deadline_at_ms: deadlineMs,
            },
            $inc: { attempts: 1, version: 1 },
          },
          { returnDocument: 'after' },
        );
      } catch (error) {
        if (isDuplicateKey(error)) return null;
        throw error;
      }
    },
    async proven(scan, proof) {
      await scans.updateOne(asRead(scan), { $set: { proof } });
    },
    async requeue(scan, nextAtMs, deadlineMs) {
      await scans.updateOne(
        { ...asRead(scan), open: true },
        {
          $set: { status: 'queued', next_at_ms: nextAtMs, deadline_at_ms: deadlineMs },
          $unset: { running_host: '' },
          $inc: { version: 1 },
        },
      );
    },
    findAttempt: ({ id, attempt, nodeId }) =>
      scans.findOne({ _id: id, open: true, status: 'running', attempts: attempt, node_id: nodeId }),
    complete: (tx, scan, { score, findings, effort }, nowMs) =>
      end(tx, scan, { status: 'completed', score, findings, effort, ended_at_ms: nowMs }),
    fail: (tx, scan, failure, nowMs) => end(tx, scan, { status: 'failed', failure, ended_at_ms: nowMs }),
    lastCompleted: (workspaceId, fromMs, toMs, rowsMax) =>
      scans
        .aggregate<ScanDocument>([
          {
            $match: {
              workspace_id: workspaceId,
              status: 'completed',
              ended_at_ms: { $gte: fromMs, $lt: toMs },
            },
          },
          { $sort: { ended_at_ms: -1 } },
          { $group: { _id: '$target', scan: { $first: '$$ROOT' } } },
          { $sort: { _id: 1 } },
          { $limit: rowsMax },
          { $replaceRoot: { newRoot: '$scan' } },
        ])
        .toArray(),
  };
}
