import type { WorkspaceDocument } from '../accounts/documents.js';
import type { StandingStore } from '../accounts/standing/store.js';
import type { Actor } from '../actor.js';
import type { AuditEvent, AuditLog } from '../audit/audit.js';
import type { PlanName } from '../plans/plans.js';
import type { Transaction } from '../storage/transaction.js';

/** Who decided about the plan. */
export type DecidedBy = 'owner' | 'operator' | 'stripe';

/** Returns the actor in another workspace, for its audit log. */
function actorIn(actor: Actor, workspace: Pick<WorkspaceDocument, '_id' | 'name' | 'plan'>): Actor {
  return { ...actor, workspaceId: workspace._id, workspaceName: workspace.name, plan: workspace.plan };
}

/**
 * Records what was done with a workspace in its audit log. What an operator does with the workspace of somebody else is also
 * recorded in that of the operators, which they act in.
 */
export async function recordFor(
  { audit }: { audit: AuditLog },
  tx: Transaction,
  { actor, workspace }: { actor: Actor; workspace: Pick<WorkspaceDocument, '_id' | 'name' | 'plan'> },
  event: AuditEvent,
): Promise<void> {
  const entries = [{ actor: actorIn(actor, workspace), event }];
  if (actor.operator && actor.workspaceId !== workspace._id) entries.push({ actor, event });
  await audit.recordAll(tx, entries);
}

/** Writes the plan of a workspace with its audit entry. Writes nothing when it has this plan already. */
export async function changePlan(
  { standings, audit }: { standings: Pick<StandingStore, 'setPlan'>; audit: AuditLog },
  tx: Transaction,
  change: { workspace: WorkspaceDocument; to: PlanName; by: DecidedBy; actor: Actor; overQuota: readonly string[] },
): Promise<void> {
  const { workspace, to, by, overQuota } = change;
  const { plan: from } = workspace;
  if (from === to) return;
  await standings.setPlan(tx, workspace, to);
  await recordFor({ audit }, tx, change, {
    action: 'billing.plan_changed',
    resource: { type: 'workspace', id: workspace._id, name: workspace.name },
    metadata: { from, to, by, over_quota: overQuota },
  });
}
