import type { Db } from 'mongodb';
import type { Transaction } from '../../storage/transaction.js';
import type { JobDocument, JobKind } from '../documents.js';

export type JobChange = Partial<
  Pick<
    JobDocument,
    'status' | 'open' | 'error' | 'note' | 'delivered_at_ms' | 'applied_at_ms' | 'ended_at_ms' | 'before_plugins'
  >
>;

export interface JobStore {
  ensureIndexes(): Promise<void>;
  insert(tx: Transaction, job: JobDocument): Promise<void>;
  openOf(tx: Transaction, workspaceId: string, siteId: string): Promise<JobDocument[]>;
  /** Returns the newest job of each check of each of these sites. */
  latest(workspaceId: string, siteIds: readonly string[], tx?: Transaction): Promise<JobDocument[]>;
  /** Returns how many fixes and updates of plugins were verified in [fromMs, toMs), by the ids of the sites, of the jobs that are kept. */
  verifiedFixes(workspaceId: string, fromMs: number, toMs: number): Promise<Map<string, number>>;
  /** Resolves to whether the result of a job is missing; `kind`: of a job of this kind. */
  hasUndone(workspaceId: string, siteId: string, kind?: JobKind): Promise<boolean>;
  /** Newest first, after `afterId`. */
  list(workspaceId: string, siteId: string, afterId: string | null, rowsMax: number): Promise<JobDocument[]>;
  /** Changes a job that still has this status. Resolves to null otherwise. */
  change(tx: Transaction, job: JobDocument, change: JobChange): Promise<JobDocument | null>;
  /** Returns the open jobs of all workspaces whose time is over. */
  expired(nowMs: number, limit: number): Promise<JobDocument[]>;
  /** Removes the oldest ended jobs beyond `kept` jobs of a site. */
  trim(tx: Transaction, workspaceId: string, siteId: string, kept: number): Promise<void>;
  removeOf(tx: Transaction, workspaceId: string, siteId: string): Promise<void>;
}

const IS_OPEN = { open: true } as const;
const JOBS_READ_MAX = 2_000;

export function createJobStore(db: Db): JobStore {
  const jobs = db.collection<JobDocument>('wp_jobs');
  const within = (tx?: Transaction) => (tx === undefined ? {} : { session: tx.session });
  return {
    async ensureIndexes() {
      await jobs.createIndexes([
        { key: { workspace_id: 1, site_id: 1, _id: -1 } },
        { key: { site_id: 1, check: 1 }, unique: true, partialFilterExpression: IS_OPEN },
        { key: { expires_at_ms: 1 }, partialFilterExpression: IS_OPEN },
      ]);
    },
    async insert(tx, job) {
      await jobs.insertOne(job, { session: tx.session });
    },
    openOf: (tx, workspaceId, siteId) =>
      jobs
        .find({ workspace_id: workspaceId, site_id: siteId, ...IS_OPEN }, within(tx))
        .sort({ _id: 1 })
        .toArray(),
    async latest(workspaceId, siteIds, tx) {
      return jobs
        .aggregate<JobDocument>(
          [
            { $match: { workspace_id: workspaceId, site_id: { $in: [...siteIds] } } },
            { $sort: { _id: -1 } },
            { $group: { _id: { site: '$site_id', check: '$check' }, job: { $first: '$$ROOT' } } },
            { $replaceRoot: { newRoot: '$job' } },
          ],
          within(tx),
        )
        .toArray();
    },
    async verifiedFixes(workspaceId, fromMs, toMs) {
      const ended_at_ms = { $gte: fromMs, $lt: toMs };
      const counts = await jobs
        .aggregate<{ _id: string; fixes: number }>([
          {
            $match: {
              workspace_id: workspaceId,
              kind: { $in: ['fix', 'update_plugin'] },
              status: 'verified',
              ended_at_ms,
            },
          },
          { $group: { _id: '$site_id', fixes: { $sum: 1 } } },
        ])
        .toArray();
      return new Map(counts.map(({ _id, fixes }) => [_id, fixes]));
    },
    async hasUndone(workspaceId, siteId, kind) {
      const status = { $in: ['queued', 'delivered'] as const };
      const filter = { workspace_id: workspaceId, site_id: siteId, status, ...(kind === undefined ? {} : { kind }) };
      return (await jobs.countDocuments(filter, { limit: 1 })) > 0;
    },
    list(workspaceId, siteId, afterId, rowsMax) {
      const rest = afterId === null ? {} : { _id: { $lt: afterId } };
      return jobs
        .find({ workspace_id: workspaceId, site_id: siteId, ...rest })
        .sort({ _id: -1 })
        .limit(rowsMax)
        .toArray();
    },
    change: (tx, { _id, workspace_id, status }, change) =>
      jobs.findOneAndUpdate(
        { _id, workspace_id, status },
        { $set: change },
        { session: tx.session, returnDocument: 'after' },
      ),
    expired: (nowMs, limit) =>
      jobs
        .find({ ...IS_OPEN, expires_at_ms: { $lte: nowMs } })
        .limit(limit)
        .toArray(),
    async trim(tx, workspaceId, siteId, kept) {
      const of = { workspace_id: workspaceId, site_id: siteId };
      const old = await jobs
        .find({ ...of, open: false }, { ...within(tx), projection: { _id: 1 } })
        .sort({ _id: -1 })
        .skip(kept)
        .limit(JOBS_READ_MAX)
        .toArray();
      if (old.length > 0) await jobs.deleteMany({ ...of, _id: { $in: old.map(({ _id }) => _id) } }, within(tx));
    },
    async removeOf(tx, workspaceId, siteId) {
      await jobs.deleteMany({ workspace_id: workspaceId, site_id: siteId }, within(tx));
    },
  };
}
