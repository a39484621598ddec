import type { WorkspaceDocument } from '../accounts/documents.js';
import type { StandingStore } from '../accounts/standing/store.js';
import type { WorkspacesStore } from '../accounts/workspaces-store.js';
import type { Actor } from '../actor.js';
import type { AuditLog } from '../audit/audit.js';
import type { Transaction } from '../storage/transaction.js';

export interface RestoreNeeds {
  workspaces: Pick<WorkspacesStore, 'setDeletion'>;
  standings: Pick<StandingStore, 'noteStop'>;
  audit: AuditLog;
}

/** Takes back the deletion of a workspace. `untilMs` is the end of the time in which it was stopped; `reason` is for the audit log. */
export async function restoreWorkspace(
  { workspaces, standings, audit }: RestoreNeeds,
  tx: Transaction,
  {
    actor,
    workspace,
    untilMs,
    reason,
  }: { actor: Actor; workspace: WorkspaceDocument; untilMs: number; reason?: string },
): Promise<void> {
  await workspaces.setDeletion(tx, workspace._id, null);
  await standings.noteStop(tx, workspace._id, untilMs);
  await audit.record(tx, actor, {
    action: 'workspace.restored',
    resource: { type: 'workspace', id: workspace._id, name: workspace.name },
    ...(reason === undefined ? {} : { metadata: { reason } }),
  });
}
