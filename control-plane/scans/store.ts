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

export type RunningScan = Pick<ScanDocument, '_id' | 'workspace_id' | 'node_id' | 'running_host'>;

/** Which queued scans may start: those of these locations, but none of these workspaces. */
interface QueuedOf {
  locations: readonly string[];
  withoutWorkspaces: readonly string[];
  nowMs: number;
}

/** What reports say of a scan. */
export interface ReportedScan extends Pick<ScanDocument, 'target' | 'score' | 'ended_at_ms'> {
  findings: Pick<ScanFinding, 'severity' | 'message' | 'next_step'>[];
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
  /** Returns what is known of all scans that are running. */
  running(): Promise<RunningScan[]>;
  /** Returns the queued scans that may start now, at most `limit`, the workspace that has waited longest first. */
  queued(of: QueuedOf, limit: number): Promise<ScanDocument[]>;
  /** Returns the open scans that have not ended in time, the oldest first. */
  overdue(nowMs: number, limit: number): Promise<ScanDocument[]>;
  /** Starts the next attempt. Resolves to null if another control plane did, or the workspace runs as many as it may. */
  claim(
    scan: ScanDocument,
    by: { nodeId: string; location: string; nowMs: number; deadlineMs: number },
  ): Promise<ScanDocument | null>;
  /**
   * Keeps how the workspace has proven that it controls the host, and holds the host. `host_held`: another scan of it is running.
   * `ended`: the attempt has ended meanwhile.
   */
  proven(scan: ScanDocument, proof: ProofMethod, deadlineMs: number): Promise<'proven' | 'host_held' | 'ended'>;
  /** Queues a running scan again with so many attempts, unless the scan was changed since it was read. */
  requeue(scan: ScanDocument, to: { nextAtMs: number; deadlineMs: number; attempts: number }): Promise<void>;
  /** A scan that could not start makes room for others until then. */
  postpone(scan: ScanDocument, untilMs: number): Promise<void>;
  /** The same for all scans of a workspace that wait. They fail no earlier than `deadlineMs`. */
  postponeAll(workspaceId: string, untilMs: number, deadlineMs: number): Promise<void>;
  /** Returns the scan of a running attempt; null if it has ended or was given to another probe. */
  findAttempt(attempt: ScanAttempt): Promise<ScanDocument | null>;
  /** Resolves to null if the attempt has ended, like `fail`. */
  complete(tx: Transaction, scan: ScanDocument, done: CompletedScan, nowMs: number): Promise<ScanDocument | null>;
  fail(tx: Transaction, scan: ScanDocument, failure: ScanFailure, nowMs: number): Promise<ScanDocument | null>;
  /** Returns the last completed scan of each website that ended in [fromMs, toMs), by website, at most `rowsMax`. */
  lastCompleted(workspaceId: string, fromMs: number, toMs: number, rowsMax: number): Promise<ReportedScan[]>;
}

/** Scans of one workspace that run at the same time. */
export const RUNNING_OF_WORKSPACE_MAX = 2;

const HOLDS_HOST = { running_host: { $exists: true } } as const;
const HOLDS_PLACE = { running_place: { $exists: true } } as const;

export function createScanStore(db: Db): ScanStore {
  const scans = db.collection<ScanDocument>('scans');
  const within = (tx?: Transaction) => (tx === undefined ? {} : { session: tx.session });
  /** Of the scan as it was read: whoever changes it first ends the attempt. */
  const asRead = ({ _id, workspace_id, status, attempts }: ScanDocument) => ({ _id, workspace_id, status, attempts });
  const end = (tx: Transaction, scan: ScanDocument, change: Partial<ScanDocument>) =>
    scans.findOneAndUpdate(
      { ...asRead(scan), open: true },
      { $set: change, $unset: { open: '', running_host: '', running_place: '' }, $inc: { version: 1 } },
      { session: tx.session, returnDocument: 'after' },
    );
  return {
    async ensureIndexes() {
      await scans.createIndexes([
        { key: { workspace_id: 1, _id: -1 } },
        { key: { workspace_id: 1, status: 1, ended_at_ms: -1, target: 1 } },
        { key: { status: 1, _id: 1 }, partialFilterExpression: { open: true } },
        { key: { running_host: 1 }, unique: true, partialFilterExpression: HOLDS_HOST },
        { key: { running_place: 1 }, unique: true, partialFilterExpression: HOLDS_PLACE },
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
    running: () =>
      scans
        .find({ open: true, status: 'running' })
        .project<RunningScan>({ workspace_id: 1, node_id: 1, running_host: 1 })
        .toArray(),
    async queued({ locations, withoutWorkspaces, nowMs }, limit) {
      const waiting = await scans
        .aggregate<{ scans: ScanDocument[] }>([
          {
            $match: {
              open: true,
              status: 'queued',
              locations: { $in: [...locations] },
              workspace_id: { $nin: [...withoutWorkspaces] },
              next_at_ms: { $lte: nowMs },
            },
          },
          { $sort: { next_at_ms: 1, _id: 1 } },
          {
            $group: {
              _id: '$workspace_id',
              waitsSince: { $first: '$next_at_ms' },
              scans: { $firstN: { input: '$$ROOT', n: RUNNING_OF_WORKSPACE_MAX } },
            },
          },
          { $sort: { waitsSince: 1, _id: 1 } },
          { $limit: limit },
        ])
        .toArray();
      // The first of each workspace, then the second of each.
      const places = Array.from({ length: RUNNING_OF_WORKSPACE_MAX }, (_, place) => place);
      return places.flatMap((place) => waiting.flatMap(({ scans: own }) => own[place] ?? [])).slice(0, limit);
    },
    overdue: (nowMs, limit) =>
      scans
        .find({ open: true, status: { $in: ['queued', 'running'] }, deadline_at_ms: { $lte: nowMs } })
        .sort({ _id: 1 })
        .limit(limit)
        .toArray(),
    async claim(scan, { nodeId, location, nowMs, deadlineMs }) {
      const started = { node_id: nodeId, location, started_at_ms: nowMs, deadline_at_ms: deadlineMs };
      for (let place = 0; place < RUNNING_OF_WORKSPACE_MAX; place++) {
        const running_place = `${scan.workspace_id}/${place}`;
        try {
          return await scans.findOneAndUpdate(
            { ...asRead(scan), open: true },
            { $set: { ...started, status: 'running', running_place }, $inc: { attempts: 1, version: 1 } },
            { returnDocument: 'after' },
          );
        } catch (error) {
          if (!isDuplicateKey(error)) throw error;
        }
      }
      return null;
    },
    async proven(scan, proof, deadlineMs) {
      try {
        const { matchedCount } = await scans.updateOne(
          { ...asRead(scan), open: true },
          { $set: { proof, running_host: scan.host, deadline_at_ms: deadlineMs } },
        );
        return matchedCount === 1 ? 'proven' : 'ended';
      } catch (error) {
        if (isDuplicateKey(error)) return 'host_held';
        throw error;
      }
    },
    async requeue(scan, { nextAtMs, deadlineMs, attempts }) {
      await scans.updateOne(
        { ...asRead(scan), open: true },
        {
          $set: { status: 'queued', next_at_ms: nextAtMs, deadline_at_ms: deadlineMs, attempts },
          $unset: { running_host: '', running_place: '' },
          $inc: { version: 1 },
        },
      );
    },
    async postpone(scan, untilMs) {
      await scans.updateOne({ ...asRead(scan), open: true }, { $max: { next_at_ms: untilMs } });
    },
    async postponeAll(workspaceId, untilMs, deadlineMs) {
      await scans.updateMany(
        { workspace_id: workspaceId, status: 'queued', open: true },
        { $max: { next_at_ms: untilMs, deadline_at_ms: deadlineMs } },
      );
    },
    findAttempt: ({ id, attempt, nodeId }) =>
      scans.findOne({ _id: id, open: true, status: 'running', attempts: attempt, node_id: nodeId }),
    complete: (tx, scan, { score, findings, effort }, nowMs) =>
      end(tx, scan, { status: 'completed', score, findings, effort, ended_at_ms: nowMs }),
    fail: (tx, scan, failure, nowMs) => end(tx, scan, { status: 'failed', failure, ended_at_ms: nowMs }),
    async lastCompleted(workspaceId, fromMs, toMs, rowsMax) {
      const last = await scans
        .aggregate<{ id: string }>([
          {
            $match: {
              workspace_id: workspaceId,
              status: 'completed',
              ended_at_ms: { $gte: fromMs, $lt: toMs },
            },
          },
          { $sort: { ended_at_ms: -1 } },
          // Findings are large, and a website may have hundreds of scans.
          { $project: { target: 1 } },
          { $group: { _id: '$target', id: { $first: '$_id' } } },
          { $sort: { _id: 1 } },
          { $limit: rowsMax },
        ])
        .toArray();
      const said = { 'findings.severity': 1, 'findings.message': 1, 'findings.next_step': 1 } as const;
      return scans
        .find({ _id: { $in: last.map(({ id }) => id) }, workspace_id: workspaceId })
        .sort({ target: 1 })
        .project<ReportedScan>({ _id: 0, target: 1, score: 1, ended_at_ms: 1, ...said })
        .toArray();
    },
  };
}
