import type { WorkspaceDocument } from '../../accounts/documents.js';
import type { Actor } from '../../actor.js';
import { AppError, notFound } from '../../errors.js';
import type { Transaction } from '../../storage/transaction.js';
import type { BillingNeeds } from '../needs.js';
import { recordFor } from '../plan-change.js';

type SuspendNeeds = Pick<BillingNeeds, 'workspaces' | 'standings' | 'audit' | 'clock'>;

/**
 * Stops everything that Picket does for a workspace. Its data stay. A second suspension replaces the reason. Throws 409 for
 * the operators' own workspace: nobody could resume it.
 */
export async function suspendWorkspace(
  needs: SuspendNeeds,
  tx: Transaction,
  actor: Actor,
  id: string,
  reason: string,
): Promise<void> {
  const { workspaces, standings, clock } = needs;
  const workspace = await load(needs, tx, id);
  if ((await workspaces.operators())?.id === id) {
    throw new AppError('conflict', 'The workspace of the operators cannot be suspended.');
  }
  if (workspace.suspended?.reason === reason) return;
  await standings.suspend(tx, id, { at_ms: workspace.suspended?.at_ms ?? clock.now(), reason });
  await recordFor(
    needs,
    tx,
    { actor, workspace },
    {
      action: 'workspace.suspended',
      resource: { type: 'workspace', id, name: workspace.name },
      metadata: { reason },
    },
  );
}

/** Takes everything up again. Does nothing for a workspace that is not suspended. */
export async function resumeWorkspace(needs: SuspendNeeds, tx: Transaction, actor: Actor, id: string): Promise<void> {
  const { standings, clock } = needs;
  const workspace = await load(needs, tx, id);
  if (workspace.suspended === null || workspace.suspended === undefined) return;
  await standings.resume(tx, id, clock.now());
  await recordFor(
    needs,
    tx,
    { actor, workspace },
    {
      action: 'workspace.resumed',
      resource: { type: 'workspace', id, name: workspace.name },
      metadata: { suspended_seconds: Math.round((clock.now() - workspace.suspended.at_ms) / 1_000) },
    },
  );
}

async function load({ workspaces }: SuspendNeeds, tx: Transaction, id: string): Promise<WorkspaceDocument> {
  const workspace = await workspaces.document(tx, id);
  if (workspace === null) throw notFound('workspace');
  return workspace;
}
