import type { Db, UpdateFilter } from 'mongodb';
import type { Clock } from '../../../kernel/clock.js';
import type { PlanName, WorkspacePlans } from '../../plans/plans.js';
import type { ChangedTerms, Standing, TermsChanges, WorkspaceStandings } from '../../plans/standing.js';
import type { Transaction } from '../../storage/transaction.js';
import type { WorkspaceDocument } from '../documents.js';
import { areAgentsExcused, planKeptAfter, retentionPlanOf, stopOf } from './standing.js';

/** Plans, suspensions and deletions of workspaces: what Picket does for them. */
export interface StandingStore extends WorkspaceStandings, TermsChanges {
  ensureIndexes(): Promise<void>;
  /** The plans by which history is kept and shown. */
  retention: WorkspacePlans;
  setPlan(tx: Transaction, workspace: WorkspaceDocument, to: PlanName): Promise<void>;
  suspend(tx: Transaction, workspaceId: string, suspended: { at_ms: number; reason: string }): Promise<void>;
  resume(tx: Transaction, workspaceId: string, atMs: number): Promise<void>;
  /**
   * Call it in the transaction of any other change by which the workspace is stopped or works again: `deletion`. Without
   * it, its checks do not stop or start. `resumedAtMs` is the time when it works again, null when it is stopped.
   */
  noteStop(tx: Transaction, workspaceId: string, resumedAtMs: number | null): Promise<void>;
}

const CONFIRMATION = { confirmed_at_ms: 1, created_by_address: 1 } as const;
const FIELDS = { plan: 1, plan_kept: 1, suspended: 1, deletion: 1, resumed_at_ms: 1, ...CONFIRMATION } as const;

/** What every change that monitors depend on writes. */
const CHANGED = { $set: { 'terms.pending': true }, $inc: { 'terms.revision': 1 }, $currentDate: { 'terms.at': true } };

export function createStandingStore(db: Db, clock: Clock): StandingStore {
  const workspaces = db.collection<WorkspaceDocument>('workspaces');

  async function read<Value>(ids: readonly string[], of: (workspace: WorkspaceDocument) => Value) {
    const found = await workspaces.find({ _id: { $in: [...ids] } }, { projection: FIELDS }).toArray();
    return new Map(found.map((workspace) => [workspace._id, of(workspace)] as const));
  }

  async function change(tx: Transaction, workspaceId: string, set: Partial<WorkspaceDocument>): Promise<void> {
    const update = { ...CHANGED, $set: { ...CHANGED.$set, ...set } };
    await workspaces.updateOne({ _id: workspaceId }, update as UpdateFilter<WorkspaceDocument>, {
      session: tx.session,
    });
  }

  return {
    async ensureIndexes() {
      await workspaces.createIndexes([
        { key: { 'terms.at': 1 }, name: 'terms_pending', partialFilterExpression: { 'terms.pending': true } },
      ]);
    },
    standings: (ids) => read(ids, (workspace) => standingOf(workspace, clock.now())),
    retention: { plans: (ids) => read(ids, (workspace) => retentionPlanOf(workspace, clock.now())) },
    setPlan: (tx, workspace, to) =>
      change(tx, workspace._id, { plan: to, plan_kept: planKeptAfter(workspace, to, clock.now()) ?? null }),
    suspend: (tx, workspaceId, suspended) => change(tx, workspaceId, { suspended }),
    resume: (tx, workspaceId, atMs) => change(tx, workspaceId, { suspended: null, resumed_at_ms: atMs }),
    noteStop: (tx, workspaceId, resumedAtMs) =>
      change(tx, workspaceId, resumedAtMs === null ? {} : { resumed_at_ms: resumedAtMs }),
    async pending(limit) {
      const rows = await workspaces
        .aggregate<WorkspaceDocument & { age_ms: number }>([
          { $match: { 'terms.pending': true } },
          { $sort: { 'terms.at': 1 } },
          { $limit: limit },
          { $project: { ...FIELDS, terms: 1, age_ms: { $subtract: ['$$NOW', '$terms.at'] } } },
        ])
        .toArray();
      return rows.map(
        (row): ChangedTerms => ({
          workspaceId: row._id,
          plan: row.plan,
          stopped: stopOf(row) !== null,
          revision: row.terms?.revision ?? 0,
          ageMs: row.age_ms,
        }),
      );
    },
    async applied({ workspaceId, revision }) {
      await workspaces.updateOne({ _id: workspaceId, 'terms.revision': revision }, { $unset: { 'terms.pending': '' } });
    },
  };
}

function standingOf(workspace: WorkspaceDocument, nowMs: number): Standing {
  return {
    plan: workspace.plan,
    retentionPlan: retentionPlanOf(workspace, nowMs),
    stopped: stopOf(workspace) !== null,
    onlyTo: workspace.confirmed_at_ms === null ? (workspace.created_by_address ?? '') : null,
    agentsExcused: areAgentsExcused(workspace, nowMs),
    resumedMs: workspace.resumed_at_ms ?? null,
  };
}
