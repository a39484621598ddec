import { toIso } from '../../../kernel/clock.js';
import { PLAN_NAMES, type PlanName } from '../../plans/plans.js';
import type { WorkspaceDocument } from '../documents.js';

/** After a downgrade, history is kept and shown as before for this long, so that it can be exported or the plan restored. */
const RETENTION_GRACE_MS = 7 * 86_400_000;

/**
 * Agents of a resumed workspace return within a minute, and send what they hold. Until then their silence proves nothing.
 */
const AGENTS_RETURN_MS = 120_000;

/** The fields of a workspace that decide what Picket does for it. */
export type StandingFields = Pick<WorkspaceDocument, 'plan' | 'plan_kept' | 'suspended' | 'deletion' | 'resumed_at_ms'>;

/** Why a workspace is stopped. */
export interface WorkspaceStop {
  why: 'suspended' | 'deleted';
  /** A sentence for its people. */
  reason: string;
}

/** Returns why nothing is checked, sent or accepted for the workspace; null while it works. */
export function stopOf({ suspended, deletion }: StandingFields): WorkspaceStop | null {
  if (suspended !== null && suspended !== undefined) {
    return { why: 'suspended', reason: `This workspace is suspended: ${suspended.reason}` };
  }
  if (deletion === null || deletion === undefined) return null;
  const until = toIso(deletion.at_ms);
  const reason = `This workspace will be deleted at ${until}. Until then, an owner can restore it: POST /v1/workspace/restore.`;
  return { why: 'deleted', reason };
}

/** Returns whether a moment ago the agents of the workspace could not connect. */
export function areAgentsExcused(workspace: StandingFields, nowMs: number): boolean {
  if (stopOf(workspace) !== null) return true;
  const resumedMs = workspace.resumed_at_ms ?? Number.NEGATIVE_INFINITY;
  return nowMs - resumedMs < AGENTS_RETURN_MS;
}

/** Returns the plan that decides how long the history of the workspace is kept and shown. */
export function retentionPlanOf(
  { plan, plan_kept }: Pick<StandingFields, 'plan' | 'plan_kept'>,
  nowMs: number,
): PlanName {
  if (plan_kept === null || plan_kept === undefined || plan_kept.until_ms <= nowMs) return plan;
  return isLarger(plan_kept.plan, plan) ? plan_kept.plan : plan;
}

/** Returns `plan_kept` of a workspace that moves to another plan. A grace that runs already is not extended. */
export function planKeptAfter(workspace: StandingFields, to: PlanName, nowMs: number): WorkspaceDocument['plan_kept'] {
  const kept = retentionPlanOf(workspace, nowMs);
  if (!isLarger(kept, to)) return null;
  return kept === workspace.plan ? { plan: kept, until_ms: nowMs + RETENTION_GRACE_MS } : workspace.plan_kept;
}

function isLarger(plan: PlanName, other: PlanName): boolean {
  return PLAN_NAMES.indexOf(plan) > PLAN_NAMES.indexOf(other);
}
