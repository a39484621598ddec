import type { Db } from 'mongodb';
import { newestFirst, type PageRequest } from '../../storage/page.js';
import type { Transaction } from '../../storage/transaction.js';
import type { RunDocument, ScheduleDocument } from './documents.js';

/** What ends the generation of a run, or the delivery of its mails. */
type RunChange = Pick<RunDocument, 'status' | 'reason' | 'recipients' | 'finished_at_ms' | 'link_expires_ms'> & {
  isSettling: boolean;
  linkHash: string | null;
};

/** Whether a run waits for its report, or for the delivery of its mails. */
type WaitsFor = 'open' | 'settling';

export interface RunStore {
  ensureIndexes(): Promise<void>;
  /** Throws E11000 if the occurrence has a run. */
  insert(tx: Transaction, run: RunDocument): Promise<void>;
  /** Newest occurrence first. */
  list(workspaceId: string, scheduleId: string, page: PageRequest): Promise<RunDocument[]>;
  /** Returns the run of the newest occurrence of each schedule, by the id of the schedule; none for one that has made nothing. */
  latestOf(workspaceId: string, scheduleIds: readonly string[]): Promise<ReadonlyMap<string, RunDocument>>;
  exists(tx: Transaction, workspaceId: string, id: string): Promise<boolean>;
  /** Returns the due run of each workspace that waits longest, by workspace: at most `workspacesMax`, those after `afterWorkspace`. */
  due(waitsFor: WaitsFor, nowMs: number, afterWorkspace: string, workspacesMax: number): Promise<RunDocument[]>;
  postpone(run: RunDocument, untilMs: number): Promise<void>;
  /** Resolves to false if the generation of the run has ended, or the run was deleted: whoever is second must send nothing. */
  end(tx: Transaction, run: RunDocument, change: RunChange): Promise<boolean>;
  /** Stores what became of its mails, and when it is looked at next; null if it is not any more. */
  settle(run: RunDocument, recipients: RunDocument['recipients'], nextAtMs: number | null): Promise<void>;
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
        { key: { open: 1, next_at_ms: 1 }, name: 'open_due', partialFilterExpression: { open: true } },
        { key: { settling: 1, next_at_ms: 1 }, name: 'settling_due', partialFilterExpression: { settling: true } },
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
    async latestOf(workspaceId, scheduleIds) {
      // One search of the index for each schedule: a group would read all runs of 400 days.
      const found = await db
        .collection<ScheduleDocument>('client_report_schedules')
        .aggregate<{ _id: string; runs: RunDocument[] }>([
          { $match: { workspace_id: workspaceId, _id: { $in: [...scheduleIds] } } },
          { $project: { _id: 1 } },
          {
            $lookup: {
              from: runs.collectionName,
              let: { schedule: '$_id' },
              pipeline: [
                { $match: { workspace_id: workspaceId, $expr: { $eq: ['$schedule_id', '$$schedule'] } } },
                { $sort: { _id: -1 } },
                { $limit: 1 },
              ],
              as: 'runs',
            },
          },
        ])
        .toArray();
      return new Map(found.flatMap(({ _id, runs: [latest] }) => (latest === undefined ? [] : [[_id, latest]])));
    },
    async exists(tx, workspaceId, id) {
      return (await runs.countDocuments({ _id: id, workspace_id: workspaceId }, { session: tx.session, limit: 1 })) > 0;
    },
    async due(waitsFor, nowMs, afterWorkspace, workspacesMax) {
      const first = await runs
        .aggregate<{ run: string }>(
          [
            {
              $match: {
                ...{ [waitsFor]: true, workspace_id: { $gt: afterWorkspace } },
                next_at_ms: { $not: { $gt: nowMs } },
              },
            },
            { $sort: { next_at_ms: 1 } },
            { $group: { _id: '$workspace_id', run: { $first: '$_id' } } },
            { $sort: { _id: 1 } },
            { $limit: workspacesMax },
          ],
          { hint: `${waitsFor}_due` },
        )
        .toArray();
      const found = await runs.find({ _id: { $in: first.map(({ run }) => run) }, [waitsFor]: true }).toArray();
      return found.sort((a, b) => (a.workspace_id < b.workspace_id ? -1 : 1));
    },
    async postpone({ _id, workspace_id }, untilMs) {
      await runs.updateOne({ _id, workspace_id }, { $set: { next_at_ms: untilMs } });
    },
    async end(tx, { _id, workspace_id }, { isSettling, linkHash, ...change }) {
      const { modifiedCount } = await runs.updateOne(
        { _id, workspace_id, status: 'generating' },
        {
          $set: {
            ...change,
            ...(linkHash === null ? {} : { link_hash: linkHash }),
            ...(isSettling ? { settling: true } : {}),
            next_at_ms: change.finished_at_ms ?? 0,
          },
          $unset: { open: '' },
        },
        { session: tx.session },
      );
      return modifiedCount === 1;
    },
    async settle({ _id, workspace_id }, recipients, nextAtMs) {
      await runs.updateOne(
        { _id, workspace_id, status: 'sent' },
        nextAtMs === null
          ? { $set: { recipients }, $unset: { settling: '', next_at_ms: '' } }
          : { $set: { recipients, next_at_ms: nextAtMs } },
      );
    },
    findByLink: (link_hash, nowMs) => runs.findOne({ link_hash, link_expires_ms: { $gt: nowMs } }),
    async removeOf(tx, workspaceId, scheduleId) {
      await runs.deleteMany({ workspace_id: workspaceId, schedule_id: scheduleId }, { session: tx.session });
    },
  };
}
